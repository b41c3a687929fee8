// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.grim.NodeInfo;
import org.grim.cluster.HostDirectory;
import org.grim.cluster.NodeReport;
import org.grim.network.registry.Grant;
import org.grim.network.registry.Registry;
import org.grim.network.status.HostStatus;
import org.grim.network.status.HostStatuses;
import org.jgroups.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies records of nodes between directories: changes are sent to the other hosts at once, and all records now and
 * then; reports of other hosts about their nodes are written here.
 * <p>Thread: the agent's.
 */
final class NodeReports
{
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeReports.class);
    private static final long PROBE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(5);

    private final HostDirectory directory;
    private final NetworkSettings settings;
    private final String self;
    private final long[] versions;
    private int[] own = {};                     // Numbers that this host's nodes have or had.
    private final Map<Grant, Long> unclaimedSinceNs = new HashMap<>();
    private final Map<Integer, EarlyReport> early = new HashMap<>();
    private long probeDeadlineNs;
    private long refreshDeadlineNs;
    private long nowNs;
    private long epochMs;

    /** Report of a host about a node whose number is not known to belong to that host yet. */
    private record EarlyReport(String host, NodeReport report)
    {
    }

    NodeReports(final HostDirectory directory, final NetworkSettings settings, final String self)
    {
        this.directory = directory;
        this.settings = settings;
        this.self = self;
        versions = new long[directory.nodeCountMax()];
    }

    void time(final long newNowNs, final long newEpochMs)
    {
        nowNs = newNowNs;
        epochMs = newEpochMs;
    }

    /** Sends changed records to the others, and all records if it is time. */
    int sendChanged(final Group group)
    {
        if (refreshDeadlineNs - nowNs <= 0)
        {
            sendAll(group);
        }
        final boolean isProbed = probeDeadlineNs - nowNs <= 0;
        probeDeadlineNs = isProbed ? nowNs + PROBE_NS : probeDeadlineNs;
        final List<NodeReport> changed = new ArrayList<>();
        for (final int node : own)
        {
            if (isProbed)
            {
                directory.convictIfDead(node);
            }
            final long version = directory.version(node);
            if (version != versions[node])
            {
                versions[node] = version;
                add(node, changed);
            }
        }
        send(group, null, changed);
        return changed.size();
    }

    /** Sends all records to the others: a new host knows none. */
    void sendAll(final Group group)
    {
        refreshDeadlineNs = nowNs + REFRESH_NS;
        sendAll(group, null);
    }

    /** Sends all records to one agent, before its next message. */
    void sendAll(final Group group, final Address to)
    {
        final List<NodeReport> all = new ArrayList<>();
        for (final int node : own)
        {
            add(node, all);
        }
        send(group, to, all);
    }

    /**
     * Finds out, for a node of this host that asks for a number under the join lock, which of the others are gone. A
     * node with a number for another request has taken it, or never will.
     */
    void convictOwn(final Registry registry, final int request)
    {
        for (final Grant grant : registry.grants())
        {
            if (grant.host().equals(self))
            {
                directory.convictIfDead(grant.number());
                if (grant.request() != request && isUnclaimed(grant))
                {
                    directory.expire(gone(grant));
                }
            }
        }
    }

    /**
     * Writes another host's reports of its nodes; reports about other nodes or earlier incarnations are ignored. A
     * report may come before the decision that assigned the number: it is kept until {@link #onDecision}.
     */
    void apply(final AgentMessage.Reports message, final Registry registry)
    {
        for (final NodeReport report : message.nodes())
        {
            final int number = report.info().number();
            if (number >= 0 && number < versions.length)
            {
                apply(new EarlyReport(message.host(), report), registry);
            }
        }
    }

    /**
     * A decision was made: it may have given numbers to nodes of this host; reports of others' that came before it are
     * written.
     */
    void onDecision(final Registry registry)
    {
        own = registry.grants().stream().filter(grant -> grant.host().equals(self)).mapToInt(Grant::number).toArray();
        final List<EarlyReport> reports = List.copyOf(early.values());
        early.clear();
        reports.forEach(report -> apply(report, registry));
    }

    private void apply(final EarlyReport early, final Registry registry)
    {
        final NodeInfo info = early.report().info();
        final Grant grant = registry.grant(info.number());
        if (grant == null || grant.incarnation() < info.incarnation() || !registry.members().contains(early.host()))
        {
            this.early.put(info.number(), early);
        }
        else if (grant.incarnation() == info.incarnation() && grant.host().equals(early.host()))
        {
            write(early.report());
        }
    }

    /** Returns this host's state for a tool, with the silence of the others. */
    AgentMessage.Answer answer(final long question, final List<HostStatus.Silence> silences)
    {
        return new AgentMessage.Answer(self, question, HostStatuses.read(directory, epochMs, silences));
    }

    /** Marks the nodes of other hosts as gone that have not said that they are: nobody hears of them. */
    void convictWhere(final Registry registry, final Predicate<String> isGone)
    {
        registry.grants().stream().filter(grant -> !grant.host().equals(self) && isGone.test(grant.host()) &&
            directory.report(grant.number()).info().incarnation() <= grant.incarnation())
            .forEach(grant -> directory.convict(grant.number(), NodeInfo.GoneReason.UNREACHABLE));
    }

    /** A node that asked for its number, and died before it took it, is gone, too. */
    void expireUnclaimed(final Registry registry)
    {
        final Map<Grant, Long> before = new HashMap<>(unclaimedSinceNs);
        unclaimedSinceNs.clear();
        for (final Grant grant : registry.grants())
        {
            if (grant.host().equals(self) && isUnclaimed(grant))
            {
                final long sinceNs = before.getOrDefault(grant, nowNs);
                unclaimedSinceNs.put(grant, sinceNs);
                if (nowNs - sinceNs > 2 * settings.joinTimeoutNs())
                {
                    directory.expire(gone(grant));
                }
            }
        }
    }

    private boolean isUnclaimed(final Grant grant)
    {
        return directory.report(grant.number()).info().incarnation() < grant.incarnation();
    }

    private NodeReport gone(final Grant grant)
    {
        return new NodeReport(new NodeInfo(grant.number(), grant.name(), NodeInfo.State.GONE, grant.incarnation(), 0, 1,
            List.of(), List.of(), epochMs, NumberAllocator.label(grant.host()), NodeInfo.GoneReason.DIED), false, "");
    }

    private void add(final int node, final List<NodeReport> reports)
    {
        if (directory.isLocal(node))
        {
            final NodeReport report = directory.report(node);
            reports.add(withHeartbeat(report, Math.max(0, epochMs - report.info().heartbeatMs())));
        }
    }

    private void write(final NodeReport report)
    {
        try
        {
            directory.apply(withHeartbeat(report, epochMs - report.info().heartbeatMs()));
        }
        catch (final IllegalArgumentException ex)
        {
            LOGGER.warn("report of node={} is refused: {}", report.info().number(), ex.getMessage());
        }
    }

    /** Clocks of hosts differ, so ages travel. */
    private static NodeReport withHeartbeat(final NodeReport report, final long heartbeatMs)
    {
        final NodeInfo info = report.info();
        return new NodeReport(new NodeInfo(info.number(), info.name(), info.state(), info.incarnation(),
            info.processId(), info.channelCount(), info.transports(), info.devices(), heartbeatMs, info.host(),
            info.goneReason()), report.hasJoined(), report.addresses(), report.ends());
    }

    private void send(final Group group, final Address to, final List<NodeReport> reports)
    {
        if (!reports.isEmpty())
        {
            group.send(to, new AgentMessage.Reports(self, reports).encode());
        }
    }
}
