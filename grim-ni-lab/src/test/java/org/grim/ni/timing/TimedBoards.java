// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two boards back to back in virtual time, with the real control program and one channel. Measures a message from the
 * sender's doorbell to the word that notifies the receiving host.
 */
public final class TimedBoards
{
    private static final long LINK_LATENCY_NS = 500;
    private static final long TIMEOUT_NS = 1_000_000_000;

    private TimedBoards()
    {
    }

    /**
     * Times of a message.
     *
     * @param latencyNs     from the doorbell to the word.
     * @param transferCount by the receiving host engine, that of the word included if it is one of its own.
     */
    public record Arrival(long latencyNs, int transferCount)
    {
    }

    /**
     * Measures a second message: with the first one the boards meet.
     *
     * @param timing        of both boards.
     * @param model         of both, 4 or 9.
     * @param arrivalMode   of both hosts.
     * @param payloadLength bytes, a multiple of 4.
     * @return what it took.
     */
    public static Arrival arrival(
        final LanaiTiming timing, final int model, final int arrivalMode, final int payloadLength)
    {
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric = new Fabric(clock, Topology.backToBack(),
            new LinkTiming(LINK_LATENCY_NS, timing.linkBytesPerSecond(), 4));
        final TimedBoard near = new TimedBoard(0, 2, model, arrivalMode, timing, clock, fabric);
        final TimedBoard far = new TimedBoard(1, 2, model, arrivalMode, timing, clock, fabric);
        measure(clock, near, far, payloadLength);               // The boards meet; the scoreboard learns of the triple.
        clock.runUntil(clock.nowNs() + TIMEOUT_NS / 10);
        return measure(clock, near, far, payloadLength);
    }

    private static Arrival measure(
        final VirtualClock clock, final TimedBoard near, final TimedBoard far, final int payloadLength)
    {
        final long startNs = clock.nowNs();
        final int startCount = far.transferCount;
        near.send(1, payloadLength);
        while (!far.reader.hasMessage())
        {
            assertTrue(clock.runNext() && clock.nowNs() - startNs < TIMEOUT_NS, "nothing arrives");
        }
        far.reader.release();
        return new Arrival(clock.nowNs() - startNs, far.transferCount - startCount);
    }
}
