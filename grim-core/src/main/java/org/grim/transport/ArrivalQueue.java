// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * One queue of arriving messages, as the message loop sees it: a word to look at, and what to do when it has changed.
 * <p>Thread: the loop that polls it.
 */
public abstract class ArrivalQueue
{
    private final int channel;
    private final int sourceNode;
    private long notificationAddress;
    private int notificationIdle;

    /**
     * A queue that expects nothing yet: {@link #expect} comes before it is added to a loop.
     *
     * @param channel    whose weight says how much is drained at a time; 0 to 255.
     * @param sourceNode at the other end: its number, or -1 if the queue has several senders or is for control.
     */
    protected ArrivalQueue(final int channel, final int sourceNode)
    {
        this.channel = channel;
        this.sourceNode = sourceNode;
    }

    /**
     * Says where the next message will show, and what stands there until then. To be called before {@link #drain}
     * returns whenever one of the two has changed: the loop looks at the new word from then on.
     *
     * @param address of an aligned 32-bit word outside the heap, mapped until the queue is removed from the loop.
     * @param idle    the value that means "nothing yet", in the machine's byte order.
     */
    protected final void expect(final long address, final int idle)
    {
        notificationAddress = address;
        notificationIdle = idle;
    }

    /** {@return where the next message will show, as an address} */
    public final long notificationAddress()
    {
        return notificationAddress;
    }

    /** {@return what that word holds while nothing has come} */
    public final int notificationIdle()
    {
        return notificationIdle;
    }

    /** {@return logical channel whose weight says how much is drained at a time; 0 to 255} */
    public final int channel()
    {
        return channel;
    }

    /** {@return node at the other end: its number, or -1 if the queue has several senders or is for control} */
    public final int sourceNode()
    {
        return sourceNode;
    }

    /**
     * Hands over what has arrived, up to a message after which the sink says {@link MessageSink#isLastOfPoll}.
     *
     * @param sink  that takes the messages.
     * @param limit most messages to hand over.
     * @return messages handed over or refused; 0 if the word changed for another reason.
     */
    public abstract int drain(MessageSink sink, int limit);

    /**
     * Gives freed room back to senders although it is less than a batch. The loop calls it now and then, and when idle.
     * Queues whose room goes back at once leave it as it is.
     */
    public void release()
    {
        // Nothing is kept.
    }
}
