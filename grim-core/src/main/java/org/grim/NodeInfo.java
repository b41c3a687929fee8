// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

/**
 * What the directory says of a node at one moment.
 *
 * @param number         virtual node number (VNN), from 0.
 * @param name           unique among the nodes that are not gone.
 * @param state          joining, up or gone.
 * @param incarnation    which life of this number, from 1.
 * @param processId      for display only.
 * @param channelCount   logical channels.
 * @param transports     names of the transports that it has opened.
 * @param devices        kind of each device, by device number.
 * @param heartbeatMs    when it last did its housekeeping, ms since the epoch.
 * @param host           label of its host ({@code grim.node.host}).
 * @param niNumber       network interface that serves it, which has the number of the node whose board it is;
 *                       {@value #NI_NONE} for none.
 * @param niFirstChannel NI channel of its channel 0; {@value #NI_NONE} for none.
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
    long heartbeatMs,
    String host,
    int niNumber,
    int niFirstChannel)
{
    /** Where there is no network interface. */
    public static final int NI_NONE = -1;

    /**
     * The same node in another state or life.
     *
     * @param newState       that it is in.
     * @param newIncarnation which life.
     * @return everything else as it was.
     */
    NodeInfo with(final NodeState newState, final int newIncarnation)
    {
        return new NodeInfo(number, name, newState, newIncarnation, processId, channelCount, transports, devices,
            heartbeatMs, host, niNumber, niFirstChannel);
    }
}
