// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.align;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Where everything lies in an inbox. Native byte order except for messages. Offsets in bytes from the inbox's first
 * byte.
 * <pre>
 *  +----------------+ 0
 *  | segment header |                      creator writes, all read
 *  | geometry       |                      creator writes, all read
 *  | attach         |                      senders add, receiver reads
 *  | last poll      |                      receiver writes, tools read
 *  | frame cursor   |                      senders of shared queues add
 *  +----------------+ CHANNELS_OFFSET
 *  | asleep         |  channel by channel, a line: receiver sets, senders read and clear by CAS
 *  | channel poll   |  and a line: receiver writes, tools read
 *  +----------------+
 *  | descriptors    |  channel by channel, queue by queue: owner line, head line, tail line
 *  +----------------+
 *  | slots          |  queue by queue
 *  +----------------+
 *  | rings          |  one per exclusive queue: payloads that do not fit a slot
 *  +----------------+
 *  | senders        |  of the shared queues, channel by channel: 0, or a QueueOwner; senders CAS, receiver clears
 *  | frame owners   |  free list of the shared queues: 0, or the sender; senders CAS, receiver clears
 *  | frames         |
 *  +----------------+
 * </pre>
 */
final class InboxLayout
{
    static final int GEOMETRY_OFFSET = SegmentHeader.LENGTH;                         // 8 x u32
    static final int GEOMETRY_FIELD_COUNT = 8;
    static final int NODE_OFFSET = GEOMETRY_OFFSET + SIZE_OF_INT * GEOMETRY_FIELD_COUNT;     // u32, creator
    static final int INCARNATION_OFFSET = NODE_OFFSET + SIZE_OF_INT;                 // u32, creator
    static final int ATTACH_OFFSET = GEOMETRY_OFFSET + CACHE_LINE_LENGTH;            // u32, senders get-and-add
    static final int LAST_POLL_OFFSET = ATTACH_OFFSET + CACHE_LINE_LENGTH;           // u64 ms since the epoch, receiver
    static final int FRAME_CURSOR_OFFSET = LAST_POLL_OFFSET + CACHE_LINE_LENGTH;     // u32, senders get-and-add
    static final int CHANNELS_OFFSET = FRAME_CURSOR_OFFSET + CACHE_LINE_LENGTH;

    static final int ASLEEP_OFFSET = 0;                                              // u32: 0, or doorbell + 1
    static final int CHANNEL_POLL_OFFSET = ASLEEP_OFFSET + CACHE_LINE_LENGTH;        // u64 ms since the epoch, receiver
    static final int CHANNEL_LENGTH = CHANNEL_POLL_OFFSET + CACHE_LINE_LENGTH;

    static final int OWNER_OFFSET = 0;                                               // u64, sender CAS, receiver clears
    static final int REFUSED_OFFSET = OWNER_OFFSET + SIZE_OF_LONG;                   // u64 ms, senders: since when; 0
    static final int HEAD_OFFSET = OWNER_OFFSET + CACHE_LINE_LENGTH;                 // u64 position, receiver
    static final int STATE_OFFSET = HEAD_OFFSET + SIZE_OF_LONG;                      // u32, receiver; see Inbox
    static final int RING_HEAD_OFFSET = STATE_OFFSET + SIZE_OF_LONG;                 // u64 position, receiver
    static final int TAIL_OFFSET = HEAD_OFFSET + CACHE_LINE_LENGTH;                  // u64 position, shared senders
    static final int DESCRIPTOR_LENGTH = TAIL_OFFSET + CACHE_LINE_LENGTH;

    /** Senders that the shared queues of one channel can have. */
    static final int SENDER_COUNT = 256;

    private final int queuesOffset;
    private final int slotsOffset;
    private final long ringsOffset;
    private final long sendersOffset;
    private final long frameOwnersOffset;
    private final long framesOffset;
    private final long length;
    private final int queueLength;
    private final int exclusiveQueueCount;
    private final int queueCount;
    private final int ringLength;
    private final int frameLength;

    InboxLayout(final InboxGeometry geometry)
    {
        exclusiveQueueCount = geometry.exclusiveQueueCount();
        queueCount = geometry.queueCount();
        ringLength = geometry.ringLength();
        frameLength = geometry.frameLength();
        // One line more than the slots: else the words that a loop polls would share a few sets of its first-level
        // cache.
        queueLength = geometry.slotCount() * geometry.slotLength() + CACHE_LINE_LENGTH;
        final int allQueueCount = geometry.channelCount() * queueCount;
        queuesOffset = CHANNELS_OFFSET + geometry.channelCount() * CHANNEL_LENGTH;
        slotsOffset = queuesOffset + allQueueCount * DESCRIPTOR_LENGTH;
        ringsOffset = slotsOffset + (long)allQueueCount * queueLength;
        sendersOffset = ringsOffset + (long)geometry.channelCount() * exclusiveQueueCount * ringLength;
        final int senderCount = geometry.sharedQueueCount() == 0 ? 0 : geometry.channelCount() * SENDER_COUNT;
        frameOwnersOffset = sendersOffset + (long)senderCount * SIZE_OF_LONG;
        framesOffset = frameOwnersOffset + align(geometry.frameCount() * SIZE_OF_INT, CACHE_LINE_LENGTH);
        length = framesOffset + (long)geometry.frameCount() * geometry.frameLength();
    }

    long length()
    {
        return length;
    }

    int asleepOffset(final int channel)
    {
        return CHANNELS_OFFSET + channel * CHANNEL_LENGTH + ASLEEP_OFFSET;
    }

    int channelPollOffset(final int channel)
    {
        return CHANNELS_OFFSET + channel * CHANNEL_LENGTH + CHANNEL_POLL_OFFSET;
    }

    int descriptorOffset(final int channel, final int queue)
    {
        return queuesOffset + (channel * queueCount + queue) * DESCRIPTOR_LENGTH;
    }

    int slotsOffset(final int channel, final int queue)
    {
        return slotsOffset + (channel * queueCount + queue) * queueLength;
    }

    int ringOffset(final int channel, final int exclusiveQueue)
    {
        return (int)ringsOffset + (channel * exclusiveQueueCount + exclusiveQueue) * ringLength;
    }

    int senderOffset(final int channel, final int sender)
    {
        return (int)sendersOffset + (channel * SENDER_COUNT + sender) * SIZE_OF_LONG;
    }

    int frameOwnerOffset(final int frame)
    {
        return (int)frameOwnersOffset + frame * SIZE_OF_INT;
    }

    int frameOffset(final int frame)
    {
        return (int)framesOffset + frame * frameLength;
    }
}
