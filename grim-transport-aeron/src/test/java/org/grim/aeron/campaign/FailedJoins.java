// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.campaign.history.Incarnation;
import org.grim.death.Faults;

/**
 * Joins of a further host that are refused, each for a reason of its own; nothing of them may stay with the others.
 * Thread: the campaign's.
 */
final class FailedJoins
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final HostNodes nodes;
    private final Faults faults;
    private final SplittableRandom random;
    private final Path strangeKey;
    private final boolean hasKey;
    private final Map<String, Integer> reasons = new TreeMap<>();

    /** Why a join fails. */
    enum Kind
    {
        /** Another size of the cluster. */
        OTHER_SIZE(GrimException.Reason.BAD_DATA),
        /** The name of a live node. */
        TAKEN_NAME(GrimException.Reason.NAME_TAKEN),
        /** The label of a live host. */
        TAKEN_LABEL(GrimException.Reason.NAME_TAKEN),
        /** A time-out in which no host joins. */
        IMPATIENT(GrimException.Reason.TIMED_OUT),
        /** Another key; a key, where the others have none. */
        OTHER_KEY(GrimException.Reason.UNAVAILABLE),
        /** No key, where the others have one. */
        NO_KEY(GrimException.Reason.UNAVAILABLE);

        private final GrimException.Reason reason;

        Kind(final GrimException.Reason reason)
        {
            this.reason = reason;
        }
    }

    FailedJoins(
        final HostNodes nodes, final Faults faults, final SplittableRandom random, final Path strangeKey,
        final boolean hasKey)
    {
        this.nodes = nodes;
        this.faults = faults;
        this.random = random;
        this.strangeKey = strangeKey;
        this.hasKey = hasKey;
    }

    /** One of any kind. The others may be in trouble: it may also be refused because nobody has time for it. */
    void failOnce()
    {
        final Kind[] kinds = Kind.values();
        fail(kinds[random.nextInt(kinds.length)], false);
    }

    /** One of each kind, while all others are well. */
    void failAll()
    {
        for (final Kind kind : Kind.values())
        {
            fail(kind, true);
        }
    }

    @Override
    public String toString()
    {
        return "failed joins=" + reasons;
    }

    private void fail(final Kind kind, final boolean isCertain)
    {
        if (kind == Kind.NO_KEY && !hasKey)
        {
            return;
        }
        final NodeProcess taken = nodes.live().get(random.nextInt(nodes.live().size()));
        final NodeProcess guest = nodes.startOther(HostNodes.GUEST, kind == Kind.TAKEN_NAME ? taken.name : "guest",
            HostNodes.label(kind == Kind.TAKEN_LABEL ? taken.host : HostNodes.GUEST), overrides(kind));
        final Incarnation node = guest.worker.incarnations.get(0);
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (node.refusal == null && !node.isLive() && System.nanoTime() - deadlineNs < 0)
        {
            Uninterrupted.park(LOOK_NS);
        }
        reasons.merge(kind + " by " + node.refusal, 1, Integer::sum);
        if (isCertain ? node.refusal != kind.reason : node.refusal == null && kind != Kind.TAKEN_NAME)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "join of kind=" + kind + " at " + taken + " is refused by reason=" +
                node.refusal + ", not " + kind.reason);
        }
        nodes.kill(List.of(guest));
    }

    private Map<String, Object> overrides(final Kind kind)
    {
        return switch (kind)
        {
            case OTHER_SIZE -> Map.of("grim.cluster.nodes-max", 17);
            case TAKEN_NAME, TAKEN_LABEL -> Map.of();
            case IMPATIENT -> Map.of("grim.network.join-timeout", "100ms");
            case OTHER_KEY -> Map.of("grim.network.key-file", strangeKey.toString());
            case NO_KEY -> Map.of("grim.network.key-file", "");
        };
    }
}
