// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.List;

import org.grim.GrimException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SpinAndPinningTest
{
    @Test
    void shouldReadListOfCpus()
    {
        assertEquals(List.of(0), Pinning.parseList("0"));
        assertEquals(List.of(0, 1, 2, 3, 8, 10, 11), Pinning.parseList("0-3,8,10-11"));
    }

    @Test
    void shouldEndWaitThatLastsTooLong()
    {
        final BoundedSpin spin = new BoundedSpin(true, 1, "answer", () ->
        {
        });

        final GrimException failure = assertThrows(GrimException.class, () -> spinWithin(spin, 10_000_000));

        assertEquals("answer did not come: waited=1 ms", failure.getMessage());
    }

    @Test
    void shouldAskNowAndThenWhetherTheWaitMakesSense()
    {
        final int[] count = new int[1];
        final BoundedSpin spin = new BoundedSpin(false, 10_000, "answer", () -> count[0]++);

        spinWithin(spin, 1 << 20);

        assertTrue(count[0] >= 1, "checks=" + count[0]);
    }

    @Test
    void shouldReadThePausesBetweenTwoLooks()
    {
        assertEquals(2, BoundedSpin.pauseCount(null));
        assertEquals(0, BoundedSpin.pauseCount("0"));
        assertEquals(100, BoundedSpin.pauseCount("100"));

        for (final String text : List.of("", "-1", "101", "1e1", "two"))
        {
            assertEquals("GRIM_BENCH_PAUSES=" + text + " is no number of 0 to 100",
                assertThrows(IllegalArgumentException.class, () -> BoundedSpin.pauseCount(text)).getMessage());
        }
    }

    private static void spinWithin(final BoundedSpin spin, final int limit)
    {
        for (int i = 0; i < limit; i++)
        {
            spin.spin();
        }
    }
}
