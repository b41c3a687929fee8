// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

/**
 * Messages that arrive at a sender at fixed times, whether it is ready for them or not.
 *
 * @param size              payload bytes, at least 8.
 * @param messagesPerSecond that arrive; {@link #GREATEST} for as many as the peer takes.
 * @param durationNs        how long they arrive.
 */
public record Offer(int size, double messagesPerSecond, long durationNs)
{
    /** The next message arrives as soon as there is room for it. */
    public static final double GREATEST = 0;

    /**
     * Tells whether there is no schedule.
     *
     * @return true if messages follow one another as fast as they can.
     */
    public boolean isGreatest()
    {
        return messagesPerSecond == GREATEST;
    }
}
