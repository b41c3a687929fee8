// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

import org.grim.DeviceKind;

/**
 * What a node tells the directory when it joins.
 *
 * @param name         unique among live nodes; 1 to 60 bytes of UTF-8.
 * @param channelCount logical channels, 1 to 256.
 * @param transports   names of the transports that it opens.
 * @param devices      kind of each device, by device number.
 */
public record NodeDescription(String name, int channelCount, List<String> transports, List<DeviceKind> devices)
{
}
