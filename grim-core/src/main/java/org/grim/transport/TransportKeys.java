// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.grim.EndpointId;
import org.grim.GrimConfig;

import static org.grim.transport.Key.MIB;
import static org.grim.transport.Key.Unit.BYTES;

/**
 * Keys of a node that its transports need. Immutable.
 *
 * @param channelCount     logical channels of the node.
 * @param hostChannelCount of them, from 0 on, those of the host endpoint.
 * @param weights          of the channels, by number.
 * @param reservedLength   bytes of the device's memory that the application keeps.
 */
@SuppressWarnings("ArrayRecordComponent")         // Nobody compares them.
public record TransportKeys(
    @Key(value = "channels.count", initial = "2", min = 1, max = EndpointId.CHANNEL_MAX + 1,
        text = "Logical channels of this node. Every channel has buffer space of its own.")
    int channelCount,
    @Key(value = "channels.host", initial = "1", min = 1, maxKey = "channels.count",
        text = "Number of channels, from 0 on, that belong to the host endpoint. The others are for " +
        "`Grim.openEndpoint`. At most `channels.count`.")
    int hostChannelCount,
    @Key(value = "channels.weights", initial = "[1]", countMax = EndpointId.CHANNEL_MAX + 1,
        min = GrimConfig.CHANNEL_WEIGHT_MIN, max = GrimConfig.CHANNEL_WEIGHT_MAX,
        text = "Weight of each channel by its number; 1 for those beyond the list. Receivers take messages " +
        "(`poll.drain-limit`), and network interfaces send bytes, in proportion to it.")
    int[] weights,
    @Key(value = "ni.reserved-length", initial = "0", unit = BYTES, max = 64 * MIB,
        text = "Bytes of the network interface's memory that the application keeps; see `NetworkInterface.memory()`.")
    int reservedLength)
{
}
