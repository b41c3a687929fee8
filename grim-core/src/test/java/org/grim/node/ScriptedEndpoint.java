// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

import org.grim.CountingErrorHandler;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.GrimConfig;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.counters.NodeCounters;
import org.grim.handlers.NodeHandlers;
import org.grim.large.OutboxFiles;
import org.grim.memory.NodeMemory;
import org.grim.thread.ErrorReports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An endpoint over a {@link ScriptedTransport}, without a cluster. */
public final class ScriptedEndpoint
{
    public final ScriptedTransport hop = new ScriptedTransport();
    public final CountingErrorHandler errors;
    public final NodeCounters counters;
    public final Endpoint endpoint;
    public final EndpointId destination;
    private final NodeEndpoint node;
    public final NodeMemory nodeMemory;

    public ScriptedEndpoint(final String ceiling)
    {
        this(ceiling, new CountingErrorHandler());
    }

    private ScriptedEndpoint(final String ceiling, final CountingErrorHandler errors)
    {
        this(config(ceiling, errors), errors);
    }

    /** Over a configuration that is used again: to make one takes milliseconds. */
    public ScriptedEndpoint(final GrimConfig config, final CountingErrorHandler errors)
    {
        this.errors = errors;
        final ClusterDirectory directory = ClusterDirectory.inPrivateMemory(
            new NodeDescription("here", "self", 2, List.of("scripted")));
        directory.up();
        counters = NodeCounters.inPrivateMemory(2);
        final NodeConfig settings = new NodeConfig(config.settings(), errors, 0);
        nodeMemory =
            NodeMemory.inPrivateMemory(settings.keys().memory(), directory, null,
                (regions, length, freed) ->
                {
                });
        // Channel 0 has the talk about handlers, which would stand between what the tests send.
        node = new HostEndpoint(EndpointId.of(directory.self(), 0, 1), new int[]{1}, new NodeParts(directory,
            List.of(hop), new NodeChannels(2), counters, settings,
            new ErrorReports(errors),
            new NodeHandlers(settings.keys().resolveTimeoutNs(), directory), List.of(),
            new Doorbells(directory, null), nodeMemory,
            new OutboxFiles(directory, null, (node, incarnation) -> false)), closing ->
            {
            });
        endpoint = node;
        destination = EndpointId.of(directory.self(), 0, 0);
    }

    public static GrimConfig config(final String ceiling, final CountingErrorHandler errors)
    {
        return GrimConfig.builder().set("grim.overflow.ceiling", ceiling)
            .set("grim.memory.length-max", "1MiB").set("grim.memory.arena-length", "64KiB")
            .set("grim.liveness.interval", "1ms").errorHandler(errors).build();
    }

    public RemoteMemory memory()
    {
        return endpoint.memory();
    }

    public RemoteLink remote()
    {
        return memory().link(destination);
    }

    /** Runs something as a handler is run: when a refusal is reported. */
    public void inHandler(final Runnable work)
    {
        final Queue<Runnable> once = new ArrayDeque<>(List.of(work));
        memory().onRefused((where, remoteAddress, length, reason) ->
        {
            if (!once.isEmpty())
            {
                once.remove().run();
            }
        });
        remote();
        refuse(0, RemoteRefusal.NO_RIGHT);
        final int errorCount = errors.count();
        poll();
        assertTrue(once.isEmpty(), "the work was not run");
        assertEquals(errorCount, errors.count(), () -> "thrown: " + errors.last());
    }

    /** The hop has refused an operation. */
    public void refuse(final int ticket, final RemoteRefusal reason)
    {
        hop.refusals.add(new ScriptedTransport.Refusal(ticket, ScriptedTransport.FAR_ADDRESS, 8, reason));
        node.state().refusalsDue();
    }

    public int poll()
    {
        return endpoint.poll();
    }

    public long counter(final String label)
    {
        final long[] found = {-1};
        counters.reader().forEach((value, id, name) -> found[0] = name.equals(label) ? value : found[0]);
        return found[0];
    }

    public void close()
    {
        node.leave();
    }
}
