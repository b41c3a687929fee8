// SPDX-License-Identifier: Apache-2.0
package org.grim.network.status;

import java.util.List;

import org.grim.transport.HopReport;

/**
 * Report of a host's agent to tools.
 *
 * @param nodes    of the host that are in the cluster.
 * @param hops     of the host.
 * @param silences of the other hosts' agents, as this one hears them.
 */
public record HostStatus(List<NodeStatus> nodes, HopReport hops, List<Silence> silences)
{
    /**
     * Silence of a host's agent. Agents send several times in {@code grim.network.silence-timeout}.
     *
     * @param host       its label.
     * @param durationMs since its last word.
     */
    public record Silence(String host, long durationMs)
    {
    }
}
