// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteRead;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;
import org.grim.transport.RemoteLink;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * What both sides of a ping-pong through remote memory have: a region, laid out alike, and the way to the other one's.
 * <pre>
 *  +---------------------------+ WORD_OFFSET    u32 notification word, the other side writes, this side reads
 *  | word | payload that fits  |
 *  +---------------------------+ SPARE_OFFSET   for a notification without a payload, nobody reads it
 *  | spare                     |
 *  +---------------------------+ DATA_OFFSET    the other side writes, this side reads
 *  | payload                   |
 *  +---------------------------+
 * </pre>
 * <p>Thread: one, which polls. Owns: the region, until the node leaves. Allocates nothing once it is connected.
 */
final class MemorySide
{
    static final int DATA_OFFSET = Buffers.CACHE_LINE_LENGTH * 4;
    /** Bytes of both addresses of a region, as they go to the other side. */
    static final int ADDRESSES_LENGTH = SIZE_OF_LONG * 2;

    private static final int WORD_OFFSET = 0;
    private static final int LINE_DATA_OFFSET = WORD_OFFSET + SIZE_OF_LONG;
    private static final int LINE_DATA_LENGTH_MAX = Buffers.CACHE_LINE_LENGTH - LINE_DATA_OFFSET;
    private static final int SPARE_OFFSET = Buffers.CACHE_LINE_LENGTH * 2;
    private static final int SPARE_LENGTH = SIZE_OF_LONG;
    private static final int SLOTS_LENGTH = 1 << 20;
    private static final int POLL_MASK = (1 << 10) - 1;

    private final Grim grim;
    private final BoundedSpin spin;
    private final boolean isStepped;
    private final AtomicBuffer spare = Buffers.allocate(SPARE_LENGTH);
    private MemoryRegion region;
    private AtomicBuffer buffer;
    private RemoteLink link;
    private long virtualAddress;
    private long physicalAddress;
    private RemoteRefusal refusal;
    private int passCount;

    /**
     * A side without memory yet.
     *
     * @param isStepped whether operations move only while this thread polls.
     */
    MemorySide(final Grim grim, final BoundedSpin spin, final boolean isStepped)
    {
        this.grim = grim;
        this.spin = spin;
        this.isStepped = isStepped;
        grim.memory().onRefused((destination, address, length, reason) -> refusal = reason);
    }

    /** Registers a region; with {@code sizeMax} the same on both sides. */
    void open(final int sizeMax)
    {
        region = grim.memory().register(regionLength(sizeMax));
        buffer = region.buffer();
    }

    /** Bytes that {@link #open} registers. */
    static long regionLength(final int sizeMax)
    {
        return (long)DATA_OFFSET + Math.max(sizeMax, SLOTS_LENGTH) + Pattern.WINDOWS_LENGTH;
    }

    /** Writes where it is, for the other side. */
    void describe(final AtomicBuffer addresses)
    {
        addresses.putLong(0, region.virtualAddress());
        addresses.putLong(SIZE_OF_LONG, region.physicalAddress());
    }

    /** Finds the other side, which has {@linkplain #describe described} itself. */
    void connect(final EndpointId other, final DirectBuffer addresses, final int offset)
    {
        link = grim.memory().link(other);
        virtualAddress = addresses.getLong(offset);
        physicalAddress = addresses.getLong(offset + SIZE_OF_LONG);
    }

    /** Where a payload goes that is followed by the notification word: beside it if one cache line takes both. */
    static int dataOffset(final int size)
    {
        return size <= LINE_DATA_LENGTH_MAX ? LINE_DATA_OFFSET : DATA_OFFSET;
    }

    /** How many payloads of a size have a place of their own in the region, at {@link #slotOffset}. */
    static int slotCount(final int size)
    {
        return Math.max(1, SLOTS_LENGTH / size);
    }

    static int slotOffset(final int slot, final int size)
    {
        return DATA_OFFSET + slot * size;
    }

    AtomicBuffer buffer()
    {
        return buffer;
    }

    /** The own notification word; partner: the transport's release store after the payload. */
    int word()
    {
        return buffer.getIntVolatile(WORD_OFFSET);
    }

    /** Writes without a notification. */
    void write(final boolean isPhysical, final int remoteOffset, final DirectBuffer source, final int offset,
        final int length)
    {
        write(isPhysical, remoteOffset, source, offset, length, false, 0);
    }

    /** Writes, and then the other side's word. */
    void writeAndNotify(final boolean isPhysical, final DirectBuffer source, final int offset, final int length,
        final int word)
    {
        write(isPhysical, dataOffset(length), source, offset, length, true, word);
    }

    /** Writes the other side's word only. */
    void notify(final boolean isPhysical, final int word)
    {
        write(isPhysical, SPARE_OFFSET, spare, 0, SPARE_LENGTH, true, word);
    }

    /** Begins a read of the other side's region into the own one, at the offsets given. */
    void read(final int remoteOffset, final int offset, final int length, final RemoteRead completion)
    {
        SendStatus status = link.read(virtualAddress + remoteOffset, region, offset, length, completion);
        while (status == SendStatus.BACK_PRESSURED)
        {
            pollOrSpin();
            status = link.read(virtualAddress + remoteOffset, region, offset, length, completion);
        }
        requireAccepted(status);
    }

    /** A moment of waiting for something that no handler says. */
    void pass()
    {
        passCount++;
        if (isStepped || (passCount & POLL_MASK) == 0)
        {
            grim.poll();
            requireNoRefusal();
        }
        spin.spin();
    }

    /** Ends a wait. */
    void arrived()
    {
        spin.reset();
    }

    private void write(
        final boolean isPhysical, final int remoteOffset, final DirectBuffer source, final int offset,
        final int length, final boolean isNotified, final int word)
    {
        SendStatus status = tryWrite(isPhysical, remoteOffset, source, offset, length, isNotified, word);
        while (status == SendStatus.BACK_PRESSURED)
        {
            pollOrSpin();
            status = tryWrite(isPhysical, remoteOffset, source, offset, length, isNotified, word);
        }
        requireAccepted(status);
    }

    private SendStatus tryWrite(
        final boolean isPhysical, final int remoteOffset, final DirectBuffer source, final int offset,
        final int length, final boolean isNotified, final int word)
    {
        if (isPhysical)
        {
            return link.writePhysical(physicalAddress + remoteOffset, source, offset, length,
                isNotified ? physicalAddress + WORD_OFFSET : RemoteLink.NO_NOTIFICATION, word);
        }
        return link.write(virtualAddress + remoteOffset, source, offset, length,
            isNotified ? virtualAddress + WORD_OFFSET : RemoteLink.NO_NOTIFICATION, word);
    }

    private void pollOrSpin()
    {
        if (grim.poll() == 0)
        {
            spin.spin();
        }
        requireNoRefusal();
    }

    private void requireAccepted(final SendStatus status)
    {
        if (!status.isAccepted())
        {
            throw new GrimException("remote memory of " + link.destination() + " failed: status=" + status);
        }
        spin.reset();
    }

    private void requireNoRefusal()
    {
        if (refusal != null)
        {
            throw new GrimException("remote memory refused an operation: " + refusal);
        }
    }
}
