// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.List;

import org.grim.EndpointId;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkResources;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.LivenessProbe;
import org.grim.endpoint.MessageLimits;
import org.grim.extension.ExtensibleNode;
import org.grim.large.LargeLink;
import org.grim.large.LargeSends;
import org.grim.large.OutboxFiles;
import org.grim.multicast.MulticastOutboxes;
import org.grim.node.ScriptedTransport;
import org.grim.queue.OverflowQueue;
import org.grim.thread.ErrorReports;

/** Traffic of groups of a node that reaches only itself: others are gone. It has no outboxes. */
final class ScriptedTraffic
{
    static final int SELF = 0;
    static final int OTHER = 1;

    final ScriptedTransport hop = new ScriptedTransport();
    final GroupTraffic traffic;
    private final NodeCounters counters = NodeCounters.inPrivateMemory(1);

    ScriptedTraffic()
    {
        final ClusterDirectory directory = ClusterDirectory.inPrivateMemory(
            new NodeDescription("here", "self", 1, List.of("scripted")));
        directory.up();
        final EndpointState state = new EndpointState(EndpointId.of(SELF, 0, 0));
        final MessageLimits limits = new MessageLimits(1 << 16, 1 << 16, 0, 0, 0);
        final LargeSends sends = new LargeSends(
            limits, counters, new OutboxFiles(directory, null, (node, incarnation) -> false), directory.incarnation());
        final LinkTable links = new LinkTable(new int[] {0}, directory, List.of(hop), new LinkResources(state, counters,
            new OverflowQueue.Ceiling(0), limits,
            new LivenessProbe(directory, Long.MAX_VALUE), () -> 0, null), link -> new LargeLink(link, sends));
        final HandlerTable handlers = new HandlerTable(() ->
        {
            // All are bound.
        });
        final ExtensibleNode.Host host = new ExtensibleNode.Host(state, links, () -> 0, null, handlers,
            new HandlerErrors(directory, handlers, counters, new ErrorReports(error ->
            {
                throw new AssertionError(error);
            })));
        traffic = new GroupTraffic(new ExtensibleNode(null, directory, null, null, null, counters, host),
            new MulticastOutboxes(directory, null, null, null, null, 0));
    }

    static Roster roster(final int epoch, final int... nodes)
    {
        return new Roster(7, epoch, nodes, new int[nodes.length], new int[nodes.length]);
    }

    /** Multicasts that were counted as lost. */
    long lostCount()
    {
        final long[] found = {-1};
        counters.reader().forEach((value, id, name) -> found[0] = name.equals("multicasts-lost") ? value : found[0]);
        return found[0];
    }
}
