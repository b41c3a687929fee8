// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.grim.counters.CounterKind;
import org.grim.tools.report.Age;
import org.grim.transport.HopReport;
import org.grim.transport.HopReport.Incoming;
import org.grim.transport.HopReport.Outgoing;

/**
 * Finds, from two looks at a cluster, the hops between hosts that stand still and the nearest cause of each, from the
 * positions at both ends. A driver that does not step looks like a dead network to its peers: it is asked first.
 * <p>Thread: any. Sans-io.
 */
final class HopDiagnosis
{
    /** A driver says once a second, or more often, that it steps. */
    private static final long DRIVER_LATE_MS = 2_500;
    /** A loop that did housekeeping so short a time ago polls. */
    private static final long POLL_LATE_MS = 1_000;
    private static final String KIND = "hop";

    private final ClusterSample before;
    private final ClusterSample now;
    private final Findings findings;

    private HopDiagnosis(final ClusterSample before, final ClusterSample now, final Findings findings)
    {
        this.before = before;
        this.now = now;
        this.findings = findings;
    }

    /** Enters the drivers that do not step, the hops that stand still or flow, and the clients that were renewed. */
    static void find(final ClusterSample before, final ClusterSample now, final Findings findings)
    {
        final HopDiagnosis hops = new HopDiagnosis(before, now, findings);
        now.hops().all().drivers().stream().filter(HopDiagnosis::isLate)
            .forEach(driver -> findings.stalls().add(hops.stall(driver)));
        now.hops().all().outgoing().forEach(hops::examine);
        now.hops().all().renewals().stream().filter(renewal -> now.node(renewal.node()) != null)
            .forEach(renewal -> findings.stalls().add(hops.stall(renewal)));
    }

    private void examine(final Outgoing hop)
    {
        final Outgoing old = before.hops().outgoing(hop);
        final ClusterSample.Node sender = now.node(hop.node());
        final ClusterSample.Node receiver = now.node(hop.peer());
        final WhyCause cause = old == null || sender == null || receiver == null ? null :
            cause(old, hop, sender, receiver);
        if (cause == null)
        {
            findings.idle();
        }
        else
        {
            add(hop, sender, receiver, cause);
        }
    }

    /** Why a hop does not move; null if nothing stands in it. */
    private WhyCause cause(
        final Outgoing old, final Outgoing hop, final ClusterSample.Node sender, final ClusterSample.Node receiver)
    {
        final String host = receiver.info().host();
        if (before.hops().unanswered().contains(host) && now.hops().unanswered().contains(host))
        {
            return WhyCause.HOST_UNREACHABLE;
        }
        final Incoming oldEnd = before.hops().incoming(old);
        final Incoming end = now.hops().incoming(hop);
        if (oldEnd == null || end == null)
        {
            return oldEnd == null && end == null && !now.hops().unanswered().contains(host) && wantsToSend(sender) ?
                lateOr(WhyCause.DATAGRAMS_LOST, hop) : null;
        }
        if (end.consumedPosition() != oldEnd.consumedPosition())
        {
            return WhyCause.FLOWS;
        }
        if (Math.max(old.publishedPosition(), oldEnd.highestPosition()) <= oldEnd.consumedPosition() ||
            Math.max(hop.publishedPosition(), end.highestPosition()) <= end.consumedPosition())
        {
            return null;
        }
        if (end.completePosition() > end.consumedPosition())
        {
            return oldEnd.completePosition() == oldEnd.consumedPosition() ? null :
                Findings.ofReceiver(receiver.seen(), receiver.seen().unread(hop.channel()));
        }
        return lateOr(
            end.highestPosition() > end.completePosition() ? WhyCause.GAP_REPAIRED : WhyCause.DATAGRAMS_LOST, hop);
    }

    /** The network is blamed only if the drivers at both ends step. */
    private WhyCause lateOr(final WhyCause cause, final Outgoing hop)
    {
        return isLate(now.hops().driver(hop.node())) || isLate(now.hops().driver(hop.peer())) ?
            WhyCause.DRIVER_NOT_STEPPED : cause;
    }

    private static boolean isLate(final HopReport.Driver driver)
    {
        return driver != null && driver.silentMs() > DRIVER_LATE_MS;
    }

    /** Whether a node's sends were refused between the looks, or wait. */
    private boolean wantsToSend(final ClusterSample.Node sender)
    {
        final ClusterSample.Node earlier = before.node(sender.info().number());
        return refusedCount(sender) > (earlier == null ? Long.MAX_VALUE : refusedCount(earlier)) ||
            sender.overflows().stream().anyMatch(overflow -> overflow.length() > 0);
    }

    private static long refusedCount(final ClusterSample.Node node)
    {
        return node.counters().values(CounterKind.BACK_PRESSURED).values().stream().mapToLong(Long::longValue).sum();
    }

    private void add(
        final Outgoing hop, final ClusterSample.Node sender, final ClusterSample.Node receiver, final WhyCause cause)
    {
        final Incoming end = now.hops().incoming(hop);
        final int unread = end == null ? 0 :
            (int)(Math.max(hop.publishedPosition(), end.highestPosition()) - end.consumedPosition());
        final int room = end == null ? 0 : (int)Math.max(0, hop.publishedLimit() - end.consumedPosition());
        final boolean isFull = hop.publishedPosition() >= hop.publishedLimit();
        final String head = sender.name() + " -> " + receiver.name() + " channel " + hop.channel() + " (" + KIND +
            " to host " + receiver.info().host() + "): " + (isFull && cause != WhyCause.FLOWS ? "full, " : "") +
            (end == null ? "nothing is known of the other end" : unread + " bytes not consumed");
        findings.queue(new Stall.Facts(sender.name(), receiver.name(), hop.channel(), -1, KIND, unread, room), cause,
            sinceMs(hop, end, receiver, cause), receiver.seen(), isFull || wantsToSend(sender),
            List.of(new Stall.Sender(hop.node(), sender.seen().incarnation(), -1, false)), head,
            subject(hop, end, sender, receiver, cause));
    }

    /** Returns the duration of the cause, if it is known. */
    private long sinceMs(
        final Outgoing hop, final Incoming end, final ClusterSample.Node receiver, final WhyCause cause)
    {
        return switch (cause)
        {
            case RECEIVER_STOPPED, RECEIVER_NOT_POLLING, RECEIVER_DEAD -> pollMs(receiver);
            case GAP_REPAIRED -> end.gapMs();
            case HOST_UNREACHABLE -> now.hops().silences().getOrDefault(receiver.info().host(), 0L);
            case DRIVER_NOT_STEPPED -> lateDriver(hop).silentMs();
            default -> 0;
        };
    }

    /** Whom or what a cause is about. */
    private String subject(
        final Outgoing hop, final Incoming end, final ClusterSample.Node sender, final ClusterSample.Node receiver,
        final WhyCause cause)
    {
        final String host = "host " + receiver.info().host();
        final long pollMs = pollMs(receiver);
        return switch (cause)
        {
            case RECEIVER_STOPPED, RECEIVER_NOT_POLLING, RECEIVER_DEAD -> receiver.seen().processText() + " on " +
                host + " (" + (pollMs < POLL_LATE_MS ? "its loop polls, but does not take what has come" :
                "its loop has not polled for " + Age.duration(pollMs)) + ")";
            case CHANNEL_PAUSED -> receiver.seen().processText();
            case GAP_REPAIRED -> "bytes from position " + end.completePosition() + " on are missing at " + host +
                (end.gapMs() == 0 ? "" : " since " + Age.duration(end.gapMs())) + ", later ones up to " +
                end.highestPosition() + " have come";
            case DATAGRAMS_LOST -> end == null ? host + " has nothing of it" : "of " +
                (hop.publishedPosition() - end.consumedPosition()) + " bytes none has come to " + host;
            case HOST_UNREACHABLE -> host + "'s agent " + silence(receiver.info().host());
            case DRIVER_NOT_STEPPED -> driverText(lateDriver(hop),
                lateDriver(hop).nodes().contains(hop.node()) ? sender.info().host() : receiver.info().host());
            default -> "";                          // Not found in a hop.
        };
    }

    private String silence(final String host)
    {
        final Long silentMs = now.hops().silences().get(host);
        return silentMs == null || silentMs == 0 ? "does not answer" :
            "does not answer, and was not heard for " + Age.duration(silentMs);
    }

    private HopReport.Driver lateDriver(final Outgoing hop)
    {
        final HopReport.Driver own = now.hops().driver(hop.node());
        return isLate(own) ? own : now.hops().driver(hop.peer());
    }

    private Stall stall(final HopReport.Driver driver)
    {
        final List<ClusterSample.Node> nodes = driver.nodes().stream().map(now::node).filter(Objects::nonNull)
            .toList();
        final String names = nodes.stream().map(ClusterSample.Node::name).collect(Collectors.joining(", "));
        final String host = nodes.isEmpty() ? "" : nodes.get(0).info().host();
        return new Stall(new Stall.Facts(names, "", -1, -1, "driver", 0, 0), WhyCause.DRIVER_NOT_STEPPED,
            driver.silentMs(), null, false, List.of(),
            "all hops of " + names + " on host " + host + ", for " + Age.duration(driver.silentMs()),
            driverText(driver, host));
    }

    private static String driverText(final HopReport.Driver driver, final String host)
    {
        return "the media driver in process " + driver.processId() + " on host " + host + " has not stepped for " +
            Age.duration(driver.silentMs());
    }

    private Stall stall(final HopReport.Renewal renewal)
    {
        final ClusterSample.Node node = now.node(renewal.node());
        return new Stall(new Stall.Facts(node.name(), "", -1, -1, "client", 0, 0), WhyCause.CLIENT_RENEWED, 0, null,
            false, List.of(), node.name() + " on host " + node.info().host(),
            "at " + Instant.ofEpochMilli(now.epochMs() - renewal.agoMs()).truncatedTo(ChronoUnit.SECONDS) + " (" +
            Age.text(renewal.agoMs()) + (renewal.why().isEmpty() ? "" : ": " + renewal.why()) + ")");
    }

    private long pollMs(final ClusterSample.Node node)
    {
        final long lastMs = node.inbox().lastPollMs() != 0 ? node.inbox().lastPollMs() : node.info().heartbeatMs();
        return Math.max(0, Age.sinceMs(lastMs, now.epochMs()));
    }
}
