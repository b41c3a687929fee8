// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe;

/**
 * A queue that stands still, or flows, and why.
 *
 * @param receiver whose it is.
 * @param queue    as it is now.
 * @param cause    the nearest one: what the receiver or the sender at the head does.
 * @param stuckMs  how long it has been standing still, as far as that is known.
 */
record StuckQueue(ClusterSample.Node receiver, ClusterSample.Queue queue, WhyCause cause, long stuckMs)
{
    boolean isWaiting()
    {
        return cause != WhyCause.FLOWS;
    }

    /** Tells whether a sender wanted to send through it and could not. */
    boolean refuses()
    {
        return queue.refusedSinceMs() != 0;
    }
}
