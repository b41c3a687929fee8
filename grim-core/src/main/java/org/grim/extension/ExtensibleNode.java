// SPDX-License-Identifier: Apache-2.0
package org.grim.extension;

import java.util.function.IntSupplier;

import org.grim.cluster.ClusterDirectory;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkTable;
import org.grim.memory.MemoryPeers;
import org.grim.memory.NodeMemory;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.NodeFiles;
import org.grim.transport.TransportContext;

/**
 * Parts of a node that its extensions use.
 *
 * @param context   that its transports get, too.
 * @param directory of the cluster.
 * @param files     of nodes; null if this node is alone.
 * @param memory    registered memory of the node.
 * @param peers     memory of the others on this host.
 * @param counters  of the node.
 * @param host      endpoint, on whose thread extensions run.
 */
public record ExtensibleNode(
    TransportContext context, ClusterDirectory directory, NodeFiles files, NodeMemory memory, MemoryPeers peers,
    NodeCounters counters, Host host)
{
    /**
     * The host endpoint.
     *
     * @param state    of it.
     * @param links    of it.
     * @param poll     of it.
     * @param queues   that its loop polls.
     * @param handlers of its messages, by id.
     * @param errors   of the application's handlers go there.
     */
    public record Host(
        EndpointState state, LinkTable links, IntSupplier poll, ArrivalQueues queues, HandlerTable handlers,
        HandlerErrors errors)
    {
    }
}
