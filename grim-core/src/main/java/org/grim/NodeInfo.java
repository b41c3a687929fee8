// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

/**
 * What the directory says of a node at one moment.
 *
 * @param number       virtual node number (VNN), from 0.
 * @param name         unique among the nodes that are not gone.
 * @param state        joining, up or gone.
 * @param incarnation  which life of this number, from 1.
 * @param processId    for display only.
 * @param channelCount logical channels.
 * @param transports   names of the transports that it has opened.
 * @param devices      kind of each device, by device number.
 * @param heartbeatMs  when it last did its housekeeping, ms since the epoch.
 */
public record NodeInfo(
    int number,
    String name,
    NodeState state,
    int incarnation,
    long processId,
    int channelCount,
    List<String> transports,
    List<DeviceKind> devices,
    long heartbeatMs)
{
}
