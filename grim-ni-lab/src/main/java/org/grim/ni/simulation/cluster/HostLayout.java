// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.BitUtil;
import org.grim.MemoryRegion;
import org.grim.board.TranslationDescriptor;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.wire.MulticastFormat;

/**
 * Where everything lies in the DMA region of a simulated context; the same in all of them, so that a peer can compute
 * addresses. Offsets in bytes.
 * <pre>
 *  request | pointer words | arrival queues | pull sources | read source | slots: writes, then read targets
 *   | from here on whole pages: pages that come and go | one to be read only | one to be written only | guard page
 *
 *  The registered part begins with the read source and ends before the guard page.
 *  slot: canary | notification word | data | canary
 * </pre>
 * A slot belongs to one sender's channel, so that nobody else writes there.
 */
final class HostLayout
{
    static final int LINE_LENGTH = 64;
    static final int CANARY_LENGTH = LINE_LENGTH;
    static final int SLOT_DATA_LENGTH = 1536;
    static final int READ_SOURCE_LENGTH = 4096;
    static final long VIRTUAL_START = 0x7000_0000_0000L;
    static final int NOTIFICATION_OFFSET = CANARY_LENGTH;
    static final int DATA_OFFSET = NOTIFICATION_OFFSET + LINE_LENGTH;

    static final int PAGE_LENGTH = TranslationDescriptor.PAGE_LENGTH;
    static final int CHURN_PAGE_COUNT = 4;
    static final int CHURN_STATIC_COUNT = 2;
    static final long LYING_LENGTH = 1L << 30;
    static final long CHURN_START = 0x6000_0000_0000L;

    private static final int SLOT_LENGTH = DATA_OFFSET + SLOT_DATA_LENGTH + CANARY_LENGTH;
    private static final int DISTANCE_MAX = 8;
    private static final int FRAME_COUNT_MIN = 2;
    private static final int OPERATION_OFFSET_MAX = 256;
    private static final int OPERATION_OVERHEAD = 64;

    private final int nodeCount;
    private final int channelCount;
    final int frameLength;
    private final int frameCount;
    private final int distanceCount;
    private final int pointersOffset;
    private final int arrivalsOffset;
    private final int pullsOffset;
    private final int pullLength;
    final int readSourceOffset;
    final int slotsOffset;
    final int churnOffset;
    final int readOnlyOffset;                   // A page that peers may only read; the next they may only write.
    final int guardOffset;                      // A page behind what is registered.
    final int regionLength;
    final int multicastLengthMax;               // Data of a multicast.
    final int operationLengthMax;               // An operation, and the reply to it, fit into a channel's queue.

    HostLayout(final SimulationParameters parameters)
    {
        nodeCount = parameters.count(Setting.NODE_COUNT);
        channelCount = parameters.count(Setting.CHANNEL_COUNT);
        frameLength = parameters.count(Setting.FRAME_LENGTH);
        frameCount = BitUtil.findNextPositivePowerOfTwo(parameters.count(Setting.FRAME_COUNT));
        final boolean hasRemoteMemory = parameters.is(Setting.WRITE_PERMILLE) || parameters.is(Setting.READ_PERMILLE);
        distanceCount = hasRemoteMemory ? Math.min(nodeCount, DISTANCE_MAX) : 0;
        pointersOffset = BitUtil.align(TranslationDescriptor.REQUEST_LENGTH, LINE_LENGTH);
        arrivalsOffset = pointersOffset + channelCount * LINE_LENGTH;
        pullsOffset = arrivalsOffset + channelCount * ringLength();
        pullLength = parameters.is(Setting.PULL_PERMILLE) ? parameters.count(Setting.QUEUE_LENGTH) / 2 : 0;
        readSourceOffset = pullsOffset + channelCount * pullLength;
        slotsOffset = readSourceOffset + READ_SOURCE_LENGTH;
        multicastLengthMax = Math.min(messageLengthMax(), parameters.count(Setting.QUEUE_LENGTH) / 2) -
            MulticastFormat.DATA_OFFSET;
        operationLengthMax = Math.min(SLOT_DATA_LENGTH - OPERATION_OFFSET_MAX,
            parameters.count(Setting.QUEUE_LENGTH) / 2 - OPERATION_OVERHEAD);
        churnOffset = BitUtil.align(slotsOffset + 2 * slotCount() * SLOT_LENGTH, PAGE_LENGTH);
        readOnlyOffset = churnOffset + (parameters.is(Setting.CHURN_NS) ? CHURN_PAGE_COUNT * PAGE_LENGTH : 0);
        guardOffset = readOnlyOffset + (hasRemoteMemory ? 2 * PAGE_LENGTH : 0);
        regionLength = guardOffset + (hasRemoteMemory ? PAGE_LENGTH : 0);
    }

    int pointerOffset(final int channel)
    {
        return pointersOffset + channel * LINE_LENGTH;
    }

    int arrivalOffset(final int channel)
    {
        return arrivalsOffset + channel * ringLength();
    }

    /** Where a channel's sender leaves what the board is to pull. */
    int pullOffset(final int channel)
    {
        return pullsOffset + channel * pullLength;
    }

    /** A ring with a pointer needs two messages' room, for its gap. */
    int frameCount(final boolean hasPointer)
    {
        return hasPointer ? Math.max(frameCount, FRAME_COUNT_MIN) : frameCount;
    }

    int messageLengthMax()
    {
        return frameLength - Integer.BYTES;
    }

    int writeOnlyOffset()
    {
        return readOnlyOffset + PAGE_LENGTH;
    }

    /** Returns the peers' physical address of a byte of the region, with the generation of a number. */
    long peersAddress(final int offset, final int number)
    {
        return (long)(number & 0xFFFFFF) << 39 | (offset - readSourceOffset);
    }

    /** Page word of a page that stays; 0 if none does. */
    int rightsAt(final long offset)
    {
        if (offset < 0 || offset >= guardOffset || (offset >= churnOffset && offset < readOnlyOffset))
        {
            return 0;
        }
        return offset < readOnlyOffset ? MemoryRegion.Rights.READ_WRITE.bits() :
            offset < readOnlyOffset + PAGE_LENGTH ? MemoryRegion.Rights.READ.bits() : MemoryRegion.Rights.WRITE.bits();
    }

    /** Slots of each of the two kinds. */
    int slotCount()
    {
        return distanceCount * channelCount;
    }

    boolean hasSlot(final int requesterNi, final int ownerNi)
    {
        return distance(requesterNi, ownerNi) < distanceCount;
    }

    /** Index of the slot at the owner that a requester's channel uses. */
    int slot(final int requesterNi, final int ownerNi, final int channel)
    {
        return distance(requesterNi, ownerNi) * channelCount + channel;
    }

    int slotOffset(final int slot)
    {
        return slotsOffset + slot * SLOT_LENGTH;
    }

    /** The slot that an offset lies in, or -1. */
    int slotAt(final int offset)
    {
        final int slot = (offset - slotsOffset) / SLOT_LENGTH;
        return offset >= slotsOffset && slot < 2 * slotCount() ? slot : -1;
    }

    private int ringLength()
    {
        return frameLength * Math.max(frameCount, FRAME_COUNT_MIN);
    }

    private int distance(final int requesterNi, final int ownerNi)
    {
        return (requesterNi - ownerNi + nodeCount) % nodeCount;
    }
}
