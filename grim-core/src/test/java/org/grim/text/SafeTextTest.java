// SPDX-License-Identifier: Apache-2.0
package org.grim.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SafeTextTest
{
    @ParameterizedTest
    @ValueSource(strings = {"", "metz", "node-1 of Zoë", "日本語", "a\\b", "\uD83D\uDE00"})
    void shouldLeaveWhatCanBeShown(final String text)
    {
        assertTrue(SafeText.isPrintable(text));
        assertSame(text, SafeText.escape(text));
        assertEquals(text, SafeText.decode(text.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, '\n', '\r', '\t', 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x2028, 0x2029, 0x202e,
        0x2066, 0xd800, 0xdc00, 0xfeff, 0xe0001})
    void shouldWriteWhatCannotBeShownAsItsNumber(final int point)
    {
        final String text = "a" + Character.toString(point) + "b";

        assertFalse(SafeText.isPrintable(text));
        assertEquals(String.format("a\\u%04xb", point), SafeText.escape(text));
        assertTrue(SafeText.isPrintable(SafeText.escape(text)));
    }

    @Test
    void shouldShowBytesThatAreNoText()
    {
        assertEquals("a\uFFFDb", SafeText.decode(new byte[]{'a', (byte)0xff, 'b'}));
        assertEquals("\\u001b[31m", SafeText.decode("\u001b[31m".getBytes(UTF_8)));
    }

    @Test
    void shouldKeepLineEndsWhereTheyBelong()
    {
        assertEquals("a\n\tb\\u000d\\u001b", SafeText.escapeLines("a\n\tb\r\u001b"));
    }

    @Test
    void shouldShortenWhatIsLong()
    {
        assertEquals("null", SafeText.shorten(null));
        assertEquals("x".repeat(80), SafeText.shorten("x".repeat(80)));
        assertEquals("x".repeat(80) + "... (10000 characters)", SafeText.shorten("x".repeat(10_000)));
        assertTrue(SafeText.isPrintable(SafeText.shorten("x".repeat(79) + "\uD83D\uDE00")));
    }
}
