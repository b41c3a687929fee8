// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.grim.EndpointId;

import static org.grim.wire.MessageHeader.destinationAddress;
import static org.grim.wire.MessageHeader.destinationChannel;
import static org.grim.wire.MessageHeader.sourceAddress;
import static org.grim.wire.MessageHeader.sourceChannel;

/**
 * Where a message comes from and where it goes, in one word: the source's {@link EndpointId#key} in the upper half, the
 * destination's in the lower.
 * <p>Thread: any.
 */
public final class Way
{
    private static final int CHANNEL_BITS = 8;
    private static final int NODE_SHIFT = 12;

    private Way()
    {
    }

    /**
     * The way of a message.
     *
     * @param first  words 0 and 1 of its header.
     * @param second words 2 and 3.
     * @return the way.
     */
    public static long of(final long first, final long second)
    {
        return of(sourceAddress(first) << CHANNEL_BITS | sourceChannel(second),
            destinationAddress(second) << CHANNEL_BITS | destinationChannel(second));
    }

    /**
     * The way between two endpoints.
     *
     * @param sourceKey      of the one, as {@link EndpointId#key}.
     * @param destinationKey of the other.
     * @return the way.
     */
    public static long of(final int sourceKey, final int destinationKey)
    {
        return (long)sourceKey << Integer.SIZE | destinationKey;
    }

    /**
     * Where it begins.
     *
     * @param way between two endpoints.
     * @return as {@link EndpointId#key}.
     */
    public static int sourceKey(final long way)
    {
        return (int)(way >>> Integer.SIZE);
    }

    /**
     * Where it ends.
     *
     * @param way between two endpoints.
     * @return as {@link EndpointId#key}.
     */
    public static int destinationKey(final long way)
    {
        return (int)way;
    }

    /**
     * The node that it begins at.
     *
     * @param way between two endpoints.
     * @return 0 to 4,095.
     */
    public static int sourceNode(final long way)
    {
        return sourceKey(way) >>> NODE_SHIFT;
    }

    /**
     * The channel that it begins at.
     *
     * @param way between two endpoints.
     * @return 0 to 255.
     */
    public static int channelFrom(final long way)
    {
        return sourceKey(way) & EndpointId.CHANNEL_MAX;
    }

    /**
     * The channel that it ends at.
     *
     * @param way between two endpoints.
     * @return 0 to 255.
     */
    public static int channelTo(final long way)
    {
        return destinationKey(way) & EndpointId.CHANNEL_MAX;
    }

    /**
     * The device that it ends at.
     *
     * @param way between two endpoints.
     * @return 0 to 15.
     */
    public static int deviceTo(final long way)
    {
        return destinationKey(way) >>> CHANNEL_BITS & EndpointId.DEVICE_MAX;
    }
}
