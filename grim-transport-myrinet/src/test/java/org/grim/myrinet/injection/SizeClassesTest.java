// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SizeClassesTest
{
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "32, 0", "33, 1", "64, 1", "65, 2", "128, 2", "4096, 7", "4097, 8", "32768, 10",
        "32769, 11", "65504, 11", "65536, 11"})
    void shouldFindTheClassOfALength(final int length, final int index)
    {
        assertEquals(index, SizeClasses.index(length));
    }

    @Test
    void shouldHoldEveryLengthInTheSmallestClassThatCan()
    {
        for (int length = 0; length <= SizeClasses.SIZE_MAX; length++)
        {
            final int index = SizeClasses.index(length);
            assertTrue(length <= SizeClasses.size(index), "length=" + length);
            assertTrue(index == 0 || length > SizeClasses.size(index - 1), "length=" + length);
        }
        assertEquals(65_504, SizeClasses.payloadLengthMax(SizeClasses.COUNT - 1));
        assertEquals(65_536, SizeClasses.SIZE_MAX);
    }
}
