// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import org.HdrHistogram.Histogram;
import org.grim.tools.process.BoundedSpin;

/**
 * One peer in one process, with the measuring code. Implemented in a class loader of its own; see {@link SideLoader}.
 * <p>Thread: the measuring one.
 */
public interface Side extends AutoCloseable
{
    /**
     * Messages that arrive at a sender at fixed times, whether it is ready for them or not.
     *
     * @param size              payload bytes, at least 8.
     * @param messagesPerSecond that arrive; {@link #MAXIMUM} for as many as the peer takes.
     * @param durationNs        how long they arrive.
     */
    record Offer(int size, double messagesPerSecond, long durationNs)
    {
        /** The next message arrives as soon as there is room for it. */
        public static final double MAXIMUM = 0;

        /** {@return whether there is no schedule; true if messages follow one another as fast as they can} */
        public boolean isMaximum()
        {
            return messagesPerSecond == MAXIMUM;
        }
    }

    /**
     * The outcome of an {@link Offer}.
     *
     * @param times     from the moment when a message was to be sent until its echo was there, in ns. The moment is
     *                  that of the schedule, also where the sender was late.
     * @param perSecond echoes.
     * @param lateShare messages that left much later than planned, 0 to 1: peer or machine held the sender up.
     * @param isKept    whether the sender sent all that was planned, about in time.
     */
    record OfferedLoad(Histogram times, double perSecond, double lateShare, boolean isKept)
    {
    }

    /** Finds the other side. The other process keeps calling {@link #idle()} meanwhile. */
    default void connect()
    {
        // Nobody is there before something is measured.
    }

    /** Does what keeps the connection alive while others are measured. */
    default void idle()
    {
        // Nothing to keep alive.
    }

    /**
     * First process: measures. The other process is in {@link #respond} by then.
     *
     * @param cell       what.
     * @param durationNs how long.
     * @param control    between both processes.
     * @param spin       for the waits.
     * @return the figure in the benchmark's unit.
     * @throws org.grim.GrimException if not everything arrived as it was sent.
     */
    double measure(Cell cell, long durationNs, ControlBlock control, BoundedSpin spin);

    /**
     * First process: sends when the offer says so, and takes the echoes. The other process is in {@link #respond} by
     * then.
     *
     * @param offer   what and when.
     * @param control between both processes.
     * @param spin    for the waits.
     * @return what became of it.
     * @throws IllegalStateException if this side has no open loop.
     */
    default OfferedLoad offer(final Offer offer, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("there is no open loop");
    }

    /** Second process: receives, and replies where the cell says so, until all that was sent has come. */
    default void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("the second process has no part in it");
    }

    /** {@return messages that the first process sent, and that arrived: the count; all were verified to have come} */
    long deliveredCount();

    /** {@return bytes that the measuring thread of the first process allocated for a message: median of its rates} */
    default double allocatedLength()
    {
        return 0;
    }

    /**
     * Times of the last latency that was measured, one by one.
     *
     * @return round trips, or whole reads, in ns; overwritten by the next measurement.
     * @throws IllegalStateException if this side does not keep them.
     */
    default Histogram times()
    {
        throw new IllegalStateException("single times are not kept");
    }

    @Override
    default void close()
    {
        // Nothing is left between figures.
    }
}
