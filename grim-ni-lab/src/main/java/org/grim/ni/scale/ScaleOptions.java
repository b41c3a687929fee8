// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import org.grim.ni.fabric.Topology;
import org.grim.wire.MessageHeader;

/**
 * Options of one run.
 *
 * @param niCount      NIs.
 * @param pattern      who sends to whom.
 * @param wire         and the boards and hosts of its time.
 * @param size         payload bytes of each message.
 * @param messageCount messages that each NI sends.
 * @param hotPercent   of all messages that go to NI 0; for {@link TrafficPattern#HOT_SPOT} only.
 * @param drainNs      that a host takes for a message; 0 for what is right for the wire.
 * @param seed         of all chance.
 * @param isConvicting whether a peer that does not answer ten questions counts as gone, as on wires where nobody else
 *                     knows; else it is asked on.
 */
public record ScaleOptions(
    int niCount, TrafficPattern pattern, ScaleWire wire, int size, int messageCount, int hotPercent, long drainNs,
    long seed, boolean isConvicting)
{
    /** Fewest NIs. */
    public static final int NI_COUNT_MIN = 2;
    /** Most NIs. */
    public static final int NI_COUNT_MAX = Topology.NI_COUNT_MAX;
    /** Smallest payload: it must hold the name of its message. */
    public static final int SIZE_MIN = Long.BYTES;
    /** Largest payload. */
    public static final int SIZE_MAX = MessageHeader.PAYLOAD_LENGTH_MAX;
    /** Most messages of each NI. */
    public static final int MESSAGE_COUNT_MAX = 1_000_000;
    /** All messages go to the hot spot. */
    public static final int HOT_PERCENT_MAX = 100;

    public ScaleOptions
    {
        requireRange("NI count", niCount, NI_COUNT_MIN, NI_COUNT_MAX);
        requireRange("size", size, SIZE_MIN, SIZE_MAX);
        requireRange("message count", messageCount, 1, MESSAGE_COUNT_MAX);
        requireRange("hot percent", hotPercent, 1, HOT_PERCENT_MAX);
        requireRange("drain ns", drainNs, 0, Integer.MAX_VALUE);
    }

    /** Header and payload as they stand in queues and on the wire. */
    int messageLength()
    {
        return MessageHeader.LENGTH + (size + Integer.BYTES - 1 & -Integer.BYTES);
    }

    long chosenDrainNs()
    {
        return drainNs == 0 ? wire.drainNs(messageLength()) : drainNs;
    }

    /** Whether all messages have the same target. */
    boolean isAllHot()
    {
        return pattern == TrafficPattern.HOT_SPOT && hotPercent == HOT_PERCENT_MAX;
    }

    /** Messages of one NI: where all go to NI 0, that has nobody to send to. */
    int messageCount(final int ni)
    {
        return ni == 0 && isAllHot() ? 0 : messageCount;
    }

    /** Messages of all NIs. */
    public long totalCount()
    {
        return (long)messageCount * (isAllHot() ? niCount - 1 : niCount);
    }

    private static void requireRange(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(name + "=" + value + " is outside " + min + " to " + max);
        }
    }
}
