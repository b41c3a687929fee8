// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

import org.agrona.collections.Int2IntHashMap;
import org.grim.collective.RosterMessage.Kind;
import org.grim.group.Group;
import org.grim.transport.Membership;

import static org.grim.collective.RosterMessage.Kind.ACK;
import static org.grim.collective.RosterMessage.Kind.ASK;
import static org.grim.collective.RosterMessage.Kind.GONE;
import static org.grim.collective.RosterMessage.Kind.GO_ON;
import static org.grim.collective.RosterMessage.Kind.JOIN;
import static org.grim.collective.RosterMessage.Kind.LEAVE;
import static org.grim.collective.RosterMessage.Kind.OWNER;
import static org.grim.collective.RosterMessage.Kind.REFUSED;
import static org.grim.collective.RosterMessage.Kind.ROSTER;

/**
 * The role of this node in one group: nothing, a node that looks for its owner, joins, is a member, owns it, or leaves.
 * <p>The owner is the first member in order that is up and has not left. It alone makes epochs, and each epoch names
 * its maker ({@link MakerEpochNumbers}). It repeats the latest roster until each member has acknowledged it. A node
 * that a roster names by an attempt to join which is over answers that it has left. A member that takes over makes an
 * epoch of its own; a member whose owner has not made its roster reports itself there, and is let in if it is unknown.
 * Of two owners that find each other the one with the greater node number joins the other, and directs its members
 * there.
 * <p>Time and what the cluster knows of nodes are arguments; output goes to a sink that may refuse it and is asked
 * again, by {@link #step} alone: so nothing is sent inside a handler.
 * <p>Thread: the host endpoint's owner.
 */
final class GroupRole
{
    static final long REPEAT_NS_MIN = TimeUnit.MILLISECONDS.toNanos(500);
    static final long REPEAT_NS_MAX = TimeUnit.SECONDS.toNanos(8);
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ANNOUNCE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FORGET_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int NOBODY = -1;

    /** Steps of this node towards membership. */
    enum State
    {
        /** It does not belong to the group, and does not want to. */
        OUTSIDE,
        /** It asks all nodes who owns the group. */
        ASKING,
        /** It has asked the owner to let it in. */
        JOINING,
        /** A roster names it. */
        MEMBER,
        /** It waits until the owner, or its heir, knows that it leaves. */
        LEAVING
    }

    private final String name;
    private final int id;
    private final Membership membership;
    private final IntPredicate hasJoined;
    private final NodeSessions sessions;
    private final EpochNumbers epochs;
    private final Agreement agreement;
    private final RosterMail mail;
    private final OwnerSearch search;
    private final Map<Integer, RosterMessage> questions = new HashMap<>();  // Without an answer, by node.
    private final Set<Member> departed = new HashSet<>();                   // Of the roster; they have said so.
    private final Set<Integer> unacknowledged = new HashSet<>();
    private final Int2IntHashMap announced = new Int2IntHashMap(0);         // Incarnations that know the owner.
    private final Int2IntHashMap refusedBy = new Int2IntHashMap(0);         // Incarnations of other owners.
    private State state = State.OUTSIDE;
    private Roster roster;
    private int session;
    private int membershipCount;
    private int latestEpoch;
    private int target = NOBODY;
    private int otherOwner = NOBODY;
    private boolean isUnsettled;
    private boolean isReturning;
    private boolean hasReceiver;
    private String refusal;
    private String conflict;
    private long repeatNs;
    private long repeatDeadlineNs;
    private long restDeadlineNs;
    private long announceDeadlineNs;
    private long usedNs;

    GroupRole(
        final String name, final int id, final Membership membership, final IntPredicate hasJoined,
        final NodeSessions sessions, final EpochNumbers epochs, final Agreement agreement, final RosterSink sink)
    {
        this.name = name;
        this.id = id;
        this.membership = membership;
        this.hasJoined = hasJoined;
        this.sessions = sessions;
        this.epochs = epochs;
        this.agreement = agreement;
        latestEpoch = sessions.epochFloor();
        mail = new RosterMail(sink, membership);
        search = new OwnerSearch(membership, hasJoined, sessions);
    }

    String name()
    {
        return name;
    }

    State state()
    {
        return state;
    }

    /** The members of the group, as far as this node knows; null if it does not. */
    Roster roster()
    {
        return state == State.MEMBER ? roster : null;
    }

    /** Whether this node says who belongs to the group. */
    boolean isOwner()
    {
        return state == State.MEMBER && isConfirmed() && owner() == self();
    }

    /** Whether the roster was made by the member that owns the group now: no other one is about to come. */
    boolean isConfirmed()
    {
        final int owner = state == State.MEMBER ? owner() : NOBODY;
        return owner >= 0 && epochs.isOf(roster.epoch(), owner);
    }

    /** Whether all members have been sent the latest roster: what is sent now comes after it. */
    boolean isSpread()
    {
        if (!mail.isEmpty() && state == State.MEMBER)
        {
            for (final int node : roster.nodes())
            {
                if (mail.holds(node, ROSTER))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether this node asked to be a member, and has not heard yet that it is. */
    boolean isJoining()
    {
        return state == State.JOINING;
    }

    /** Whether there is nothing more to be done for a node that leaves. */
    boolean isOutside()
    {
        return state == State.OUTSIDE && !isReturning;
    }

    /** The reason why the owner did not let this node in; null if it did not refuse. */
    String refusal()
    {
        return refusal;
    }

    /** The reason why another group of the name cannot become one with this one; null if none is new. */
    String takeConflict()
    {
        final String taken = conflict;
        conflict = null;
        return taken;
    }

    /** Nodes whose answers are missing, for texts. */
    List<Integer> silent()
    {
        return state == State.JOINING || (state == State.LEAVING && target >= 0) ? List.of(target) : search.silent();
    }

    /** Whether nobody has asked for a while, and this node does not belong to the group: nothing need be kept. */
    boolean isForgettable(final long nowNs)
    {
        return isOutside() && mail.isEmpty() && questions.isEmpty() && nowNs - usedNs > FORGET_NS;
    }

    /** Keeps what must outlive this. */
    void forget()
    {
        sessions.forget(latestEpoch);
    }

    /**
     * Begins to become a member; a node that leaves has to be outside first.
     *
     * @param isReceiving whether another endpoint of this node handles its multicasts: the roster says so to all.
     */
    void join(final long nowNs, final boolean isReceiving)
    {
        hasReceiver = isReceiving;
        switch (state)
        {
            case OUTSIDE ->
            {
                session = sessions.nextSession(hasReceiver);
                refusal = null;
                ask(nowNs, nowNs);
            }
            case LEAVING -> isReturning = true;
            case ASKING, JOINING, MEMBER ->
            {
                // It has.
            }
        }
    }

    /** Gives up joining, or begins to leave. */
    void leave(final long nowNs)
    {
        switch (state)
        {
            case OUTSIDE, LEAVING -> isReturning = false;
            case ASKING -> transition(State.OUTSIDE, nowNs);
            case JOINING ->
            {
                mail.withdraw(JOIN);
                post(target, LEAVE, session, 0);
                transition(State.OUTSIDE, nowNs);
            }
            case MEMBER -> transition(State.LEAVING, nowNs);
        }
    }

    /** Does what is due, and sends. */
    void step(final long nowNs)
    {
        if (state == State.OUTSIDE && isReturning)
        {
            isReturning = false;
            join(nowNs, hasReceiver);
        }
        switch (state)
        {
            case OUTSIDE ->
            {
                // Others are answered below.
            }
            case ASKING -> stepAsking(nowNs);
            case JOINING -> stepJoining(nowNs);
            case MEMBER -> stepMember(nowNs);
            case LEAVING -> stepLeaving(nowNs);
        }
        if (!questions.isEmpty())
        {
            questions.entrySet().removeIf(entry -> !membership.isUp(entry.getKey()) ||
                tryAnswer(entry.getKey(), entry.getValue()));
        }
        mail.flush();
    }

    /** A message of another node about the group. Of a node that is not up only the epoch counts. */
    void onMessage(final int from, final RosterMessage message, final long nowNs)
    {
        latestEpoch = message.kind() == ASK ? latestEpoch : Math.max(latestEpoch, message.epoch());
        usedNs = nowNs;
        if (membership.status(from) != membership.upStatus(message.incarnation()))
        {
            return;
        }
        switch (message.kind())
        {
            case ASK -> onAsk(from, message);
            case GO_ON -> search.onGoOn(from, message.extra(), message.session());
            case OWNER -> onOwner(from, message.extra(), nowNs);
            case JOIN -> onJoin(from, message, nowNs);
            case REFUSED -> onRefused(from, message, nowNs);
            case LEAVE -> onLeave(from, message, nowNs);
            case GONE -> onGone(from, message, nowNs);
            case ROSTER -> onRoster(from, message.members(), nowNs);
            case ACK -> onAcknowledged(from, message.extra(), nowNs);
        }
        if (state == State.MEMBER)
        {
            takeOverIfDue(nowNs);
        }
    }

    private void stepAsking(final long nowNs)
    {
        if (restDeadlineNs - nowNs > 0)
        {
            return;
        }
        if (isRepeatDue(nowNs))
        {
            search.repeat();
        }
        if (search.step(this::postQuestion))
        {
            final int epoch = epochs.next(latestEpoch);
            transition(State.MEMBER, nowNs);
            search.copyAnswers(announced);
            install(new Roster(id, epoch, new int[] {self()}, new int[] {membership.incarnation()},
                new int[] {session}), nowNs);
        }
    }

    private void stepJoining(final long nowNs)
    {
        if (!membership.isUp(target))
        {
            ask(nowNs, nowNs);
        }
        else if (isRepeatDue(nowNs))
        {
            postJoin(target);
        }
    }

    private void stepMember(final long nowNs)
    {
        takeOverIfDue(nowNs);
        final int owner = owner();
        if (owner == self())
        {
            stepOwner(nowNs);
        }
        else if (owner >= 0)
        {
            stepFollower(owner, nowNs);
        }
    }

    private void takeOverIfDue(final long nowNs)
    {
        if (owner() == self())
        {
            final boolean isMaker = epochs.isOf(roster.epoch(), self());
            if (!isMaker)
            {
                announced.clear();
            }
            if (!isMaker || !areAllIn())
            {
                install(nextRoster(), nowNs);
            }
        }
    }

    private void stepOwner(final long nowNs)
    {
        forgetDown();
        otherOwner = otherOwner >= 0 && membership.isUp(otherOwner) ? otherOwner : NOBODY;
        if ((!unacknowledged.isEmpty() || otherOwner >= 0) && isRepeatDue(nowNs))
        {
            unacknowledged.forEach(this::postRoster);
            if (otherOwner >= 0)
            {
                postJoin(otherOwner);
            }
        }
        if (announceDeadlineNs - nowNs <= 0)
        {
            announceDeadlineNs = nowNs + ANNOUNCE_NS;
            announce();
        }
    }

    /** Nodes that this one did not see when it created the group may have created another. */
    private void announce()
    {
        for (int node = 0; node < membership.nodeCountMax(); node++)
        {
            if (node != self() && membership.isUp(node) && hasJoined.test(node) &&
                announced.get(node) != incarnation(node))
            {
                announced.put(node, incarnation(node));
                if (roster.rankOf(node, incarnation(node)) < 0)
                {
                    post(node, OWNER, 0, self());
                }
            }
        }
    }

    private void stepFollower(final int owner, final long nowNs)
    {
        final boolean isMaker = epochs.isOf(roster.epoch(), owner);
        if (isMaker && areAllIn() && !isUnsettled)
        {
            target = NOBODY;
        }
        else if (target == NOBODY && isMaker)
        {
            target = owner;                             // It is about to make another epoch.
            restartRepeat(nowNs);
        }
        else if (target != owner)
        {
            target = owner;
            restartRepeat(nowNs);
            postJoin(owner);
        }
        else if (isRepeatDue(nowNs))
        {
            postJoin(owner);
        }
    }

    private void stepLeaving(final long nowNs)
    {
        forgetDown();
        final int owner = owner();
        if (!isNamed())
        {
            // It has owned the group. Its heir informs the others as soon as it knows.
            if (owner == NOBODY || !unacknowledged.contains(owner))
            {
                transition(State.OUTSIDE, nowNs);
            }
            else if (isRepeatDue(nowNs))
            {
                unacknowledged.forEach(this::postRoster);
            }
        }
        else if (owner == self())
        {
            install(roster.next(epochs.next(latestEpoch), rank -> isIn(rank) && roster.nodes()[rank] != self()), nowNs);
        }
        else if (owner == NOBODY)
        {
            transition(State.OUTSIDE, nowNs);
        }
        else if (owner != target || isRepeatDue(nowNs))
        {
            target = owner;
            post(owner, LEAVE, session, 0);
        }
    }

    private void forgetDown()
    {
        if (!unacknowledged.isEmpty())
        {
            unacknowledged.removeIf(node -> !membership.isUp(node));
        }
    }

    private void onAsk(final int from, final RosterMessage message)
    {
        sessions.hear(message.extra());
        depart(from, message, message.session() - 1);
        questions.put(from, message);
    }

    /** Answers a question, if this node can do so now. */
    private boolean tryAnswer(final int from, final RosterMessage question)
    {
        switch (state)
        {
            case OUTSIDE -> post(from, GO_ON, membershipCount, question.extra());
            case ASKING ->
            {
                if (search.isBefore(question.epoch(), from))
                {
                    return false;
                }
                post(from, GO_ON, membershipCount, question.extra());
            }
            case JOINING ->
            {
                return false;                           // The owner knows more.
            }
            case MEMBER, LEAVING -> direct(from, question, GO_ON, membershipCount, question.extra());
        }
        return true;
    }

    /** Says to a node that is no owner where it belongs; if this node does not know, something else. */
    private void direct(
        final int from, final RosterMessage message, final Kind otherwise, final int ofSession, final int extra)
    {
        final int owner = owner();
        final int heir = state == State.LEAVING && owner == self() ? firstIn(self()) : owner;
        if (roster.names(from, message.incarnation(), message.session()))
        {
            postRoster(from);
        }
        else if (heir >= 0)
        {
            post(from, OWNER, 0, heir);
        }
        else
        {
            post(from, otherwise, ofSession, extra);
        }
    }

    private void onOwner(final int from, final int owner, final long nowNs)
    {
        if (owner == self() || owner < 0 || owner >= membership.nodeCountMax() || !membership.isUp(owner))
        {
            return;
        }
        switch (state)
        {
            case OUTSIDE, LEAVING ->
            {
                // It does not matter here.
            }
            case ASKING ->
            {
                target = owner;
                transition(State.JOINING, nowNs);
                postJoin(owner);
            }
            case JOINING ->
            {
                if (from == target && owner != target)
                {
                    target = owner;
                    restartRepeat(nowNs);
                    postJoin(owner);
                }
            }
            case MEMBER -> onOtherOwner(from, owner);
        }
    }

    private void onOtherOwner(final int from, final int other)
    {
        final int owner = owner();
        if (owner == self())
        {
            contend(other);
        }
        else if (other == owner)
        {
            isUnsettled = true;
            postJoin(owner);                            // It says so to nodes only that are no members.
        }
        else if (from == other)
        {
            isUnsettled = true;                         // Perhaps the owner has left.
            post(other, OWNER, 0, owner);               // Otherwise the two settle it.
        }
        else if (roster.rankOf(from, incarnation(from)) >= 0)
        {
            isUnsettled = true;
            postJoin(other);
        }
    }

    /** Ends the contest of two owners: the one with the greater number joins the other. */
    private void contend(final int other)
    {
        if (other == self() || !membership.isUp(other) || refusedBy.get(other) == incarnation(other))
        {
            return;
        }
        if (other < self())
        {
            otherOwner = other;
            postJoin(other);
        }
        else
        {
            post(other, OWNER, 0, self());
        }
    }

    private void onJoin(final int from, final RosterMessage message, final long nowNs)
    {
        depart(from, message, message.session() - 1);
        switch (state)
        {
            case OUTSIDE, ASKING, JOINING -> post(from, GONE, endedSession(), 0);
            case LEAVING -> direct(from, message, GONE, session, 0);
            case MEMBER ->
            {
                if (owner() == self())
                {
                    admit(from, message, nowNs);
                }
                else
                {
                    direct(from, message, GONE, session - 1, 0);
                }
            }
        }
    }

    private void admit(final int from, final RosterMessage message, final long nowNs)
    {
        final int rank = roster.rankOf(from, message.incarnation());
        if (rank >= 0 && roster.session(rank) == message.session())
        {
            if (message.epoch() > roster.epoch())
            {
                install(nextRoster(), nowNs);
            }
            else
            {
                unacknowledged.add(from);
                postRoster(from);
            }
            return;
        }
        if (rank >= 0 && roster.session(rank) - message.session() > 0)
        {
            return;                                     // An old wish.
        }
        final String reason = roster.size() == Group.SIZE_MAX ? "group size=" + (Group.SIZE_MAX + 1) +
            " exceeds max=" + Group.SIZE_MAX : agreement.refusal(from, message.text(), self());
        if (reason == null)
        {
            install(nextRoster().with(from, message.incarnation(), message.session()), nowNs);
        }
        else
        {
            mail.post(from, message(REFUSED, message.session(), 0, null, reason));
        }
    }

    private void onRefused(final int from, final RosterMessage message, final long nowNs)
    {
        if (state == State.JOINING && message.session() == session)
        {
            refusal = message.text();
            transition(State.OUTSIDE, nowNs);
        }
        else if (state == State.MEMBER && from == otherOwner)
        {
            otherOwner = NOBODY;
            refusedBy.put(from, message.incarnation());
            conflict = message.text();
        }
    }

    private void onLeave(final int from, final RosterMessage message, final long nowNs)
    {
        depart(from, message, message.session());
        switch (state)
        {
            case OUTSIDE, ASKING, JOINING -> post(from, GONE, endedSession(), 0);
            case MEMBER ->
            {
                takeOverIfDue(nowNs);
                postRoster(from);
            }
            case LEAVING -> postRoster(from);
        }
    }

    private void onGone(final int from, final RosterMessage message, final long nowNs)
    {
        depart(from, message, message.session());
        if (state == State.JOINING && from == target)
        {
            ask(nowNs, nowNs + REST_NS);                // The node that named it has to hear of it, too.
        }
        otherOwner = from == otherOwner ? NOBODY : otherOwner;
    }

    private void onRoster(final int from, final Roster members, final long nowNs)
    {
        final int rank = members.rankOf(self(), membership.incarnation());
        final boolean isNewer = roster == null || members.epoch() > roster.epoch();
        if (rank < 0)
        {
            onRosterOfOthers(from, isNewer, nowNs);
        }
        else if (members.session(rank) != session || state == State.OUTSIDE)
        {
            post(from, LEAVE, members.session(rank), 0);
        }
        else if (state == State.LEAVING)
        {
            roster = isNewer ? members : roster;
            post(from, LEAVE, session, 0);
        }
        else
        {
            if (state != State.MEMBER)
            {
                transition(State.MEMBER, nowNs);
            }
            if (isNewer)
            {
                adopt(members, nowNs);
            }
            isUnsettled &= members.epoch() != roster.epoch();
            post(from, ACK, 0, roster.epoch());
        }
    }

    private void onRosterOfOthers(final int from, final boolean isNewer, final long nowNs)
    {
        if (state == State.LEAVING && (isNewer || from == target))
        {
            transition(State.OUTSIDE, nowNs);
        }
        else if (state == State.MEMBER && isNewer)
        {
            isUnsettled = true;
            postJoin(from);
        }
    }

    private void adopt(final Roster next, final long nowNs)
    {
        final Roster former = roster;
        final boolean wasOwner = former != null && epochs.isOf(former.epoch(), self());
        begin(next, nowNs);
        if (wasOwner)
        {
            for (final int node : former.nodes())
            {
                if (node != self() && next.rankOf(node) < 0)
                {
                    post(node, OWNER, 0, owner());
                }
            }
        }
    }

    private void onAcknowledged(final int from, final int epoch, final long nowNs)
    {
        if (state == State.LEAVING && epoch >= roster.epoch())
        {
            unacknowledged.remove(from);
        }
        else if (state == State.MEMBER && owner() == self() && epoch == roster.epoch())
        {
            unacknowledged.remove(from);
        }
        else if (state == State.MEMBER && owner() == self() && epoch > roster.epoch())
        {
            latestEpoch = Math.max(latestEpoch, epoch);
            install(nextRoster(), nowNs);
            contend(epochs.maker(epoch));
        }
    }

    /** A node has said that it belongs to the group no more by this attempt to join, nor by an earlier one. */
    private void depart(final int node, final RosterMessage message, final int ofSession)
    {
        final int rank = roster == null ? NOBODY : roster.rankOf(node, message.incarnation());
        if (rank >= 0 && roster.session(rank) - ofSession <= 0)
        {
            departed.add(new Member(node, message.incarnation(), roster.session(rank)));
        }
    }

    private boolean isIn(final int rank)
    {
        return roster.isUp(membership, rank) && (departed.isEmpty() || !departed.contains(
            new Member(roster.nodes()[rank], roster.incarnation(rank), roster.session(rank))));
    }

    private boolean areAllIn()
    {
        for (int rank = 0; rank < roster.size(); rank++)
        {
            if (!isIn(rank))
            {
                return false;
            }
        }
        return true;
    }

    /** The first member in order that is up and has not left; -1 if there is none. */
    private int owner()
    {
        return firstIn(NOBODY);
    }

    private int firstIn(final int except)
    {
        for (int rank = 0; rank < roster.size(); rank++)
        {
            if (roster.nodes()[rank] != except && isIn(rank))
            {
                return roster.nodes()[rank];
            }
        }
        return NOBODY;
    }

    private boolean isNamed()
    {
        return roster.names(self(), membership.incarnation(), session);
    }

    private Roster nextRoster()
    {
        return roster.next(epochs.next(latestEpoch), this::isIn);
    }

    /** This node makes an epoch. */
    private void install(final Roster next, final long nowNs)
    {
        assert epochs.isOf(next.epoch(), self()) && (roster == null || next.epoch() > roster.epoch()) : next.epoch();
        begin(next, nowNs);
        for (final int node : next.nodes())
        {
            if (node != self())
            {
                unacknowledged.add(node);
                postRoster(node);
            }
        }
    }

    private void begin(final Roster next, final long nowNs)
    {
        roster = next;
        latestEpoch = Math.max(latestEpoch, next.epoch());
        target = NOBODY;
        isUnsettled = false;
        otherOwner = epochs.isOf(next.epoch(), self()) ? otherOwner : NOBODY;
        unacknowledged.clear();
        departed.removeIf(member -> !next.names(member.node, member.incarnation, member.session));
        restartRepeat(nowNs);
    }

    private void ask(final long nowNs, final long beginNs)
    {
        restDeadlineNs = beginNs;
        transition(State.ASKING, nowNs);
        search.begin();
    }

    private void transition(final State next, final long nowNs)
    {
        assert isLegal(next) : state + " to " + next;
        state = next;
        usedNs = nowNs;
        switch (next)
        {
            case OUTSIDE, ASKING ->
            {
                roster = null;
                target = NOBODY;
                otherOwner = NOBODY;
                unacknowledged.clear();
                departed.clear();
                announced.clear();
                mail.withdraw(ROSTER);
            }
            case JOINING ->
            {
                // The owner is known.
            }
            case MEMBER -> membershipCount++;
            case LEAVING -> target = NOBODY;
        }
        restartRepeat(nowNs);
    }

    private boolean isLegal(final State next)
    {
        return switch (next)
        {
            case OUTSIDE -> state != State.OUTSIDE && state != State.MEMBER;
            case ASKING -> state == State.OUTSIDE || state == State.JOINING;
            case JOINING -> state == State.ASKING;
            case MEMBER -> state == State.ASKING || state == State.JOINING;
            case LEAVING -> state == State.MEMBER;
        };
    }

    private void restartRepeat(final long nowNs)
    {
        repeatNs = REPEAT_NS_MIN;
        repeatDeadlineNs = nowNs + repeatNs;
    }

    private boolean isRepeatDue(final long nowNs)
    {
        if (repeatDeadlineNs - nowNs > 0)
        {
            return false;
        }
        repeatNs = Math.min(repeatNs * 2, REPEAT_NS_MAX);
        repeatDeadlineNs = nowNs + repeatNs;
        return true;
    }

    /** The latest attempt to join by which this node does not belong to the group any more. */
    private int endedSession()
    {
        return state == State.OUTSIDE ? session : session - 1;
    }

    private void postQuestion(final int to)
    {
        mail.post(to, new RosterMessage(
            ASK, membership.incarnation(), session, search.firstTime(), search.time(), null, ""));
    }

    private void postRoster(final int to)
    {
        mail.post(to, message(ROSTER, 0, 0, roster, ""));
    }

    private void postJoin(final int to)
    {
        mail.post(to, message(JOIN, session, 0, null, agreement.text()));
    }

    private void post(final int to, final Kind kind, final int ofSession, final int extra)
    {
        mail.post(to, message(kind, ofSession, extra, null, ""));
    }

    private RosterMessage message(
        final Kind kind, final int ofSession, final int extra, final Roster members, final String text)
    {
        return new RosterMessage(kind, membership.incarnation(), ofSession, latestEpoch, extra, members, text);
    }

    private int self()
    {
        return membership.self();
    }

    private int incarnation(final int node)
    {
        return membership.incarnationOf(membership.status(node));
    }

    /** For texts. */
    @Override
    public String toString()
    {
        return name + " " + state + (roster == null ? "" : " epoch=" + roster.epoch() + " nodes=" + roster);
    }

    private record Member(int node, int incarnation, int session)
    {
    }
}
