// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.cluster.ClusterDirectory;
import org.grim.counters.NodeCounters;
import org.grim.extension.NodeExtension;
import org.grim.handlers.NodeHandlers;
import org.grim.large.OutboxFiles;
import org.grim.memory.NodeMemory;
import org.grim.thread.ErrorReports;
import org.grim.transport.Transport;

/**
 * Parts that all endpoints of a node share.
 *
 * @param directory  of the cluster.
 * @param transports that are open, in the order of the configuration.
 * @param channels   of the node.
 * @param counters   of the node.
 * @param config     of the node.
 * @param reports    of errors.
 * @param handlers   by name.
 * @param extensions of the node, which the host endpoint runs.
 * @param bells      of all nodes.
 * @param memory     registered memory of the node.
 * @param outboxes   of the node and of those that send to it.
 */
record NodeParts(
    ClusterDirectory directory, List<Transport> transports, NodeChannels channels, NodeCounters counters,
    NodeConfig config, ErrorReports reports, NodeHandlers handlers, List<NodeExtension> extensions,
    Doorbells bells, NodeMemory memory, OutboxFiles outboxes)
{
}
