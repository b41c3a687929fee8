// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class SpinTimeTest
{
    private static final long MAX_NS = 1000;

    private final SpinTime spin = new SpinTime();

    @Test
    void shouldLookAsLongAsThatFindsSomething()
    {
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(MAX_NS, spin.beginNs(MAX_NS));
            spin.end(true);
        }
    }

    @Test
    void shouldHardlyLookWhereThatIsInVain()
    {
        int lookCount = 0;
        for (int i = 0; i < 100 * SpinTime.SKIP_COUNT_MAX; i++)
        {
            if (spin.beginNs(MAX_NS) > 0)
            {
                lookCount++;
                spin.end(false);
            }
        }

        assertEquals(101, lookCount);
    }

    @Test
    void shouldLookEachTimeAgainAfterOneThatFoundSomething()
    {
        spin.end(false);
        spin.end(false);
        assertEquals(SpinTime.SKIP_COUNT_MAX, skip());

        for (int i = 0; i < 10; i++)
        {
            assertEquals(MAX_NS, spin.beginNs(MAX_NS));
            spin.end(true);
        }

        spin.end(false);
        assertEquals(SpinTime.SKIP_COUNT_MIN, skip());
    }

    @Test
    void shouldLookAgainAfterALongSleep()
    {
        spin.end(false);
        spin.end(false);
        spin.slept(50 * MAX_NS, MAX_NS);
        assertEquals(0, spin.beginNs(MAX_NS));

        spin.slept(100 * MAX_NS, MAX_NS);

        assertEquals(MAX_NS, spin.beginNs(MAX_NS));
    }

    @Test
    void shouldLookAgainAfterSomeSleepsThatWereShorterThanALook()
    {
        spin.end(false);
        spin.end(false);
        int sleepCount = 0;

        while (spin.beginNs(MAX_NS) == 0)
        {
            spin.slept(MAX_NS - 1, MAX_NS);
            sleepCount++;
        }

        assertEquals(Integer.SIZE - Integer.numberOfLeadingZeros(SpinTime.SKIP_COUNT_MAX - 1), sleepCount);
    }

    @Test
    void shouldBeginAsTheLastLookOfItsKindEnded()
    {
        final SpinTime kind = new SpinTime();
        final SpinTime first = new SpinTime(kind);
        assertEquals(MAX_NS, first.beginNs(MAX_NS));
        first.end(false);

        final SpinTime second = new SpinTime(kind);
        for (int i = 0; i < SpinTime.SKIP_COUNT_MIN; i++)
        {
            assertEquals(0, second.beginNs(MAX_NS));
        }
        for (int i = 0; i < 10; i++)
        {
            assertEquals(MAX_NS, second.beginNs(MAX_NS));
            second.end(true);
        }
        assertEquals(MAX_NS, new SpinTime(kind).beginNs(MAX_NS));
    }

    private int skip()
    {
        int count = 0;
        while (spin.beginNs(MAX_NS) == 0)
        {
            count++;
        }
        return count;
    }
}
