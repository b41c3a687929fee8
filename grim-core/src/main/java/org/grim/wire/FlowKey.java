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
public final class FlowKey
{
    private static final int CHANNEL_BITS = 8;
    private static final int NODE_SHIFT = 12;

    private FlowKey()
    {
    }

    /**
     * The flow of a message.
     *
     * @param first  words 0 and 1 of its header.
     * @param second words 2 and 3.
     * @return the flow key.
     */
    public static long of(final long first, final long second)
    {
        return of(sourceAddress(first) << CHANNEL_BITS | sourceChannel(second),
            destinationAddress(second) << CHANNEL_BITS | destinationChannel(second));
    }

    /**
     * The flow between two endpoints.
     *
     * @param sourceKey      of the one, as {@link EndpointId#key}.
     * @param destinationKey of the other.
     * @return the flow key.
     */
    public static long of(final int sourceKey, final int destinationKey)
    {
        return (long)sourceKey << Integer.SIZE | destinationKey;
    }

    /**
     * Where it begins.
     *
     * @param flowKey between two endpoints.
     * @return as {@link EndpointId#key}.
     */
    public static int sourceKey(final long flowKey)
    {
        return (int)(flowKey >>> Integer.SIZE);
    }

    /**
     * Where it ends.
     *
     * @param flowKey between two endpoints.
     * @return as {@link EndpointId#key}.
     */
    public static int destinationKey(final long flowKey)
    {
        return (int)flowKey;
    }

    /**
     * The node that it begins at.
     *
     * @param flowKey between two endpoints.
     * @return 0 to 4,095.
     */
    public static int sourceNode(final long flowKey)
    {
        return sourceKey(flowKey) >>> NODE_SHIFT;
    }

    /**
     * The channel that it begins at.
     *
     * @param flowKey between two endpoints.
     * @return 0 to 255.
     */
    public static int channelFrom(final long flowKey)
    {
        return sourceKey(flowKey) & EndpointId.CHANNEL_MAX;
    }

    /**
     * The channel that it ends at.
     *
     * @param flowKey between two endpoints.
     * @return 0 to 255.
     */
    public static int channelTo(final long flowKey)
    {
        return destinationKey(flowKey) & EndpointId.CHANNEL_MAX;
    }

    /**
     * The device that it ends at.
     *
     * @param flowKey between two endpoints.
     * @return 0 to 15.
     */
    public static int deviceTo(final long flowKey)
    {
        return destinationKey(flowKey) >>> CHANNEL_BITS & EndpointId.DEVICE_MAX;
    }
}
