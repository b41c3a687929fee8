// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class CommandProgressTest
{
    private static final long MEBIBYTE = 1 << 20;

    private final StringWriter error = new StringWriter();

    @Test
    void shouldDrawEachBarOverTheLastOneAndEndWithALine()
    {
        try (CommandProgress progress = progress(16, true))
        {
            progress.at(4 * MEBIBYTE, "a text");
            progress.at(17 * MEBIBYTE, "x".repeat(1000));
            progress.at(17 * MEBIBYTE, "");
        }

        final String text = error.toString();
        assertTrue(text.startsWith("\r") && text.endsWith(System.lineSeparator()), text);
        final String[] bars = text.replace(System.lineSeparator(), "").substring(1).split("\r");
        assertTrue(Stream.of(bars).allMatch(bar -> bar.length() == bars[0].length()), text);
        assertTrue(bars[0].startsWith("copied  25% [=======                       ] "), text);
        assertTrue(bars[0].stripTrailing().endsWith(" MiB/s, 4 of 16 MiB: a text"), text);
        final String last = bars[bars.length - 1].stripTrailing();
        assertTrue(last.matches("copied 100% \\[={30}] .* MiB/s, 16 of 16 MiB"), text);
    }

    @Test
    void shouldDrawAFullBarWhereThereIsNothingToDo()
    {
        progress(0, true).close();

        assertTrue(error.toString().contains("copied 100% [="), error.toString());
    }

    @Test
    void shouldSayNothingOfAShortCommandWhereThereIsNoTerminal()
    {
        try (CommandProgress progress = progress(16, false))
        {
            progress.at(4 * MEBIBYTE, "");
        }

        assertEquals("", error.toString());
    }

    private CommandProgress progress(final long count, final boolean hasBar)
    {
        return new CommandProgress(new PrintWriter(error), "copied", count * MEBIBYTE, "MiB", MEBIBYTE, hasBar);
    }
}
