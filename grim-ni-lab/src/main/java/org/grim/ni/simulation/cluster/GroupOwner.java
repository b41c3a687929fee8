// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.grim.ni.clock.Event;
import org.grim.ni.event.Outcome;
import org.grim.ni.simulation.check.EventKind;
import org.grim.ni.simulation.check.MulticastLedger;
import org.grim.ni.simulation.check.PairLedger;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Draws;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.wire.MulticastFormat;

/**
 * Owner of a group: knows its subscribers and changes its tree. Ends an epoch, waits until all subscribers have read
 * its last message, and begins the next one with those that are subscribed then. Where NIs may be lost it waits for a
 * time only; the NIs of those that did not confirm in time jump. It never sends an update before it knows the outcome
 * of the previous one: an NI that has begun again would not know which is older.
 * <p>Thread: the simulation's.
 */
final class GroupOwner extends Event
{
    private static final int NODE_SHIFT = 4;
    private static final int CHANNEL_SHIFT = 8;
    private static final int BYTE_MASK = 0xFF;
    private static final int NOBODY = -1;
    private static final int PATIENCE_MAX = 12;
    private static final long POLL_NS = 20_000;
    private static final long POLL_NS_MAX = 500_000;

    private final int tree;
    private final Cluster cluster;
    private final Run run;
    private final Draws draws;
    private final MulticastLedger multicasts;
    private final boolean isUndisturbed;
    private final KnownTree known;
    private State state = State.OPENING;
    private int epoch;
    private int[] subscribers = {};         // NI and channel each.
    private int ownerNi = NOBODY;
    private PairLedger pair;                // Of the update that is under way, and its number there.
    private int number;
    private int reunionCount;               // Tickets that reunite the group; 0 unless that is wanted.
    private long deadlineNs;
    private int patience;                   // Doublings of the time to wait.
    private long pollNs = POLL_NS;

    private enum State
    {
        /** Messages are sent by the tree. */
        OPEN,
        /** The update that ends the epoch did not find room yet. */
        CLOSING,
        /** It is under way, and subscribers have not confirmed yet. */
        CONFIRMING,
        /** The update that begins an epoch did not find room yet. */
        OPENING,
        /** It is under way. */
        ESTABLISHING
    }

    GroupOwner(final int tree, final Cluster cluster, final Run run)
    {
        this.tree = tree;
        this.cluster = cluster;
        this.run = run;
        draws = new Draws(run.parameters().seed(), "group " + tree);
        multicasts = run.ledger().multicasts();
        known = run.workload().tree(tree);
        isUndisturbed = !run.parameters().canLosePeers();
    }

    void start()
    {
        wake(POLL_NS);
    }

    /** All living NIs shall be subscribed, and reached by a message. */
    void reunite()
    {
        reunionCount = 2;
        if (!isScheduled())
        {
            wake(1);
        }
    }

    boolean isAtRest()
    {
        return (state == State.OPEN && reunionCount == 0) || living().length == 0;
    }

    @Override
    public String toString()
    {
        return "tree " + tree + " epoch " + epoch + " in state " + state;
    }

    @Override
    protected void run()
    {
        final State before = state;
        switch (state)
        {
            case OPEN -> onOpen();
            case CLOSING -> close();
            case CONFIRMING -> confirm();
            case OPENING -> open();
            case ESTABLISHING -> establish();
        }
        known.isOpen = state == State.OPEN;
        pollNs = before == state ? Math.min(2 * pollNs, POLL_NS_MAX) : POLL_NS;
        final boolean isWaiting = state != State.OPEN || reunionCount > 0;
        if (isWaiting)
        {
            wake(pollNs);
        }
        else if (run.workload().hasMore() && run.parameters().is(Setting.TREE_CHANGE_NS))
        {
            wake(before == State.OPEN ? pollNs : draws.between(1, 2 * run.parameters().get(Setting.TREE_CHANGE_NS)));
        }
    }

    private void onOpen()
    {
        if (reunionCount == 0)
        {
            state = run.workload().hasMore() ? State.CLOSING : State.OPEN;
            return;
        }
        if (isReunited())
        {
            reunionCount = 0;
            return;
        }
        if (reunionCount == 2 && subscribers.length == subscribers(true).length && isSent())
        {
            reunionCount = 1;
            deadline();
        }
        else if (reunionCount == 2 || run.clock().nowNs() - deadlineNs > 0)
        {
            reunionCount = 2;
            patience = Math.min(patience + 1, PATIENCE_MAX);
            state = State.CLOSING;
        }
    }

    /** Whether all subscribers have all messages of an epoch in which one was sent after all faults had ceased. */
    private boolean isReunited()
    {
        final int labelledCount = multicasts.labelledCount(tree, epoch);
        return reunionCount == 1 && pair.outcome(number) == Outcome.ACKNOWLEDGED &&
            Arrays.stream(subscribers).allMatch(each -> multicasts.seenCount(tree, epoch, each) == labelledCount);
    }

    private boolean isSent()
    {
        return send(MulticastFormat.DATA, 0, new long[0]);
    }

    private void close()
    {
        if (cluster.boards[rootNi()].isDead())
        {
            state = State.OPENING;
        }
        else if (send(MulticastFormat.CLOSE, 0, new long[0]))
        {
            deadline();
            state = State.CONFIRMING;
        }
    }

    private void confirm()
    {
        final Outcome outcome = pair.outcome(number);
        final boolean isOver = outcome != null && outcome != Outcome.ACKNOWLEDGED;
        if (outcome == null && !isDead())
        {
            return;
        }
        if (isUndisturbed && isOver)
        {
            throw new ViolationException("update", this + ": its end is " + outcome);
        }
        if (isOver || isConfirmed() || isLate())
        {
            state = State.OPENING;
        }
    }

    private boolean isConfirmed()
    {
        return Arrays.stream(subscribers).allMatch(each -> multicasts.isClosed(tree, epoch, each));
    }

    private void open()
    {
        final int[] next = subscribers(reunionCount > 0);
        if (next.length == 0)
        {
            return;
        }
        final int[] before = subscribers;
        final boolean isFirst = before.length == 0;
        final boolean isConfirmed = isFirst || isConfirmed();
        final long[] words = LongStream.range(0, next.length).map(i ->
        {
            final int ni = next[(int)i] >>> CHANNEL_SHIFT;
            final boolean isJump = Arrays.stream(before)
                .anyMatch(each -> each >>> CHANNEL_SHIFT == ni && !multicasts.isClosed(tree, epoch, each));
            return MulticastFormat.subscriberWord(ni, isJump ? MulticastFormat.JUMP : 0, next[(int)i] & BYTE_MASK,
                cluster.nodeOf(ni) << NODE_SHIFT);
        }).toArray();
        final int oldRoot = isFirst ? -1 : rootNi();
        subscribers = next;
        epoch++;
        multicasts.opened(tree, epoch, next);
        if (!send(MulticastFormat.OPEN, words.length * MulticastFormat.SUBSCRIBER_LENGTH, words))
        {
            subscribers = before;
            epoch--;
            multicasts.withdrawn(tree, epoch + 1);
            return;
        }
        run.trace().event(EventKind.TREE_OPENED, null, rootNi(), Trace.NONE, tree, epoch, next.length, rootNi());
        run.trace().reach(isConfirmed ? Probe.TREE_CHANGED : Probe.SUBSCRIBER_JUMPED);
        if (!isFirst && oldRoot != rootNi())
        {
            run.trace().reach(Probe.ROOT_CHANGED);
        }
        deadline();
        state = State.ESTABLISHING;
    }

    private void establish()
    {
        final Outcome outcome = pair.outcome(number);
        if (outcome == Outcome.ACKNOWLEDGED)
        {
            known.rootNi = rootNi();
            known.epoch = epoch;
            state = State.OPEN;
        }
        else if (isUndisturbed && outcome != null)
        {
            throw new ViolationException("update", this + ": its beginning is " + outcome);
        }
        else if (outcome != null || isDead())
        {
            state = State.CLOSING;
        }
    }

    private void deadline()
    {
        deadlineNs = run.clock().nowNs() + (run.parameters().get(Setting.TREE_TIME_OUT_NS) << patience);
    }

    private boolean isLate()
    {
        return !isUndisturbed && run.clock().nowNs() - deadlineNs > 0;
    }

    /** Whether the NI by which the last update was sent will not say what became of it. */
    private boolean isDead()
    {
        return cluster.boards[ownerNi].isDead();
    }

    /** Sends by the owner's host; once its NI is dead, another one owns the group. False if there is no room. */
    private boolean send(final int kind, final int length, final long[] words)
    {
        final int[] living = living();
        if (living.length == 0)
        {
            return false;
        }
        if (ownerNi == NOBODY || isDead())
        {
            ownerNi = living[draws.below(living.length)];
        }
        pair = run.ledger().pair(ownerNi, 0, rootNi(), MulticastFormat.INJECTION_CHANNEL);
        number = pair.nextNumber();
        return cluster.hosts[ownerNi].senders[0].trySendMulticast(
            tree, rootNi(), epoch, kind, length, words, kind != MulticastFormat.DATA);
    }

    /** Returns the current subscribers: at least one, if any NI is alive, and no more than an update can name. */
    private int[] subscribers(final boolean isAll)
    {
        final int channelCount = run.parameters().count(Setting.CHANNEL_COUNT);
        final int[] possible = IntStream.range(0, cluster.boards.length * channelCount)
            .filter(i -> !cluster.boards[i / channelCount].isDead() && (!isAll || i % channelCount == 0))
            .map(i -> MulticastLedger.subscriber(i / channelCount, i % channelCount)).toArray();
        final int most = Math.min(possible.length,
            run.layout().multicastLengthMax / MulticastFormat.SUBSCRIBER_LENGTH);
        final int[] chosen = isAll ? possible : Arrays.stream(possible)
            .filter(i -> draws.chance(run.parameters().get(Setting.SUBSCRIBER_PERMILLE))).toArray();
        return Arrays.copyOf(chosen.length == 0 ? possible : chosen, Math.min(most,
            chosen.length == 0 ? Math.min(1, possible.length) : chosen.length));
    }

    private int rootNi()
    {
        return subscribers[0] >>> CHANNEL_SHIFT;
    }

    private int[] living()
    {
        return IntStream.range(0, cluster.boards.length).filter(ni -> !cluster.boards[ni].isDead()).toArray();
    }

    private void wake(final long afterNs)
    {
        run.clock().schedule(this, run.clock().nowNs() + afterNs);
    }
}
