// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import org.HdrHistogram.Histogram;
import org.grim.bench.process.BoundedSpin;

/**
 * One peer in one process, with the measuring code. Implemented in a class loader of its own; see {@link SideLoader}.
 * <p>Thread: the measuring one.
 */
public interface Side extends AutoCloseable
{
    /** Finds the other side. The other process keeps calling {@link #idle()} meanwhile. */
    void connect();

    /** Does what keeps the connection alive while others are measured. */
    void idle();

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
     * Second process: receives, and replies where the cell says so, until all that was sent has come.
     *
     * @param cell    what.
     * @param control between both processes.
     * @param spin    for the waits.
     */
    void respond(Cell cell, ControlBlock control, BoundedSpin spin);

    /**
     * Messages that the first process sent, and that arrived.
     *
     * @return the count; all were verified to have come.
     */
    long deliveredCount();

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
    void close();
}
