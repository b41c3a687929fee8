// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.network.registry.ConsensusMessage.Verb;

/**
 * Has the hosts of a cluster agree on one decision after the other: Paxos for each, whose acceptors are the members of
 * the decision before (Lamport, "Paxos Made Simple", with the members as part of what is decided). Several hosts may
 * propose at a time, members or not; at most one decision follows another.
 * <p>Thread: the host agent's. It has no clock and no connections: time is an argument, messages go to the
 * {@link Outbox}. A promise is stored before it is sent; a proposer promises its ballot to itself first, so that no
 * agent of this host uses the ballot again. While the store fails the host promises nothing, and tries again.
 */
public final class Consensus
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final String self;
    private final Registry registry;
    private final Store store;
    private final Outbox outbox;
    private final Set<String> votes = new HashSet<>();
    private Pledge pledge;
    private int round;
    private boolean isPreparing;
    private Decision wanted;
    private Decision chosen;
    private Ballot ballot = Ballot.NONE;
    private Ballot best = Ballot.NONE;
    private long retryDeadlineNs;
    private boolean isStored = true;
    private long storeDeadlineNs;
    private GrimException storeFailure;

    /** Keeps what a host must not forget. */
    @FunctionalInterface
    public interface Store
    {
        /**
         * Stores, so that a successor of this agent reads it.
         *
         * @param snapshot of what was decided.
         * @param pledge   about the decision that comes next.
         * @throws GrimException if the system refuses; either state may be stored then.
         */
        void save(Decision snapshot, Pledge pledge);
    }

    /** Takes messages to send. */
    @FunctionalInterface
    public interface Outbox
    {
        /**
         * Says something to a host, which may be this one, or not be there.
         *
         * @param host    that it is for; null for all that are there, but for this one.
         * @param message for it.
         */
        void send(String host, ConsensusMessage message);
    }

    /**
     * Goes on where an agent of this host ended, or begins.
     *
     * @param self     this host.
     * @param registry what was decided so far.
     * @param pledge   about what comes next.
     * @param store    for both.
     * @param outbox   to the other hosts.
     */
    public Consensus(
        final String self, final Registry registry, final Pledge pledge, final Store store, final Outbox outbox)
    {
        this.self = self;
        this.registry = registry;
        this.pledge = pledge;
        this.store = store;
        this.outbox = outbox;
    }

    /** {@return what was decided so far} */
    public Registry registry()
    {
        return registry;
    }

    /** {@return whether nothing is being proposed by this host} */
    public boolean isIdle()
    {
        return wanted == null;
    }

    /** {@return why the store refused the latest state; null if it is stored} */
    public GrimException storeFailure()
    {
        return storeFailure;
    }

    /**
     * Begins a cluster of this host alone.
     *
     * @param cluster id of it.
     */
    public void begin(final String cluster)
    {
        registry.apply(new Decision(cluster, 0, 1, List.of(self), List.of(), List.of()));
        save();
    }

    /**
     * Goes on as another cluster of the members that are left, and sends its snapshot to all. Only for a former cluster
     * without a majority: nothing is asked of the members that are left out.
     */
    public void restart(final List<String> members)
    {
        final Decision before = registry.snapshot();
        learn(new Decision(ClusterId.restarted(before.cluster(), before.epoch()), 0, before.epoch() + 1, members,
            before.grants(), before.handlers()));
        teach(null);
    }

    /**
     * Proposes what shall be decided next. Another host's proposal may win: then this one is forgotten.
     *
     * @param decision that follows the latest one.
     * @param nowNs    of a clock that never goes back.
     */
    public void propose(final Decision decision, final long nowNs)
    {
        wanted = decision;
        attempt(nowNs);
    }

    /** Proposes no more; what was said stays said. */
    public void abandon()
    {
        wanted = null;
        votes.clear();
    }

    /** Tries again what the store refused, and an attempt without an answer. */
    public void step(final long nowNs)
    {
        if (!isStored && storeDeadlineNs - nowNs <= 0)
        {
            storeDeadlineNs = nowNs + RETRY_NS;
            tryStore(pledge);
        }
        if (wanted != null && retryDeadlineNs - nowNs <= 0)
        {
            attempt(nowNs);
        }
    }

    /** Takes what another host, or this one, said. */
    public void onMessage(final String from, final ConsensusMessage message)
    {
        if (!isOurs(message))
        {
            return;
        }
        switch (message.verb())
        {
            case PREPARE, ACCEPT -> onAttempt(from, message);
            case PROMISE -> onPromise(from, message);
            case ACCEPTED -> onAccepted(from, message);
            case REFUSED -> round = Math.max(round, message.ballot().round());
            case LEARN -> onLearn(from, message.decision());
            case FETCH -> teach(from);
        }
    }

    /** A restarted cluster and the former one have members and epochs in common: votes count in one of them only. */
    private boolean isOurs(final ConsensusMessage message)
    {
        final boolean isVote = message.verb() != Verb.LEARN && message.verb() != Verb.FETCH;
        return !isVote || registry.epoch() == 0 || message.cluster().equals(registry.cluster());
    }

    /** A higher ballot at each attempt; hosts that propose against each other wait for different times. */
    private void attempt(final long nowNs)
    {
        round = Math.max(round, pledge.promised().round()) + 1;
        ballot = new Ballot(round, self);
        best = Ballot.NONE;
        chosen = wanted;
        isPreparing = true;
        votes.clear();
        retryDeadlineNs = nowNs + RETRY_NS + TimeUnit.MILLISECONDS.toNanos(self.hashCode() & 0xFF);
        if (tryPledge(new Pledge(ballot, pledge.ballot(), pledge.decision())))
        {
            sendToMembers(of(Verb.PREPARE, wanted.epoch(), ballot));
        }
    }

    private void onAttempt(final String from, final ConsensusMessage message)
    {
        if (message.epoch() <= registry.epoch())
        {
            teach(from);
        }
        else if (message.epoch() > registry.epoch() + 1)
        {
            fetch(from);
        }
        else if (message.ballot().compareTo(pledge.promised()) < 0)
        {
            outbox.send(from, of(Verb.REFUSED, message.epoch(), pledge.promised()));
        }
        else if (message.verb() == Verb.PREPARE)
        {
            if (tryPledge(new Pledge(message.ballot(), pledge.ballot(), pledge.decision())))
            {
                outbox.send(from, new ConsensusMessage(Verb.PROMISE, registry.cluster(), message.epoch(),
                    message.ballot(), pledge.ballot(), pledge.decision()));
            }
        }
        else if (tryPledge(new Pledge(message.ballot(), message.ballot(), message.decision())))
        {
            outbox.send(from, of(Verb.ACCEPTED, message.epoch(), message.ballot()));
        }
    }

    /** Stores a promise; false if it must not be sent. */
    private boolean tryPledge(final Pledge next)
    {
        if ((isStored && next.equals(pledge)) || tryStore(next))
        {
            pledge = next;
            return true;
        }
        return false;
    }

    private boolean tryStore(final Pledge next)
    {
        isStored = false;                       // After a failure either state may be in the store.
        try
        {
            store.save(registry.snapshot(), next);
            isStored = true;
            storeFailure = null;
        }
        catch (final GrimException ex)
        {
            storeFailure = ex;
        }
        return isStored;
    }

    private void onPromise(final String from, final ConsensusMessage message)
    {
        if (!isMine(message) || !isPreparing)
        {
            return;
        }
        votes.add(from);
        if (message.decision() != null && message.accepted().compareTo(best) > 0)
        {
            best = message.accepted();
            chosen = message.decision();        // It may have been decided: only it may be proposed now.
        }
        if (Decision.isMajority(registry.members(), votes))
        {
            isPreparing = false;
            votes.clear();
            sendToMembers(ConsensusMessage.of(Verb.ACCEPT, message.epoch(), ballot, chosen));
        }
    }

    private void onAccepted(final String from, final ConsensusMessage message)
    {
        if (!isMine(message) || isPreparing)
        {
            return;
        }
        votes.add(from);
        if (Decision.isMajority(registry.members(), votes))
        {
            final Decision decided = chosen;
            learn(decided);
            outbox.send(null, ConsensusMessage.of(Verb.LEARN, decided.epoch(), Ballot.NONE, decided));
        }
    }

    private boolean isMine(final ConsensusMessage message)
    {
        return wanted != null && message.ballot().equals(ballot) && message.epoch() == registry.epoch() + 1;
    }

    private void onLearn(final String from, final Decision decision)
    {
        if (registry.epoch() != 0 && !decision.cluster().equals(registry.cluster()) &&
            !ClusterId.isRestartOf(decision.cluster(), registry.cluster(), registry.epoch()))
        {
            return;                             // The agent settles with another cluster; see there.
        }
        if (!learn(decision) && decision.epoch() > registry.epoch())
        {
            fetch(from);
        }
    }

    private boolean learn(final Decision decision)
    {
        if (!registry.apply(decision))
        {
            return false;
        }
        pledge = Pledge.NONE;                   // Of the next epoch. No promise about it leaves before both are stored.
        abandon();
        save();
        return true;
    }

    /**
     * Sends all decisions to a host.
     *
     * @param host that missed some of it; null for all that are there.
     */
    public void teach(final String host)
    {
        if (registry.epoch() != 0)
        {
            outbox.send(host,
                ConsensusMessage.of(Verb.LEARN, registry.epoch(), Ballot.NONE, registry.snapshot()));
        }
    }

    /**
     * Asks a host for everything that was decided.
     *
     * @param host that knows more.
     */
    public void fetch(final String host)
    {
        outbox.send(host, of(Verb.FETCH, registry.epoch() + 1, Ballot.NONE));
    }

    /** Stores what binds this host; {@link #step} tries again if that fails. */
    public void save()
    {
        tryStore(pledge);
    }

    private ConsensusMessage of(final Verb verb, final long epoch, final Ballot about)
    {
        return ConsensusMessage.of(verb, registry.cluster(), epoch, about);
    }

    private void sendToMembers(final ConsensusMessage message)
    {
        List.copyOf(registry.members()).forEach(member -> outbox.send(member, message));
    }
}
