// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.deadline;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RoundTripTest
{
    private static final long MIN_NS = 50;
    private static final long MAX_NS = 1_000_000;

    private final RoundTrip roundTrip = new RoundTrip();

    @Test
    void shouldWaitLongestWhileNothingWasMeasured()
    {
        assertEquals(MAX_NS, roundTrip.timeOutNs(MIN_NS, MAX_NS));
    }

    @Test
    void shouldBeginWithThreeTimesTheFirstSample()
    {
        roundTrip.sample(1000);

        assertEquals(3000, roundTrip.timeOutNs(MIN_NS, MAX_NS));
    }

    @Test
    void shouldComeCloseToASteadyTimeAndFollowAJump()
    {
        for (int i = 0; i < 200; i++)
        {
            roundTrip.sample(1000);
        }
        final long steadyNs = roundTrip.timeOutNs(MIN_NS, MAX_NS);
        roundTrip.sample(9000);
        final long jumpedNs = roundTrip.timeOutNs(MIN_NS, MAX_NS);

        assertTrue(steadyNs >= 1000 && steadyNs < 1050, "steady " + steadyNs);
        assertTrue(jumpedNs > 9000, "jumped " + jumpedNs);
    }

    @Test
    void shouldStayWithinItsLimits()
    {
        roundTrip.sample(0);
        assertEquals(MIN_NS, roundTrip.timeOutNs(MIN_NS, MAX_NS));
        for (int i = 0; i < 100; i++)
        {
            roundTrip.sample(MAX_NS * 10);
        }
        assertEquals(MAX_NS, roundTrip.timeOutNs(MIN_NS, MAX_NS));
    }
}
