// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

/**
 * An inbox as a tool sees it that maps the file read-only, of a living or a dead process. It reads more than sender and
 * receiver would, and trusts nothing: with any content no query leaves the memory or throws.
 * <p>Thread: any. Readings are not simultaneous.
 */
public final class InboxView
{
    private final Inbox inbox;
    private final InboxGeometry geometry;
    private final int slotShift;

    /**
     * State of a queue's slots, from its published head on.
     *
     * @param head           position of the next message to read; read messages whose room was not given back follow.
     * @param publishedCount slots from the head on that hold a message of this lap.
     * @param firstClaim     slots from the head to the first that was claimed and not published; -1 for none.
     * @param claimant       entry of the table of senders that claimed it; -1 for none.
     */
    public record Slots(long head, int publishedCount, int firstClaim, int claimant)
    {
    }

    /**
     * Looks at an inbox.
     *
     * @param inbox wrapped, with its geometry checked.
     */
    public InboxView(final Inbox inbox)
    {
        this.inbox = inbox;
        geometry = inbox.geometry();
        slotShift = Integer.numberOfTrailingZeros(geometry.slotCount());
    }

    /** {@return sizes of the inbox} */
    public InboxGeometry geometry()
    {
        return geometry;
    }

    /**
     * When the receiver of a channel last did its housekeeping.
     *
     * @param channel 0 to channel count - 1.
     * @return ms since the epoch; 0 if it never was polled.
     */
    public long lastPollMs(final int channel)
    {
        return inbox.channelPollMs(channel);
    }

    /**
     * Returns whether the receiver of a channel sleeps on its doorbell.
     *
     * @param channel 0 to channel count - 1.
     * @return true until it wakes or a sender takes the bell.
     */
    public boolean isAsleep(final int channel)
    {
        return inbox.buffer().getIntVolatile(inbox.asleepIndex(channel)) != 0;
    }

    /**
     * Since when a queue has had no room for a sender that asked.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return ms since the epoch; 0 if the last one that was refused found room since. Stays if it never asked again.
     */
    public long refusedSinceMs(final int channel, final int queue)
    {
        return inbox.refusedSinceMs(channel, queue);
    }

    /**
     * Returns whether the receiver stopped a queue after corrupt bytes.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return true if nothing of it is read any more.
     */
    public boolean isStopped(final int channel, final int queue)
    {
        return inbox.isStopped(channel, queue);
    }

    /**
     * Returns the sender of an exclusive queue.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to exclusive queue count - 1.
     * @return a {@link QueueOwner}, to be checked; 0 for nobody.
     */
    public long owner(final int channel, final int queue)
    {
        return inbox.owner(channel, queue);
    }

    /** {@return entries of the table of senders of each channel's shared queues: the count; 0 without shared queues} */
    public int senderCount()
    {
        return geometry.sharedQueueCount() == 0 ? 0 : InboxLayout.SENDER_COUNT;
    }

    /**
     * Returns the senders of a channel's shared queues.
     *
     * @param channel 0 to channel count - 1.
     * @param sender  0 to sender count - 1.
     * @return a {@link QueueOwner}, to be checked; 0 for nobody.
     */
    public long sender(final int channel, final int sender)
    {
        return inbox.sender(channel, sender);
    }

    /**
     * The shared queue that an entry of the table of senders uses.
     *
     * @param sender 0 to sender count - 1.
     * @return its number within the channel.
     */
    public int queueOfSender(final int sender)
    {
        return geometry.exclusiveQueueCount() + sender % geometry.sharedQueueCount();
    }

    /**
     * Messages of a queue that stand unread before its senders find it full.
     *
     * @param queue 0 to queue count - 1.
     * @return the count: all slots of an exclusive queue, those of a shared one that are not kept free for open claims.
     */
    public int roomOf(final int queue)
    {
        return queue < geometry.exclusiveQueueCount() ?
            geometry.slotCount() : geometry.slotCount() - geometry.sharedSenderCountMax();
    }

    /**
     * Returns the content of a queue.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return as it is now.
     */
    public Slots slots(final int channel, final int queue)
    {
        final long head = inbox.headAcquire(channel, queue);
        final int slotsOffset = inbox.slotsOffset(channel, queue);
        int publishedCount = 0;
        int firstClaim = -1;
        int claimant = -1;
        for (int i = 0; i < geometry.slotCount(); i++)
        {
            final long position = head + i;
            final int slot = (int)position & geometry.slotCount() - 1;
            final int state = inbox.buffer().getIntVolatile(slotsOffset + slot * geometry.slotLength());
            if (state == SlotState.published(position, slotShift))
            {
                publishedCount++;
            }
            else if (firstClaim < 0 && SlotState.isClaimed(state) &&
                SlotState.isOfLap(state, SlotState.lap(position, slotShift)))
            {
                firstClaim = i;
                claimant = SlotState.sender(state) < senderCount() ? SlotState.sender(state) : -1;
            }
        }
        return new Slots(head, publishedCount, firstClaim, claimant);
    }

    /**
     * Returns the holder of a frame of the free list.
     *
     * @param frame 0 to frame count - 1.
     * @return a {@link QueueOwner}, to be checked; 0 if the frame is free, or its holder is no sender any more.
     */
    public long holderOfFrame(final int frame)
    {
        final int holder = inbox.frameOwner(frame) - 1;
        final int channel = holder / InboxLayout.SENDER_COUNT;
        return holder < 0 || channel >= geometry.channelCount() || senderCount() == 0 ?
            0 : inbox.sender(channel, holder % InboxLayout.SENDER_COUNT);
    }

    /**
     * Returns whether a frame of the free list is in use.
     *
     * @param frame 0 to frame count - 1.
     * @return false if a sender can take it.
     */
    public boolean isFrameUsed(final int frame)
    {
        return inbox.frameOwner(frame) != 0;
    }
}
