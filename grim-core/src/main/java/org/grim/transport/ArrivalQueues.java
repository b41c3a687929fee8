// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * The queues that one message loop polls. Transports add and remove theirs.
 * <p>Thread: the loop's only.
 */
public interface ArrivalQueues
{
    /**
     * Begins to poll a queue.
     *
     * @param queue not polled yet.
     */
    void add(ArrivalQueue queue);

    /**
     * Ends polling a queue. Its notification word may be unmapped afterwards.
     *
     * @param queue that was added.
     */
    void remove(ArrivalQueue queue);
}
