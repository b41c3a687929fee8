// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.BitUtil;
import org.grim.GrimException;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.grim.transport.TransportKeys;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;
import static org.grim.transport.Key.Unit.BYTES;

/**
 * Sizes of one inbox. Immutable; checked when made, so that an inbox's offsets cannot lie outside it. Everything except
 * the channel, queue and frame counts is a power of two.
 */
public final class InboxGeometry
{
    /** Most receive queues of one channel. */
    public static final int QUEUE_COUNT_MAX = 64;

    private static final String KEY_SHARED = "queue.shared";
    private static final int CHANNEL_COUNT_MAX = 256;
    private static final int SLOT_COUNT_MIN = 4;
    private static final int SLOT_COUNT_MAX = 1 << 16;
    private static final int SLOT_LENGTH_MIN = 64;
    private static final int SLOT_LENGTH_MAX = 256;
    private static final int RING_LENGTH_MIN = 1 << 10;
    private static final int RING_LENGTH_MAX = 1 << 26;
    private static final int FRAME_COUNT_MAX = 1 << 16;
    private static final int FRAME_LENGTH_MAX = 1 << 17;

    private final int channelCount;
    private final int exclusiveQueueCount;
    private final int sharedQueueCount;
    private final int slotCount;
    private final int slotLength;
    private final int ringLength;
    private final int frameCount;
    private final int frameLength;

    /**
     * Checks and keeps the sizes.
     *
     * @param channelCount        logical channels, 1 to 256.
     * @param exclusiveQueueCount receive queues with one sender each, per channel.
     * @param sharedQueueCount    receive queues with several senders, per channel; 0 for none.
     * @param slotCount           messages that a queue holds, 4 to 65,536.
     * @param slotLength          bytes of a slot, 64 to 256.
     * @param ringLength          bytes for payloads that do not fit a slot, per exclusive queue, 1 KiB to 64 MiB.
     * @param frameCount          frames in the free list that shared queues use; 0 without shared queues.
     * @param frameLength         bytes of a frame, up to 128 KiB; 0 without shared queues.
     * @throws IllegalArgumentException naming the size and its range.
     */
    public InboxGeometry(
        final int channelCount, final int exclusiveQueueCount, final int sharedQueueCount, final int slotCount,
        final int slotLength, final int ringLength, final int frameCount, final int frameLength)
    {
        this.channelCount = inRange("channels", channelCount, 1, CHANNEL_COUNT_MAX);
        this.exclusiveQueueCount = inRange("exclusive queues", exclusiveQueueCount, 0, QUEUE_COUNT_MAX);
        this.sharedQueueCount = inRange("shared queues", sharedQueueCount, 0, QUEUE_COUNT_MAX - exclusiveQueueCount);
        inRange("queues per channel", queueCount(), 1, QUEUE_COUNT_MAX);
        this.slotCount = powerOfTwo("slot-count", inRange("slot-count", slotCount, SLOT_COUNT_MIN, SLOT_COUNT_MAX));
        this.slotLength =
            powerOfTwo("slot-length", inRange("slot-length", slotLength, SLOT_LENGTH_MIN, SLOT_LENGTH_MAX));
        this.ringLength =
            powerOfTwo("ring-length", inRange("ring-length", ringLength, RING_LENGTH_MIN, RING_LENGTH_MAX));
        final int frameMin = sharedQueueCount == 0 ? 0 : 1;
        this.frameCount = inRange("frame-count", frameCount, frameMin, FRAME_COUNT_MAX);
        this.frameLength = inRange("frame-length", frameLength, frameMin * slotLength, FRAME_LENGTH_MAX);
        if (frameLength % CACHE_LINE_LENGTH != 0)
        {
            throw new IllegalArgumentException("frame-length=" + frameLength + " is not a multiple of " +
                CACHE_LINE_LENGTH);
        }
        final InboxLayout layout = new InboxLayout(this);
        if (layout.length() > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("inbox length=" + layout.length() + " bytes exceeds max=" +
                Integer.MAX_VALUE + ": lower the counts or lengths under grim.queue");
        }
    }

    /**
     * Reads the sizes that a node is configured with.
     *
     * @param settings of the node.
     * @return the sizes.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public static InboxGeometry of(final Settings settings)
    {
        final QueueKeys keys = Keys.read(settings, QueueKeys.class);
        final int exclusiveCount = keys.exclusiveCount;
        final int sharedCount =
            exclusiveCount == 0 ? settings.integer(KEY_SHARED, 1, QUEUE_COUNT_MAX) : keys.sharedCount;
        return new InboxGeometry(Keys.read(settings, TransportKeys.class).channelCount(), exclusiveCount, sharedCount,
            keys.slotCount, keys.slotLength, keys.ringLength, sharedCount == 0 ? 0 : keys.frameCount,
            sharedCount == 0 ? 0 : keys.frameLength);
    }

    private record QueueKeys(
        @Key(value = "queue.exclusive", initial = "4", max = QUEUE_COUNT_MAX,
            text = "Receive queues of each channel for one sender each: the first senders get them, and need no " +
            "atomic operation per message.")
        int exclusiveCount,
        @Key(value = KEY_SHARED, initial = "1", max = QUEUE_COUNT_MAX, maxLessKey = "queue.exclusive",
            text = "Receive queues of each channel that later senders share: up to 256 senders, and at most half of " +
            "`slot-count`. Both kinds together 1 to 64. 0: later senders are refused.")
        int sharedCount,
        @Key(value = "queue.slot-count", initial = "4096", min = SLOT_COUNT_MIN, max = SLOT_COUNT_MAX,
            isPowerOfTwo = true, text = "Messages that a queue holds.")
        int slotCount,
        @Key(value = "queue.slot-length", initial = "64", unit = BYTES, min = SLOT_LENGTH_MIN, max = SLOT_LENGTH_MAX,
            isPowerOfTwo = true,
            text = "Bytes of a slot. A payload of up to 32 bytes less is stored inside the slot.")
        int slotLength,
        @Key(value = "queue.ring-length", initial = "1MiB", unit = BYTES, min = RING_LENGTH_MIN, max = RING_LENGTH_MAX,
            isPowerOfTwo = true,
            text = "Bytes for larger payloads, per queue. A payload takes at most 7/16 of it, and at most 65504 " +
            "bytes.")
        int ringLength,
        @Key(value = "queue.frame-count", initial = "32", min = 1, max = FRAME_COUNT_MAX,
            text = "Frames for larger payloads of shared queues, of all channels together.")
        int frameCount,
        @Key(value = "queue.frame-length", initial = "65536", unit = BYTES, minKey = "queue.slot-length",
            max = FRAME_LENGTH_MAX, multipleOf = CACHE_LINE_LENGTH,
            text = "Bytes of a frame. A message of a shared queue carries 32 bytes less, at most 65504.")
        int frameLength)
    {
    }

    /** {@return logical channels; 1 to 256} */
    public int channelCount()
    {
        return channelCount;
    }

    /** {@return exclusive queues per channel; 0 to {@value #QUEUE_COUNT_MAX}} */
    public int exclusiveQueueCount()
    {
        return exclusiveQueueCount;
    }

    /** {@return shared queues per channel; 0 to {@value #QUEUE_COUNT_MAX}} */
    public int sharedQueueCount()
    {
        return sharedQueueCount;
    }

    /** {@return queues per channel, of both kinds; 1 to {@value #QUEUE_COUNT_MAX}} */
    public int queueCount()
    {
        return exclusiveQueueCount + sharedQueueCount;
    }

    /** {@return messages that a queue holds: a power of two} */
    public int slotCount()
    {
        return slotCount;
    }

    /** {@return bytes of a slot: a power of two} */
    public int slotLength()
    {
        return slotLength;
    }

    /** {@return bytes for the larger payloads of one exclusive queue: a power of two} */
    public int ringLength()
    {
        return ringLength;
    }

    /** {@return frames in the free list; 0 without shared queues} */
    public int frameCount()
    {
        return frameCount;
    }

    /** {@return bytes of a frame; 0 without shared queues} */
    public int frameLength()
    {
        return frameLength;
    }

    /** {@return payload bytes that ride inside a slot; slot less header} */
    public int inlineLength()
    {
        return slotLength - MessageHeader.LENGTH;
    }

    /**
     * Most payload bytes of one message of an exclusive queue. A payload lies in one piece, so an empty ring must hold
     * it behind a gap of almost its own length at the ring's end, while the receiver still keeps back an eighth.
     *
     * @return bytes, at most the MTU.
     */
    public int payloadLengthMax()
    {
        return Math.min(MessageHeader.PAYLOAD_LENGTH_MAX, ringLength / 16 * 7 / 64 * 64);
    }

    /**
     * Most payload bytes of one message of a shared queue: a frame holds header and payload.
     *
     * @return bytes, at most the MTU.
     */
    public int framePayloadLengthMax()
    {
        return Math.max(inlineLength(), Math.min(MessageHeader.PAYLOAD_LENGTH_MAX, frameLength - MessageHeader.LENGTH));
    }

    /**
     * Most senders that share the queues of one channel: half the slots, so that each may have a claim open while the
     * other half carries messages.
     *
     * @return 2 to 256.
     */
    public int sharedSenderCountMax()
    {
        return Math.min(InboxLayout.SENDER_COUNT, slotCount / 2);
    }

    private static int inRange(final String what, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(what + "=" + value + " is outside " + min + " to " + max);
        }
        return value;
    }

    private static int powerOfTwo(final String what, final int value)
    {
        if (!BitUtil.isPowerOfTwo(value))
        {
            throw new IllegalArgumentException(what + "=" + value + " is not a power of two");
        }
        return value;
    }

    /**
     * Makes sizes out of what a file says, where a bad size is the file's fault.
     *
     * @param fields in the order of the constructor.
     * @return the sizes.
     * @throws GrimException naming what is out of range.
     */
    static InboxGeometry ofFields(final int... fields)
    {
        try
        {
            return new InboxGeometry(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6],
                fields[7]);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new GrimException(BAD_DATA, "inbox has a corrupt geometry: " + ex.getMessage(), ex);
        }
    }
}
