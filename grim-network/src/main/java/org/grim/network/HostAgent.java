// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.cluster.HostDirectory;
import org.grim.network.registry.ClusterId;
import org.grim.network.registry.Consensus;
import org.grim.network.registry.ConsensusMessage;
import org.grim.network.registry.Decision;
import org.grim.network.registry.Grant;
import org.grim.network.registry.Pledge;
import org.grim.network.registry.Registry;
import org.grim.network.registry.RegistryFile;
import org.grim.network.status.ClusterRestart;
import org.jgroups.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.FENCED;

/**
 * A host's agent: has the hosts agree on who belongs to the cluster and on numbers and ids, answers the requests of its
 * host's nodes, notices who is gone.
 * <p>Thread: one. It has no clock and no connections: time is an argument of {@link #doWork}, other agents are a
 * {@link Group}.
 */
final class HostAgent implements Group.Listener, NumberAllocator.Hosts
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostAgent.class);
    private static final long HELLO_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REMOVAL_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FETCH_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long OUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BEGIN_NS_MAX = TimeUnit.SECONDS.toNanos(6);
    /** Enough for looks at addresses that do not answer. */
    private static final long RESTART_NS = TimeUnit.SECONDS.toNanos(5);

    private final HostDirectory directory;
    private final NetworkSettings settings;
    private final Group group;
    private final RegistryFile file;
    private final String label;
    private final String self;
    private final Consensus consensus;
    private final Registry registry;
    private final NumberAllocator office;
    private final OpenRequests requests;
    private final NodeReports reports;
    private final Neighbours neighbours = new Neighbours();
    private final Admission admission;
    private final MajorityLoss loss;
    private final Queue<ConsensusMessage> ownSteps = new ArrayDeque<>();
    private final Map<String, Long> absentSinceNs = new HashMap<>();
    /** Members that have said that they leave, by the agent that said so: the next one of the host may stay. */
    private final Map<String, Address> leaving = new HashMap<>();
    private final Set<String> givenUp = new TreeSet<>();
    private final Queue<AgentMessage.ToTool> answers = new ArrayDeque<>();
    /** Tools that ask to restart the cluster, and until when an obstacle may pass. */
    private final Map<Long, Long> restartDeadlinesNs = new TreeMap<>();
    private State state;
    private String stateReason;
    private GrimException.Reason endKind;
    private boolean hasNews;
    private long epochSeen;
    private long helloDeadlineNs;
    private long lookDeadlineNs;
    private long removalDeadlineNs;
    private long fetchDeadlineNs;
    private long beginDeadlineNs;
    private long outDeadlineNs;
    private long desertedSinceNs;
    private boolean isDeserted;
    private GrimException storeFailure;
    private long nowNs;

    /** Part of this host in its cluster, as of the last decision that its agent knows. */
    private enum State
    {
        /** It is no member: it has no node yet, or has left. */
        OUTSIDE,
        /** It is a member. */
        MEMBER,
        /** The other hosts took it out while they could not reach it: it ends when they know that it knows. */
        REMOVED,
        /** It is no part of the cluster any more, and does not become one with this agent. */
        ENDED,
        /** The agent restarts: another one follows at once, as if this host never was in a cluster. */
        RESTARTING;

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case OUTSIDE -> next == MEMBER || next == ENDED || next == RESTARTING;
                case MEMBER -> next != MEMBER;
                case REMOVED -> next == ENDED || next == RESTARTING;
                case ENDED, RESTARTING -> false;
            };
        }
    }

    /**
     * Goes on where the host's agent before ended, or begins.
     *
     * @throws GrimException if what that one left cannot be read.
     */
    HostAgent(final HostDirectory directory, final NetworkSettings settings, final String label, final Group group)
    {
        this.directory = directory;
        this.settings = settings;
        this.label = label;
        this.group = group;
        file = new RegistryFile(directory.registry(), directory.temporaryRegistry());
        final RegistryFile.Content kept = file.read();
        self = kept == null ? label + "@" + UUID.randomUUID() : kept.host();
        givenUp.addAll(kept == null ? List.of() : kept.givenUp());
        registry = kept == null ? new Registry() : kept.registry();
        consensus = new Consensus(self, registry, kept == null ? Pledge.NONE : kept.pledge(),
            (snapshot, pledge) -> file.write(self, List.copyOf(givenUp), snapshot, pledge), this::sendStep);
        state = registry.members().contains(self) ? State.MEMBER : State.OUTSIDE;
        office = new NumberAllocator(directory);
        requests = new OpenRequests(directory, registry, self);
        reports = new NodeReports(directory, settings, self);
        admission = new Admission(directory, settings, self, registry, neighbours, leaving.keySet(), group);
        loss = new MajorityLoss(directory, settings, self, registry, neighbours, group);
        if (state == State.OUTSIDE)
        {
            convictOwn();
        }
    }

    /** The agent before may have died between learning that this host is out and fencing its nodes. */
    private void convictOwn()
    {
        registry.grants().stream().filter(grant -> grant.host().equals(self))
            .forEach(grant -> directory.convictLocal(grant.number(), grant.incarnation()));
    }

    /** {@return why this host is not part of the cluster any more; null if it is, or may become one} */
    String endReason()
    {
        return state == State.ENDED ? stateReason : null;
    }

    /** {@return whether another agent is to follow at once, as of a host that never was in a cluster} */
    boolean mustRestart()
    {
        return state == State.RESTARTING;
    }

    /** {@return what was decided} */
    Registry registry()
    {
        return registry;
    }

    /** {@return id of this host in the cluster} */
    String host()
    {
        return self;
    }

    /**
     * One round of work.
     *
     * @param newNowNs of a clock that never goes back.
     * @param epochMs  now, for tools.
     * @return pieces of work done.
     */
    int doWork(final long newNowNs, final long epochMs)
    {
        nowNs = newNowNs;
        reports.time(nowNs, epochMs);
        if (state == State.RESTARTING)
        {
            return 0;
        }
        int workCount = state != State.ENDED ? group.poll(this) : 0;
        hasNews |= workCount > 0;
        if (state != State.ENDED)
        {
            workCount += work();
        }
        if (state == State.ENDED)
        {
            requests.refuseAll(endKind, stateReason);
            refuseRestarts(stateReason, false);
        }
        return workCount;
    }

    @Override
    public void onView(final List<Address> members)
    {
        if (isOver())
        {
            return;                             // As in onMessage().
        }
        neighbours.onView(group.self(), members);
        forgetLeft();
        requests.forgetDelays();
        admission.onView();
        broadcastHello();
        reports.sendAll(group);
    }

    @Override
    public void onMessage(final Address from, final byte[] bytes)
    {
        if (isOver())
        {
            return;                             // An event of the same poll ended this host's part.
        }
        try
        {
            onMessage(from, AgentMessage.decode(bytes));
        }
        catch (final AgentMessage.VersionException ex)
        {
            admission.refuse(from, BAD_DATA, ex.getMessage());
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            LOGGER.warn("message of length={} from {} is refused: {}", bytes.length, from, ex.getMessage());
        }
    }

    /** Asks all hosts how they are, this one included; {@link #pollAnswer()} has what they say. */
    void ask(final long question)
    {
        if (!isOver())
        {
            answers.add(reports.answer(question, neighbours.silences(group)));
            group.send(null, new AgentMessage.Question(self, question).encode());
        }
    }

    /** Asks to go on without the majority, if it is lost; {@link #pollAnswer()} has what came of it. */
    void askRestart(final long question)
    {
        restartDeadlinesNs.put(question, nowNs + RESTART_NS);
        hasNews = true;
    }

    /** {@return the next answer; null if there is none} */
    AgentMessage.ToTool pollAnswer()
    {
        return answers.poll();
    }

    /** The last node of this host leaves: the others need not wait for it. */
    void beginLeave()
    {
        hasNews = true;
        if (!isOver())
        {
            sayLeaving();
        }
    }

    private void sayLeaving()
    {
        leaving.put(self, group.self());
        group.send(null, new AgentMessage.Leaving(self).encode());
    }

    /** Forgets removed hosts that are no longer present: they may come again. */
    private void forgetLeft()
    {
        leaving.entrySet().removeIf(entry ->
            !neighbours.isThere(entry.getValue()) && !registry.members().contains(entry.getKey()));
    }

    /** {@return whether nothing is left to be done for a host that leaves} */
    boolean hasLeft()
    {
        return isOver() || registry.members().equals(List.of(self)) || !isMajority() || isOutForAll();
    }

    /**
     * Returns whether the others go on without this host. The last messages of a coordinator are lost if it leaves at
     * once: JGroups drops messages of agents that have left the group.
     */
    private boolean isOutForAll()
    {
        return !registry.members().contains(self) && (!neighbours.isCoordinator() ||
            Decision.isMajority(registry.members(), neighbours.hostsAt(registry.epoch())));
    }

    private int work()
    {
        final boolean hasRequests = requests.areThere();
        final int workCount = ownSteps.size() + (hasRequests ? 1 : 0);
        hasNews |= workCount > 0;
        while (!ownSteps.isEmpty())
        {
            consensus.onMessage(self, ownSteps.poll());
        }
        if (registry.epoch() == 0 && neighbours.isCoordinator() && neighbours.areHeard())
        {
            followOrBegin();
        }
        if (registry.epoch() != epochSeen)
        {
            onDecision();
        }
        if (state == State.REMOVED && (isOutForAll() || outDeadlineNs - nowNs <= 0))
        {
            end(FENCED, stateReason);
        }
        if (isOver())
        {
            return workCount + 1;               // Nothing can be said any more.
        }
        if (hasNews || lookDeadlineNs - nowNs <= 0)
        {
            lookDeadlineNs = nowNs + LOOK_NS;
            hasNews = false;
            settleClusters();
            if (!isOver())
            {
                watchMajority();
                watchLoss();
                watchDesertion();
                watchDirectory();
            }
            if (isOver())
            {
                return workCount + 1;
            }
            requests.answer(nowNs, whyNot(), this::ask);
            coordinate();
        }
        consensus.step(nowNs);
        sayStoreFailure();
        if (helloDeadlineNs - nowNs <= 0)
        {
            helloDeadlineNs = nowNs + HELLO_NS;
            reports.expireUnclaimed(registry);
            sendHello();
        }
        return workCount + reports.sendChanged(group);
    }

    /**
     * A coordinator without a cluster follows one that has a member here. Otherwise it begins one, as soon as no agent
     * is up that may begin another at the same time, and none is here that waits for the members of its cluster.
     */
    private void followOrBegin()
    {
        final String known = neighbours.largestCluster("");
        if (!known.isEmpty() || neighbours.isAnyInACluster())
        {
            if (!known.isEmpty())
            {
                fetchFrom(known);
            }
            return;
        }
        beginDeadlineNs = beginDeadlineNs != 0 ? beginDeadlineNs :
            nowNs + Math.min(BEGIN_NS_MAX, settings.joinTimeoutNs() / 4 * 3);
        final boolean isLate = beginDeadlineNs - nowNs <= 0;
        if (isLate || !group.isAnybodyOutside())
        {
            LOGGER.info("host={} begins a cluster{}", label, isLate ? ": other agents did not join its group" : "");
            consensus.begin(ClusterId.begun());
        }
    }

    private void fetchFrom(final String cluster)
    {
        if (fetchDeadlineNs - nowNs <= 0)
        {
            fetchDeadlineNs = nowNs + FETCH_NS;
            consensus.fetch(neighbours.latestOf(cluster));
        }
    }

    private void onMessage(final Address from, final AgentMessage message)
    {
        if (message instanceof final AgentMessage.Hello hello)
        {
            onHello(from, hello);
        }
        else if (message instanceof final AgentMessage.Step step)
        {
            consensus.onMessage(step.host(), step.message());
        }
        else if (message instanceof final AgentMessage.Reports nodes)
        {
            reports.apply(nodes, registry);
        }
        else if (message instanceof final AgentMessage.Request request)
        {
            office.add(request);
        }
        else if (message instanceof final AgentMessage.Denial denial)
        {
            requests.deny(denial);
        }
        else if (message instanceof final AgentMessage.Delay delay)
        {
            requests.delay(delay.request(), delay.reason());
        }
        else if (message instanceof final AgentMessage.Leaving leavingHost)
        {
            if (neighbours.isThere(from))
            {
                leaving.put(leavingHost.host(), from);
            }
        }
        else if (message instanceof final AgentMessage.Question question)
        {
            group.send(from, reports.answer(question.question(), neighbours.silences(group)).encode());
        }
        else if (message instanceof final AgentMessage.Answer answer)
        {
            answers.add(answer);
        }
        else if (message instanceof final AgentMessage.Refusal refusal)
        {
            final String text = "host=" + label + " is refused by host=" + NumberAllocator.label(refusal.host()) +
                ": " + refusal.reason();
            if (state == State.MEMBER)
            {
                LOGGER.warn("{}", text);
            }
            else
            {
                end(refusal.kind(), text);
            }
        }
    }

    private void onHello(final Address from, final AgentMessage.Hello hello)
    {
        if (!neighbours.isThere(from))
        {
            return;                             // It is not here yet, or no more; it will say so again.
        }
        leaving.computeIfPresent(hello.host(), (host, agent) -> agent.equals(from) ? agent : null);
        final boolean isNew = neighbours.onHello(from, hello);
        final boolean isOurs = hello.cluster().isEmpty() || hello.cluster().equals(registry.cluster());
        final boolean isMine = neighbours.isCoordinator() || registry.members().contains(hello.host());
        if (isMine && isOurs && hello.epoch() < registry.epoch())
        {
            if (!hello.cluster().isEmpty() || hasMembersHere())     // Otherwise it need not wait for them, too.
            {
                consensus.teach(hello.host());
            }
        }
        else if (isOurs && registry.epoch() != 0 && hello.epoch() > registry.epoch())
        {
            consensus.fetch(hello.host());
        }
        if (isNew && neighbours.isCoordinator())
        {
            group.send(from, hello().encode());
        }
    }

    private void onDecision()
    {
        epochSeen = registry.epoch();
        requests.onDecision();
        final List<String> members = registry.members();
        givenUp.retainAll(members);                 // All others are gone for everybody.
        reports.convictWhere(registry, host -> !members.contains(host));
        reports.onDecision(registry);
        forgetLeft();
        final boolean isMember = members.contains(self);
        if (state == State.MEMBER && !isMember && !leaving.containsKey(self))
        {
            sayLeaving();                           // Not to be taken in again: its nodes are gone for the others.
            outDeadlineNs = nowNs + OUT_NS;
            transition(State.REMOVED, "the other hosts took host=" + label + " out of the cluster while they could " +
                "not reach it: members=" + Neighbours.labels(members));
        }
        else if (state != State.REMOVED && isMember != (state == State.MEMBER))
        {
            transition(isMember ? State.MEMBER : State.OUTSIDE, "members=" + Neighbours.labels(members));
        }
        neighbours.onHello(group.self(), hello());
        sendHello();                                // The proposer waits for it if the decision removes this host.
    }

    /**
     * Two clusters of a name that met cannot be one: their numbers and ids mean different things. A host that has none
     * of either yet just changes over.
     */
    private void settleClusters()
    {
        if (registry.epoch() == 0 || !neighbours.areHeard())
        {
            return;
        }
        final String largest = neighbours.largestCluster(registry.cluster());
        if (largest.equals(registry.cluster()))
        {
            return;
        }
        if (ClusterId.isRestartOf(largest, registry.cluster(), registry.epoch()))
        {
            fetchFrom(largest);
            return;
        }
        leaveCluster("two clusters of this name met, and host=" + label + " was in the smaller one");
    }

    /** Begins again; in another directory, if numbers or ids of the cluster stand in this one. */
    private void leaveCluster(final String reason)
    {
        if (registry.grants().isEmpty() && registry.handlers().isEmpty())
        {
            LOGGER.info("{}: it leaves cluster={}, which has no node and no handler", reason, registry.cluster());
            file.delete();
            transition(State.RESTARTING, reason);
        }
        else
        {
            end(FENCED, reason + ": its nodes join again");
            directory.fence();
        }
    }

    /**
     * A host that is no member is bound to nothing: when the members that it knows are gone, it begins again, as one
     * that starts now would. Agents without a cluster wait for that: see {@link #followOrBegin()}.
     */
    private void watchDesertion()
    {
        final boolean wasDeserted = isDeserted;
        isDeserted =
            state == State.OUTSIDE && registry.epoch() != 0 && neighbours.areHeard() && !hasMembersHere();
        desertedSinceNs = wasDeserted ? desertedSinceNs : nowNs;
        if (isDeserted && nowNs - desertedSinceNs >= settings.successionNs())
        {
            leaveCluster("no member of the cluster of host=" + label + " is there, and it is none: members=" +
                Neighbours.labels(registry.members()));
        }
    }

    private boolean hasMembersHere()
    {
        final Set<String> present = neighbours.hosts();
        return registry.members().stream().anyMatch(present::contains);
    }

    private void sayStoreFailure()
    {
        final GrimException failure = consensus.storeFailure();
        if (failure != null && (storeFailure == null || !failure.getMessage().equals(storeFailure.getMessage())))
        {
            LOGGER.error("host={} agrees to nothing until it can write its registry, and tries again: {}", label,
                failure.getMessage());
        }
        else if (failure == null && storeFailure != null)
        {
            LOGGER.info("host={} has written its registry again", label);
        }
        storeFailure = failure;
    }

    /** Nodes that begin another cluster in the place of this one have an agent of their own: there can be only one. */
    private void watchDirectory()
    {
        if (!isOver() && removalDeadlineNs - nowNs <= 0)
        {
            removalDeadlineNs = nowNs + REMOVAL_CHECK_NS;
            if (directory.isRemoved())
            {
                end(FENCED, "the files of the cluster's directory on host=" + label +
                    " were removed: its nodes join again");
            }
        }
    }

    /**
     * Notices who is absent. With a majority, the coordinator has them taken out; without, this host gives their nodes
     * up by itself, and that stands against it when they meet again.
     */
    private void watchMajority()
    {
        if (!neighbours.areHeard())
        {
            return;
        }
        final Set<String> present = neighbours.hosts();
        absentSinceNs.keySet().removeIf(host -> present.contains(host) || !registry.members().contains(host));
        registry.members().stream().filter(host -> !present.contains(host))
            .forEach(host -> absentSinceNs.putIfAbsent(host, nowNs));
        if (state == State.MEMBER && !Decision.isMajority(registry.members(), present))
        {
            reports.convictWhere(registry, this::isLongAbsent);
            giveUp(absentSinceNs.keySet().stream().filter(this::isLongAbsent).toList());
        }
    }

    /**
     * Goes on without the majority: if a tool asks for it, or if all that are missed have successors. See decision 69.
     */
    private void watchLoss()
    {
        final boolean isAsked = !restartDeadlinesNs.isEmpty();
        if (!(isAsked || loss.areAllSucceeded(absentSinceNs.keySet())))
        {
            return;
        }
        final List<String> rest = new ArrayList<>(registry.members());
        rest.retainAll(neighbours.hosts());
        rest.removeIf(leaving::containsKey);
        rest.removeAll(neighbours.losers(registry.members()));
        final Map<String, Long> absentNs = new TreeMap<>();
        absentSinceNs.forEach((host, sinceNs) -> absentNs.put(host, nowNs - sinceNs));
        final MajorityLoss.Obstacle obstacle = loss.obstacle(rest, absentNs);
        if (obstacle != null)
        {
            refuseRestarts(obstacle.reason(), obstacle.isPassing());
            return;
        }
        final ClusterRestart report = loss.report(rest, absentNs);
        LOGGER.warn("host={} restarts the cluster without its majority, {}: members={} given up={}", label,
            isAsked ? "as it was asked to" : "as all that are missed have successors",
            report.rest(), report.givenUp().stream().map(ClusterRestart.GivenUpHost::host).toList());
        consensus.restart(rest);
        restartDeadlinesNs.keySet().forEach(question ->
            answers.add(new AgentMessage.Restarted(self, question, report)));
        restartDeadlinesNs.clear();
    }

    private void refuseRestarts(final String reason, final boolean isPassing)
    {
        restartDeadlinesNs.entrySet().removeIf(entry ->
        {
            final boolean isRefused = !isPassing || entry.getValue() - nowNs <= 0;
            if (isRefused)
            {
                answers.add(new AgentMessage.Restarted(
                    self, entry.getKey(), new ClusterRestart(reason, List.of(), List.of())));
            }
            return isRefused;
        });
    }

    /** Whether this agent's part in the group has ended. */
    private boolean isOver()
    {
        return state == State.ENDED || state == State.RESTARTING;
    }

    private void giveUp(final Collection<String> hosts)
    {
        if (givenUp.addAll(hosts))
        {
            LOGGER.warn("host={} is without a majority: members={} present={}", label,
                Neighbours.labels(registry.members()), Neighbours.labels(neighbours.hosts()));
            consensus.save();
            broadcastHello();
        }
    }

    /** The coordinator learns first which nodes of this host are gone, as the kernel knows it. */
    private void ask(final AgentMessage.Request request)
    {
        if (request.isNode())
        {
            reports.convictOwn(registry, request.sequence());
        }
        if (neighbours.isCoordinator())
        {
            office.add(request);
        }
        else if (neighbours.coordinator() != null)
        {
            if (request.isNode())
            {
                reports.sendAll(group, neighbours.coordinator());
            }
            group.send(neighbours.coordinator(), request.encode());
        }
    }

    private String whyNot()
    {
        if (storeFailure != null)
        {
            return "the agent of host=" + label + " cannot write its registry: " + storeFailure.getMessage();
        }
        if (registry.epoch() == 0)
        {
            return "host=" + label + " has no cluster yet: hosts=" + Neighbours.labels(neighbours.hosts());
        }
        return isMajority() ? "the coordinator has not answered yet" : whyNoMajority();
    }

    private String whyUnheard()
    {
        return "hosts=" + neighbours.unheard() + " have not answered since the group changed: a silent one counts as " +
            "gone after " + TimeUnit.NANOSECONDS.toMillis(settings.silenceNs()) + " ms (grim.network.silence-timeout)";
    }

    private String whyNoMajority()
    {
        return "hosts=" + Neighbours.labels(neighbours.hosts()) + " are no majority of members=" +
            Neighbours.labels(registry.members()) + ", which alone assigns numbers and ids";
    }

    /** Proposes the next decision: members of the cluster, numbers, ids. */
    private void coordinate()
    {
        final boolean canDecide =
            neighbours.isCoordinator() && registry.epoch() != 0 && neighbours.areHeard() && isMajority();
        if (!canDecide)
        {
            consensus.abandon();
            office.delayAll(neighbours.areHeard() ? whyNoMajority() : whyUnheard(), this);
        }
        else if (consensus.isIdle())
        {
            final Set<String> welcome = admission.welcome(nowNs);
            final Decision decision =
                office.decide(registry, nextMembers(welcome), welcome, neighbours.hosts(), this);
            if (decision != null)
            {
                consensus.propose(decision, nowNs);
            }
        }
    }

    private List<String> nextMembers(final Set<String> welcome)
    {
        final List<String> next = new ArrayList<>(registry.members());
        next.removeIf(host -> leaving.containsKey(host) || isLongAbsent(host));
        next.removeAll(neighbours.losers(registry.members()));
        registry.grants().stream().map(Grant::host).filter(welcome::contains).distinct()
            .forEach(host -> NumberAllocator.admit(next, host, neighbours.hosts()));
        return next.isEmpty() ? registry.members() : next;
    }

    @Override
    public String whyNotMember(final String host)
    {
        return admission.whyNotMember(host);
    }

    @Override
    public String suspicionOf(final String host)
    {
        return admission.suspicionOf(host);
    }

    @Override
    public void deny(final AgentMessage.Request request, final GrimException.Reason kind, final String reason)
    {
        final AgentMessage.Denial denial = new AgentMessage.Denial(self, request, kind, reason);
        if (request.host().equals(self))
        {
            requests.deny(denial);
        }
        else
        {
            sendTo(request.host(), denial);
        }
    }

    @Override
    public void delay(final AgentMessage.Request request, final String reason)
    {
        if (request.host().equals(self))
        {
            requests.delay(request, reason);
        }
        else
        {
            sendTo(request.host(), new AgentMessage.Delay(self, request, reason));
        }
    }

    private void sendTo(final String host, final AgentMessage message)
    {
        final Address address = neighbours.addressOf(host);
        if (address != null)
        {
            group.send(address, message.encode());
        }
    }

    /** This host is no part of the cluster any more; if nodes of it took part, they must not go on as they are. */
    private void end(final GrimException.Reason kind, final String reason)
    {
        endKind = kind;
        transition(State.ENDED, reason);
        group.close();
        final boolean hasHit = hasNodes() && directory.fence();     // Before doWork() refuses.
        if (kind == FENCED && !hasHit)
        {
            LOGGER.info("{}; none of its nodes was alive, and the host starts again", reason);
        }
        else
        {
            LOGGER.error("{}", reason);
        }
    }

    private void transition(final State next, final String reason)
    {
        if (!state.canBecome(next))
        {
            throw new IllegalStateException("host=" + label + " cannot become " + next + ": it is " + state);
        }
        LOGGER.debug("host={} was {} and is {}: {}", label, state, next, reason);
        state = next;
        stateReason = reason;
    }

    private boolean hasNodes()
    {
        return registry.grants().stream().anyMatch(grant -> grant.host().equals(self));
    }

    private void sendStep(final String host, final ConsensusMessage message)
    {
        final Address address = host == null ? null : neighbours.addressOf(host);
        if (self.equals(host))
        {
            ownSteps.add(message);
        }
        else if (host == null || address != null)
        {
            group.send(address, new AgentMessage.Step(self, message).encode());
        }
    }

    private void sendHello()
    {
        if (neighbours.coordinator() != null && !neighbours.isCoordinator())
        {
            group.send(neighbours.coordinator(), hello().encode());
        }
    }

    private void broadcastHello()
    {
        neighbours.onHello(group.self(), hello());
        group.send(null, hello().encode());
    }

    private AgentMessage.Hello hello()
    {
        return new AgentMessage.Hello(
            self, label, registry.cluster(), registry.epoch(), state == State.MEMBER, directory.nodeCountMax(),
            List.copyOf(givenUp));
    }

    private boolean isMajority()
    {
        return Decision.isMajority(registry.members(), neighbours.hosts());
    }

    private boolean isLongAbsent(final String host)
    {
        return nowNs - absentSinceNs.getOrDefault(host, nowNs) >= settings.successionNs();
    }
}
