// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;

import org.grim.NodeInfo;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.report.Table;

/**
 * Result of the command {@code nodes}; its components are the JSON.
 *
 * @param command   always {@code nodes}.
 * @param directory of the cluster.
 * @param nodes     by number.
 */
public record NodesReport(String command, String directory, List<Node> nodes)
{
    /**
     * One node.
     *
     * @param number         virtual node number.
     * @param name           of the node.
     * @param state          as the directory says: joining, up or gone.
     * @param isAlive        whether a process holds the node's byte of the liveness file.
     * @param processId      for display.
     * @param incarnation    which life of this number.
     * @param channelCount   logical channels.
     * @param transports     names.
     * @param devices        kind of each device.
     * @param heartbeatAgeMs since its last housekeeping.
     * @param host           label of its host.
     * @param niNumber       network interface that serves it: that of the node of this number; -1 for none.
     * @param niFirstChannel NI channel of its channel 0; -1 for none.
     */
    public record Node(
        int number, String name, String state, boolean isAlive, long processId, int incarnation, int channelCount,
        List<String> transports, List<String> devices, long heartbeatAgeMs, String host, int niNumber,
        int niFirstChannel)
    {
        private String niText()
        {
            return niNumber == NodeInfo.NI_NONE ? "-" : "NI " + niNumber + " from " + niFirstChannel;
        }
    }

    /**
     * For people.
     *
     * @return a table.
     */
    public Table table()
    {
        final Table table = new Table("node", "name", "state", "process", "pid", "incarnation", "channels",
            "transports", "devices", "heartbeat", "host", "NI channels");
        for (final Node node : nodes)
        {
            table.row(node.number(), node.name(), node.state(), node.isAlive() ? "alive" : "dead", node.processId(),
                node.incarnation(), node.channelCount(), String.join(",", node.transports()),
                String.join(",", node.devices()), Age.text(node.heartbeatAgeMs()),
                node.host(), node.niText());
        }
        return table;
    }
}
