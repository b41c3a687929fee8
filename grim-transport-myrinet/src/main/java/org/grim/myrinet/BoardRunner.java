// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.transport.ArrivalQueues;

/**
 * Runner of the board that a process uses.
 * <p>Thread: any, unless a method says otherwise.
 */
interface BoardRunner extends AutoCloseable
{
    /** A message was published: the board must learn of it. */
    void onPublished();

    /**
     * Does some of the board's work while this thread waits for a transfer. Returns the number of pieces of work done;
     * 0 if another thread does it.
     */
    int step();

    /** Lets the board advance while this thread waits for it. */
    void advance();

    /**
     * Begins to have a channel polled by a loop, and the board advanced, if that is how it runs.
     *
     * @param queues   of the loop; its thread calls, here and below.
     * @param arrivals of the channel, which are added to them.
     */
    void attach(ArrivalQueues queues, ChannelArrivals arrivals);

    /** Does the slow work of a loop. Returns the number of pieces of work done. */
    int housekeep(ArrivalQueues queues);

    /**
     * The loop that polls a channel is about to sleep, or wakes.
     *
     * @param channel of this node.
     * @param bell    number of the doorbell, or -1 for awake.
     */
    void asleep(int channel, int bell);

    @Override
    void close();
}
