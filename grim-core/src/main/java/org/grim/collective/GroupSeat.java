// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.grim.cluster.ClusterDirectory;

import static org.grim.collective.RosterMessages.ASK;
import static org.grim.collective.RosterMessages.COLLECT;
import static org.grim.collective.RosterMessages.GO_ON;
import static org.grim.collective.RosterMessages.JOIN;
import static org.grim.collective.RosterMessages.LATEST;
import static org.grim.collective.RosterMessages.LEAVE;
import static org.grim.collective.RosterMessages.OWNER;
import static org.grim.collective.RosterMessages.ROSTER;
import static org.grim.collective.RosterMessages.WAIT;

/**
 * How this node stands to one group: asks who owns it, joins, is a member, owns it.
 * <p>Who asks all nodes and hears from each that it may go on, begins the group and owns it. Of two that ask at a time
 * the one goes on that the other has let go on, or that has the smaller number; as these orders may make a circle, who
 * waits too long lets all others go on for a while, and asks again. The owner alone says who belongs to the group. When
 * it dies, the next one in order that is up asks all others for their latest epoch before it makes another: deaths are
 * facts that all nodes share, so there is one such node.
 * <p>Thread: the host endpoint's owner.
 */
final class GroupSeat
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long REPEAT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PATIENCE_NS_MIN = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long PATIENCE_NS_MAX = TimeUnit.SECONDS.toNanos(2);
    private static final long FORGET_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Roster NONE = new Roster(0, 0, new int[0], new int[0]);

    /** How far this node has come. */
    private enum State
    {
        OUTSIDE, ASKING, RESTING, JOINING, MEMBER, LEAVING
    }

    private final String name;
    private final ClusterDirectory directory;
    private final RosterMessages messages;
    private final Map<Integer, Integer> letGoOn = new HashMap<>();          // Sessions, by node.
    private final Map<Integer, Integer> goesOn = new HashMap<>();           // Incarnations, by node.
    private final Set<Integer> unsent = new HashSet<>();                    // Members without the latest roster.
    private final Map<Integer, Roster> collected = new HashMap<>();
    private State state = State.OUTSIDE;
    private Roster roster;
    private int session = ThreadLocalRandom.current().nextInt();
    private int owner = -1;
    private int collector = -1;
    private long askDeadlineNs;
    private long waitDeadlineNs;
    private long restDeadlineNs;
    private long patienceNs = PATIENCE_NS_MIN;
    private long usedNs = System.nanoTime();

    GroupSeat(final String name, final ClusterDirectory directory, final RosterMessages messages)
    {
        this.name = name;
        this.directory = directory;
        this.messages = messages;
    }

    String name()
    {
        return name;
    }

    /** Who belongs to the group, as far as this node knows; null if it does not. */
    Roster roster()
    {
        return state == State.MEMBER ? roster : null;
    }

    /** Begins to become a member. */
    void join(final long nowNs)
    {
        if (state == State.OUTSIDE || state == State.LEAVING)
        {
            ask(nowNs);
        }
    }

    /** Begins to leave. */
    void leave()
    {
        if (state != State.MEMBER)
        {
            state = State.OUTSIDE;
            return;
        }
        state = State.LEAVING;
        askDeadlineNs = 0;
        if (isOwner())
        {
            install(roster.next(directory, directory.self(), -1, 0));
        }
    }

    /** Whether everybody has the latest roster: what is sent now comes after it. */
    boolean isSpread()
    {
        return unsent.isEmpty();
    }

    /** Whether this node says who belongs to the group. */
    boolean isOwner()
    {
        return roster != null && roster.size() > 0 && roster.owner(directory) == directory.self();
    }

    /** Nodes whose answers are missing, for texts. */
    List<Integer> silent()
    {
        final List<Integer> nodes = new ArrayList<>();
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            if (isToBeAsked(node) && !isLetGoOnBy(node))
            {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Does what is due. */
    void step(final long nowNs)
    {
        spread();
        if (state == State.ASKING && waitDeadlineNs != 0 && waitDeadlineNs - nowNs <= 0)
        {
            state = State.RESTING;
            restDeadlineNs = nowNs + someWhile();
            patienceNs = Math.min(patienceNs * 2, PATIENCE_NS_MAX);
        }
        else if (state == State.ASKING)
        {
            askAll(nowNs);
        }
        else if (state == State.RESTING && restDeadlineNs - nowNs <= 0)
        {
            ask(nowNs);
        }
        else if (state == State.JOINING && !directory.isUp(owner))
        {
            ask(nowNs);
        }
        else if (state == State.JOINING && askDeadlineNs - nowNs <= 0)
        {
            askDeadlineNs = nowNs + REPEAT_NS;
            messages.trySend(owner, JOIN, name, session, 0);
        }
        else if (state == State.MEMBER && isOwner() && !roster.areAllUp(directory))
        {
            succeed(nowNs);
        }
        else if (state == State.LEAVING)
        {
            goOnLeaving(nowNs);
        }
    }

    /** Whether this node is to be a member, and has not heard yet that it is. */
    boolean isJoining()
    {
        return state == State.JOINING;
    }

    /** Whether nobody has asked for a while, and this node does not belong to the group: nothing need be kept. */
    boolean isForgettable(final long nowNs)
    {
        return state == State.OUTSIDE && nowNs - usedNs > FORGET_NS;
    }

    /** A message of another node about the group. */
    void onMessage(final int from, final int kind, final int number, final int node, final Roster members)
    {
        usedNs = System.nanoTime();
        switch (kind)
        {
            case ASK -> answer(from, number);
            case GO_ON ->
            {
                if (state == State.ASKING && number == session)
                {
                    goesOn.put(from, directory.incarnationOf(directory.status(from)));
                    letGoOn.remove(from);
                }
            }
            case WAIT -> onWait(number);
            case OWNER -> onOwner(number, node);
            case JOIN -> onJoin(from);
            case LEAVE -> onLeave(from);
            case ROSTER -> onRoster(from, members);
            case COLLECT -> onCollect(from);
            case LATEST -> collected.put(from, members);
            default -> throw new IllegalArgumentException("kind=" + kind + " of a group's message is unknown");
        }
    }

    private void onWait(final int ofSession)
    {
        if (state == State.ASKING && ofSession == session && waitDeadlineNs == 0)
        {
            waitDeadlineNs = System.nanoTime() + someWhile();
        }
    }

    private long someWhile()
    {
        return ThreadLocalRandom.current().nextLong(patienceNs / 2, patienceNs);
    }

    private void ask(final long nowNs)
    {
        state = State.ASKING;
        waitDeadlineNs = 0;
        session++;
        goesOn.clear();
        askDeadlineNs = nowNs;
    }

    private void askAll(final long nowNs)
    {
        final boolean isDue = askDeadlineNs - nowNs <= 0;
        boolean isMissing = false;
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            if (isToBeAsked(node) && !isLetGoOnBy(node))
            {
                isMissing = true;
                if (isDue)
                {
                    messages.trySend(node, ASK, name, session, 0);
                }
            }
        }
        askDeadlineNs = isDue ? nowNs + RETRY_NS : askDeadlineNs;
        if (!isMissing)
        {
            state = State.MEMBER;
            collector = -1;
            roster = new Roster(ThreadLocalRandom.current().nextInt(), 1, new int[] {directory.self()},
                new int[] {directory.incarnation()});
        }
    }

    private boolean isToBeAsked(final int node)
    {
        return node != directory.self() && directory.isUp(node) && directory.hasJoined(node);
    }

    private boolean isLetGoOnBy(final int node)
    {
        return goesOn.getOrDefault(node, 0) == directory.incarnationOf(directory.status(node));
    }

    private void answer(final int from, final int ofSession)
    {
        final int known = state == State.MEMBER ? roster.owner(directory) : -1;
        if (known >= 0)
        {
            messages.trySend(from, OWNER, name, ofSession, known);
        }
        else if (state == State.ASKING && isBefore(from, ofSession))
        {
            messages.trySend(from, WAIT, name, ofSession, 0);
        }
        else
        {
            letGoOn.put(from, ofSession);
            messages.trySend(from, GO_ON, name, ofSession, 0);
        }
    }

    /** Whether this node goes first, of two that ask. */
    private boolean isBefore(final int other, final int itsSession)
    {
        return isLetGoOnBy(other) ||
            (letGoOn.getOrDefault(other, 0) != itsSession && directory.self() < other);
    }

    private void onOwner(final int ofSession, final int node)
    {
        if (state == State.ASKING && ofSession == session && directory.isUp(node) && node != directory.self())
        {
            state = State.JOINING;
            owner = node;
            askDeadlineNs = 0;
            letGoOn.clear();
        }
    }

    private void onJoin(final int from)
    {
        if (state == State.MEMBER && isOwner() && roster.areAllUp(directory))
        {
            final int incarnation = directory.incarnationOf(directory.status(from));
            final int rank = roster.rankOf(from);
            if (rank < 0 || roster.incarnation(rank) != incarnation)
            {
                install(roster.next(directory, -1, from, incarnation));
            }
            else
            {
                unsent.add(from);                       // It has asked twice.
            }
        }
        else if (state != State.MEMBER)
        {
            messages.trySend(from, ROSTER, name, NONE);
        }
    }

    private void onLeave(final int from)
    {
        if (state == State.MEMBER && isOwner() && roster.areAllUp(directory) && roster.rankOf(from) >= 0)
        {
            install(roster.next(directory, from, -1, 0));
            unsent.add(from);
        }
    }

    private void onRoster(final int from, final Roster members)
    {
        final boolean isMember = members.rankOf(directory.self()) >= 0;
        if (state == State.JOINING && from == owner)
        {
            if (isMember)
            {
                state = State.MEMBER;
                collector = -1;
                roster = members;
            }
            else if (members.epoch() == 0)
            {
                ask(System.nanoTime());                 // It owns the group no more.
            }
        }
        else if (state == State.LEAVING && !isMember)
        {
            state = State.OUTSIDE;
        }
        else if (state == State.MEMBER && isMember && members.id() == roster.id() &&
            members.epoch() > roster.epoch() && isEntitled(from))
        {
            roster = members;
        }
    }

    /** What an owner said before it died must not come after its successor has asked. */
    private boolean isEntitled(final int from)
    {
        return collector < 0 || from == collector || !directory.isUp(collector) ||
            roster.rankOf(from) > roster.rankOf(collector);
    }

    private void onCollect(final int from)
    {
        collector = from;
        messages.trySend(from, LATEST, name, roster == null ? NONE : roster);
    }

    /** After deaths: nobody may have a later epoch than this node, before it makes the next. */
    private void succeed(final long nowNs)
    {
        for (final Roster other : collected.values())
        {
            if (other.id() == roster.id() && other.epoch() > roster.epoch() &&
                other.rankOf(directory.self()) >= 0)
            {
                roster = other;
            }
        }
        final boolean isDue = askDeadlineNs - nowNs <= 0;
        boolean isMissing = false;
        for (int rank = 0; rank < roster.size(); rank++)
        {
            final int node = roster.nodes()[rank];
            if (node != directory.self() && roster.isUp(directory, rank) && !collected.containsKey(node))
            {
                isMissing = true;
                if (isDue)
                {
                    messages.trySend(node, COLLECT, name, roster);
                }
            }
        }
        askDeadlineNs = isDue ? nowNs + RETRY_NS : askDeadlineNs;
        if (!isMissing)
        {
            collected.clear();
            install(roster.next(directory, -1, -1, 0));
        }
    }

    private void install(final Roster next)
    {
        roster = next;
        for (final int node : next.nodes())
        {
            if (node != directory.self())
            {
                unsent.add(node);
            }
        }
        spread();
    }

    private void spread()
    {
        if (!unsent.isEmpty())
        {
            unsent.removeIf(node -> !directory.isUp(node) || messages.trySend(node, ROSTER, name, roster));
        }
    }

    private void goOnLeaving(final long nowNs)
    {
        final int known = roster.rankOf(directory.self()) < 0 ? -1 : roster.owner(directory);
        if (known < 0 || known == directory.self())
        {
            state = unsent.isEmpty() ? State.OUTSIDE : state;
        }
        else if (askDeadlineNs - nowNs <= 0)
        {
            askDeadlineNs = nowNs + REPEAT_NS;
            messages.trySend(known, LEAVE, name, session, 0);
        }
    }

    /** Whether there is nothing more to be done for one that leaves. */
    boolean isOutside()
    {
        return state == State.OUTSIDE;
    }
}
