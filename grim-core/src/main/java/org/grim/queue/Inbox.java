// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Typed view of a node's inbox: all its receive queues, in one piece of memory.
 * <p>Thread: any; each word has the writer that {@link InboxLayout} names.
 */
public final class Inbox
{
    /** Marks an inbox in its segment header. */
    public static final long MAGIC = SegmentHeader.magic("GRIMINBX");

    static final int STATE_OPEN = 0;
    static final int STATE_STOPPED = 1;
    static final int STATE_LEFT = 2;

    private final AtomicBuffer buffer;
    private final InboxGeometry geometry;
    private final InboxLayout layout;
    private final int node;
    private final int incarnation;

    private Inbox(final AtomicBuffer buffer, final InboxGeometry geometry)
    {
        this.buffer = buffer;
        this.geometry = geometry;
        node = buffer.getInt(InboxLayout.NODE_OFFSET);                  // Once: what is checked is what is used.
        incarnation = buffer.getInt(InboxLayout.INCARNATION_OFFSET);
        this.layout = new InboxLayout(geometry);
    }

    /**
     * Bytes that an inbox takes.
     *
     * @param geometry of the inbox.
     * @return bytes, at most 2^31 - 1.
     */
    public static int lengthOf(final InboxGeometry geometry)
    {
        return (int)new InboxLayout(geometry).length();
    }

    /**
     * Makes an inbox out of zeroed memory.
     *
     * @param buffer        of {@link #lengthOf} bytes, beginning on a cache line.
     * @param geometry      sizes.
     * @param node          whose inbox it is.
     * @param incarnation   of that node.
     * @param firstPosition where all queues start counting: 0, or near a wrap in tests; a multiple of the slot count.
     * @return the inbox, complete.
     */
    public static Inbox create(
        final AtomicBuffer buffer, final InboxGeometry geometry, final int node, final int incarnation,
        final long firstPosition)
    {
        final int[] fields = {geometry.channelCount(), geometry.exclusiveQueueCount(), geometry.sharedQueueCount(),
            geometry.slotCount(), geometry.slotLength(), geometry.ringLength(), geometry.frameCount(),
            geometry.frameLength()};
        for (int i = 0; i < fields.length; i++)
        {
            buffer.putInt(InboxLayout.GEOMETRY_OFFSET + i * SIZE_OF_INT, fields[i]);
        }
        buffer.putInt(InboxLayout.NODE_OFFSET, node);
        buffer.putInt(InboxLayout.INCARNATION_OFFSET, incarnation);
        final Inbox inbox = new Inbox(buffer, geometry);
        for (int channel = 0; channel < geometry.channelCount(); channel++)
        {
            for (int queue = 0; queue < geometry.queueCount(); queue++)
            {
                final int descriptor = inbox.layout.descriptorOffset(channel, queue);
                buffer.putLong(descriptor + InboxLayout.HEAD_OFFSET, firstPosition);
                buffer.putLong(descriptor + InboxLayout.TAIL_OFFSET, firstPosition);
            }
        }
        SegmentHeader.complete(buffer, MAGIC);
        return inbox;
    }

    /**
     * Wraps an inbox that another process made. The segment header has been checked.
     *
     * @param buffer that holds it.
     * @return the inbox.
     * @throws GrimException if its geometry is corrupt or does not fit the buffer.
     */
    public static Inbox wrap(final AtomicBuffer buffer)
    {
        final int[] fields = new int[InboxLayout.GEOMETRY_FIELD_COUNT];
        for (int i = 0; i < fields.length; i++)
        {
            fields[i] = buffer.getInt(InboxLayout.GEOMETRY_OFFSET + i * SIZE_OF_INT);
        }
        final InboxGeometry geometry = InboxGeometry.ofFields(fields);
        final int length = lengthOf(geometry);
        if (length != buffer.capacity())
        {
            throw new GrimException(BAD_DATA,
                "inbox has a corrupt geometry: it needs length=" + length + " bytes, there are " +
                buffer.capacity());
        }
        return new Inbox(buffer, geometry);
    }

    /** {@return least bytes that can be an inbox} */
    public static int lengthMin()
    {
        return InboxLayout.CHANNELS_OFFSET;
    }

    /** {@return sizes of this inbox} */
    public InboxGeometry geometry()
    {
        return geometry;
    }

    /** {@return whose inbox it is; node number} */
    public int node()
    {
        return node;
    }

    /** {@return which incarnation of the node made it; 1 or more} */
    public int incarnation()
    {
        return incarnation;
    }

    /** {@return when its receiver last did its housekeeping; ms since the epoch; 0 for never} */
    public long lastPollMs()
    {
        return buffer.getLongVolatile(InboxLayout.LAST_POLL_OFFSET);
    }

    /**
     * Returns the sender of a queue.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return a {@link QueueOwner}, 0 for nobody.
     */
    public long owner(final int channel, final int queue)
    {
        // Partner: the CAS in tryOwn(), and freeOwner() after the last head was published.
        return buffer.getLongAcquire(layout.descriptorOffset(channel, queue) + InboxLayout.OWNER_OFFSET);
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
        return state(channel, queue) == STATE_STOPPED;
    }

    /**
     * Returns whether the receiver left in order: then the head says how far it has read, and nothing behind it will
     * be.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return true from before the node's status says that it has gone.
     */
    boolean hasLeft(final int channel, final int queue)
    {
        return state(channel, queue) == STATE_LEFT;
    }

    /** Whether the queue is read: neither stopped, nor left. */
    boolean isOpen(final int channel, final int queue)
    {
        return state(channel, queue) == STATE_OPEN;
    }

    /**
     * Counts the messages that stand unread in an exclusive queue by looking at its slots: for tools, outside the paths
     * of sender and receiver.
     *
     * @param channel 0 to channel count - 1.
     * @param queue   0 to queue count - 1.
     * @return 0 to slot count; includes read ones whose room is not yet given back.
     */
    public int unreadCount(final int channel, final int queue)
    {
        final long head = headAcquire(channel, queue);
        int count = 0;
        while (count < geometry.slotCount() && isPublished(channel, queue, head + count))
        {
            count++;
        }
        return count;
    }

    /**
     * Returns whether an incarnation of a node sends through any queue; one that is gone: until all its messages were
     * read. True if a queue or an entry in a table of senders is its own.
     */
    public boolean hasSender(final int node, final int incarnation)
    {
        for (int channel = 0; channel < geometry.channelCount(); channel++)
        {
            for (int queue = 0; queue < geometry.exclusiveQueueCount(); queue++)
            {
                if (QueueOwner.is(owner(channel, queue), node, incarnation))
                {
                    return true;
                }
            }
            for (int i = 0; i < InboxLayout.SENDER_COUNT && geometry.sharedQueueCount() > 0; i++)
            {
                if (QueueOwner.is(sender(channel, i), node, incarnation))
                {
                    return true;
                }
            }
        }
        return false;
    }

    long headAcquire(final int channel, final int queue)
    {
        return buffer.getLongAcquire(layout.descriptorOffset(channel, queue) + InboxLayout.HEAD_OFFSET);
    }

    boolean tryOwn(final int channel, final int queue, final long owner)
    {
        return buffer.compareAndSetLong(layout.descriptorOffset(channel, queue) + InboxLayout.OWNER_OFFSET, 0, owner);
    }

    void announceAttach()
    {
        buffer.getAndAddInt(InboxLayout.ATTACH_OFFSET, 1);     // partner: the volatile load of the receiver's loop
    }

    void announceDetach(final int channel, final int queue)
    {
        final int index = layout.descriptorOffset(channel, queue) + InboxLayout.OWNER_OFFSET;
        buffer.putLongRelease(index, QueueOwner.detached(buffer.getLong(index)));
        announceAttach();
    }

    int attachSequence()
    {
        return buffer.getIntVolatile(InboxLayout.ATTACH_OFFSET);
    }

    long attachAddress()
    {
        return buffer.addressOffset() + InboxLayout.ATTACH_OFFSET;
    }

    void lastPollMs(final int channel, final long epochMs)
    {
        buffer.putLongRelease(layout.channelPollOffset(channel), epochMs);
        buffer.putLongRelease(InboxLayout.LAST_POLL_OFFSET, epochMs);
    }

    long channelPollMs(final int channel)
    {
        return buffer.getLongVolatile(layout.channelPollOffset(channel));
    }

    long refusedSinceMs(final int channel, final int queue)
    {
        return buffer.getLongVolatile(layout.descriptorOffset(channel, queue) + InboxLayout.REFUSED_OFFSET);
    }

    /** A sender finds no room, or 0 for room again. Tools alone read it. */
    void refusedSinceMs(final int channel, final int queue, final long epochMs)
    {
        buffer.putLongRelease(layout.descriptorOffset(channel, queue) + InboxLayout.REFUSED_OFFSET, epochMs);
    }

    void freeOwner(final int channel, final int queue)
    {
        final int descriptor = layout.descriptorOffset(channel, queue);
        buffer.putIntRelease(descriptor + InboxLayout.STATE_OFFSET, STATE_OPEN);
        buffer.putLongRelease(descriptor + InboxLayout.OWNER_OFFSET, 0);       // partner: tryOwn() of the next sender
    }

    void stop(final int channel, final int queue)
    {
        buffer.putIntVolatile(layout.descriptorOffset(channel, queue) + InboxLayout.STATE_OFFSET, STATE_STOPPED);
    }

    /** The receiver has published its last head. Partner: hasLeft(), after the node's status. */
    void leave(final int channel, final int queue)
    {
        buffer.putIntVolatile(layout.descriptorOffset(channel, queue) + InboxLayout.STATE_OFFSET, STATE_LEFT);
    }

    int asleepIndex(final int channel)
    {
        return layout.asleepOffset(channel);
    }

    /** The receiver of a channel goes to sleep on a doorbell, or wakes. Volatile: it looks at its queues afterwards. */
    void asleep(final int channel, final int bellWord)
    {
        buffer.putIntVolatile(layout.asleepOffset(channel), bellWord);
    }

    /** Rings the bell: of all senders that find the receiver asleep one takes it. */
    void wake(final int asleepIndex, final SenderHost host)
    {
        final int bellWord = buffer.getIntVolatile(asleepIndex);
        if (bellWord != 0 && buffer.compareAndSetInt(asleepIndex, bellWord, 0))
        {
            host.ring(bellWord - 1);
        }
    }

    /** The sender of a shared queue: a {@link QueueOwner}, or 0. */
    long sender(final int channel, final int sender)
    {
        return buffer.getLongVolatile(layout.senderOffset(channel, sender));
    }

    boolean trySender(final int channel, final int sender, final long owner)
    {
        return buffer.compareAndSetLong(layout.senderOffset(channel, sender), 0, owner);
    }

    void sender(final int channel, final int sender, final long owner)
    {
        buffer.putLongRelease(layout.senderOffset(channel, sender), owner);
    }

    /** The owner of a frame: {@link #frameOwnerOf}, or 0. */
    int frameOwner(final int frame)
    {
        return buffer.getIntVolatile(layout.frameOwnerOffset(frame));
    }

    boolean tryFrame(final int frame, final int owner)
    {
        return buffer.compareAndSetInt(layout.frameOwnerOffset(frame), 0, owner);
    }

    void freeFrame(final int frame)
    {
        buffer.putIntRelease(layout.frameOwnerOffset(frame), 0);       // partner: the CAS in tryFrame()
    }

    int nextFrame()
    {
        final int cursor = buffer.getAndAddInt(InboxLayout.FRAME_CURSOR_OFFSET, 1);
        return (cursor & Integer.MAX_VALUE) % geometry.frameCount();
    }

    int frameOffset(final int frame)
    {
        return layout.frameOffset(frame);
    }

    /** Returns the owner word of a frame that a sender of a channel holds. */
    static int frameOwnerOf(final int channel, final int sender)
    {
        return (channel * InboxLayout.SENDER_COUNT + sender) + 1;
    }

    int tailIndex(final int channel, final int queue)
    {
        return layout.descriptorOffset(channel, queue) + InboxLayout.TAIL_OFFSET;
    }

    AtomicBuffer buffer()
    {
        return buffer;
    }

    int ringHeadIndex(final int channel, final int queue)
    {
        return layout.descriptorOffset(channel, queue) + InboxLayout.RING_HEAD_OFFSET;
    }

    int headIndex(final int channel, final int queue)
    {
        return layout.descriptorOffset(channel, queue) + InboxLayout.HEAD_OFFSET;
    }

    int slotsOffset(final int channel, final int queue)
    {
        return layout.slotsOffset(channel, queue);
    }

    int ringIndex(final int channel, final int queue)
    {
        return layout.ringOffset(channel, queue);
    }

    private int state(final int channel, final int queue)
    {
        return buffer.getIntVolatile(layout.descriptorOffset(channel, queue) + InboxLayout.STATE_OFFSET);
    }

    private boolean isPublished(final int channel, final int queue, final long position)
    {
        final int slot = (int)(position & geometry.slotCount() - 1);
        final int shift = Integer.numberOfTrailingZeros(geometry.slotCount());
        return buffer.getIntAcquire(layout.slotsOffset(channel, queue) + slot * geometry.slotLength()) ==
            SlotState.published(position, shift);
    }
}
