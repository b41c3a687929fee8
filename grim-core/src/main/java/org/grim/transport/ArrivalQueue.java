// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * One queue of arriving messages, as the message loop sees it: a word to look at, and what to do when it has changed.
 * <p>Thread: the loop that polls it.
 */
public interface ArrivalQueue
{
    /**
     * Where the next message will show.
     *
     * @return address of an aligned 32-bit word outside the heap, mapped until the queue is removed from the loop.
     */
    long notificationAddress();

    /**
     * What that word holds while nothing has come, in the machine's byte order.
     *
     * @return the value that means "nothing yet".
     */
    int notificationIdle();

    /**
     * Hands over what has arrived. Both values above may differ afterwards: the loop asks again.
     *
     * @param sink  that takes the messages.
     * @param limit most messages to hand over.
     * @return messages handed over or refused; 0 if the word changed for another reason.
     */
    int drain(MessageSink sink, int limit);

    /**
     * Gives freed room back to senders although it is less than a batch. The loop calls it now and then, and when idle.
     */
    void release();

    /** {@return logical channel whose weight says how much is drained at a time; 0 to 255} */
    int channel();

    /** {@return node at the other end: its number, or -1 if the queue has several senders or is for control} */
    int sourceNode();
}
