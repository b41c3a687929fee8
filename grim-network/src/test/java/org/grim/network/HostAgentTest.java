// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Uninterrupted;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeReport;
import org.grim.network.registry.Registry;
import org.grim.network.status.ClusterRestart;
import org.jgroups.Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Splits, successions and deaths, step by step; no sockets, and a clock that the test moves. */
@Timeout(180)
final class HostAgentTest
{
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path base;
    private final HandMadeNetwork network = new HandMadeNetwork();
    private final List<HandMadeHost> hosts = new ArrayList<>();
    private long nowNs = PATIENCE_NS;

    @AfterEach
    void close()
    {
        hosts.forEach(HandMadeHost::close);
    }

    @Test
    void shouldLetTheLargerPartGoOnAndFenceTheSmaller()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c", "d", "e");

        split(Map.of("d", 1, "e", 1));
        steps(HandMadeHost.SUCCESSION_NS * 2);

        assertEquals(3, host("a").agent().registry().members().size());
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("a"), "d"));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("d"), "a"));
        assertTrue(nodes.get("d").isUp(nodes.get("e").self()) && nodes.get("a").isUp(nodes.get("c").self()));
        final ClusterDirectory more = join(host("b"), "more");
        assertEquals(5, more.self());
        final CompletableFuture<ClusterDirectory> waiting = host("d").join("waiting");
        until(() -> host("d").startCount() == 2);
        steps(HandMadeHost.SUCCESSION_NS);
        assertFalse(waiting.isDone());

        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);

        assertTrue(host("d").agent().endReason()
            .startsWith("the other hosts took host=d out of the cluster while they could not reach it: members="));
        assertTrue(nodes.get("d").isFenced() && nodes.get("e").isFenced() && !nodes.get("a").isFenced());
        assertFalse(nodes.get("d").isUp(nodes.get("a").self()));
        assertEquals(NodeInfo.GoneReason.FENCED, goneReason(nodes.get("d"), "d"));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("d"), "b"));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("a"), "e"));
        until(() -> host("d").startCount() == 3);
        host("d").beginAgent(network);
        assertEquals(6, finish(host("d"), waiting).self());
        final ClusterDirectory fresh = join(host("d"), "d");
        assertEquals(nodes.get("d").self(), fresh.self());
        assertEquals(nodes.get("d").incarnation() + 1, fresh.incarnation());
        until(() -> nodes.get("a").isUp(fresh.self()) && fresh.isUp(nodes.get("a").self()));
    }

    @Test
    void shouldKeepOnePartWhereNoneHadAMajority()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c", "d", "e");

        split(Map.of("b", 1, "c", 1, "d", 2, "e", 2));
        steps(HandMadeHost.SUCCESSION_NS * 2);
        hosts.forEach(host -> assertEquals(5, host.agent().registry().members().size()));
        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS * 2);

        final List<String> alive = List.of("d", "e");
        nodes.forEach((name, node) -> assertEquals(!alive.contains(name), node.isFenced(), name));
        assertEquals(Set.of("d", "e"), labels(host("d").agent().registry().members()));
        assertEquals(5, join(host("e"), "more").self());
    }

    @Test
    void shouldGiveUpNobodyWhoComesBackInTime()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");

        split(Map.of("c", 1));
        steps(HandMadeHost.SUCCESSION_NS / 2);
        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS * 2);

        nodes.values().forEach(node -> assertFalse(node.isFenced()));
        assertTrue(nodes.get("a").isUp(nodes.get("c").self()) && nodes.get("c").isUp(nodes.get("a").self()));
        assertEquals(3, host("c").agent().registry().members().size());
    }

    @Test
    void shouldNotTakeAHostWhoseAgentChangedForGone()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final String before = host("a").agent().host();

        host("a").killAgent();
        steps(HandMadeHost.SUCCESSION_NS / 2);
        host("a").beginAgent(network);
        steps(HandMadeHost.SUCCESSION_NS * 2);

        assertEquals(before, host("a").agent().host());
        nodes.values().forEach(node -> assertFalse(node.isFenced()));
        assertTrue(nodes.get("b").isUp(nodes.get("a").self()));
        assertEquals(3, join(host("a"), "more").self());
    }

    @Test
    void shouldTakeTheNodesOfADeadHostForGone()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");

        host("a").killAgent();
        steps(HandMadeHost.SUCCESSION_NS * 2);

        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("b"), "a"));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, goneReason(nodes.get("c"), "a"));
        final ClusterDirectory next = join(host("c"), "a");
        assertEquals(0, next.self());
        assertEquals(nodes.get("a").incarnation() + 1, next.incarnation());
    }

    @Test
    void shouldRefuseNumbersToHalfWithoutTheOldest()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b");

        host("a").killAgent();
        steps(HandMadeHost.SUCCESSION_NS * 2);
        host("b").joinTimeoutNs(TimeUnit.SECONDS.toNanos(8));
        final CompletableFuture<ClusterDirectory> more = host("b").join("more");
        until(more::isDone);

        assertEquals(NodeInfo.State.GONE, state(nodes.get("b"), "a"));
        final GrimException failure = assertThrows(GrimException.class, () -> host("b").joined(more));
        assertEquals("node name=more got no number within 8000 ms (grim.network.join-timeout): hosts=[b] are no " +
            "majority of members=[a, b], which alone assigns numbers and ids", failure.getMessage());
        assertEquals(GrimException.Reason.TIMED_OUT, failure.reason());
    }

    @Test
    void shouldGoOnAloneAsTheOldestOfTwo()
    {
        cluster("a", "b");

        host("b").killAgent();
        steps(HandMadeHost.SUCCESSION_NS * 2);

        assertEquals(2, join(host("a"), "more").self());
    }

    /** Its last messages are dropped if it goes before they are heard. */
    @Test
    void shouldGoOnWithoutTheOldestOfTwoThatLeft()
    {
        cluster("a", "b");

        host("a").agent().beginLeave();
        do
        {
            host("b").doWork(nowNs);
            nowNs += STEP_NS;
            host("a").doWork(nowNs);
        }
        while (!host("a").agent().hasLeft());
        host("a").killAgent();

        assertEquals(2, join(host("b"), "more").self());
    }

    @Test
    void shouldFenceTheSmallerOfTwoClustersThatMeet()
    {
        final HandMadeHost one = begin("a");
        final ClusterDirectory nodeOfOne = join(one, "one");
        final HandMadeHost two = new HandMadeHost(base, "b");
        hosts.add(two);
        final CompletableFuture<ClusterDirectory> joining = two.join("two");
        until(() -> two.startCount() > 0);
        two.beginAgent(network);
        split(Map.of("b", 1));
        final ClusterDirectory nodeOfTwo = finish(two, joining);
        join(begin("c"), "three");
        steps(HandMadeHost.SUCCESSION_NS);
        assertEquals(nodeOfOne.self(), nodeOfTwo.self());
        assertNotEquals(one.agent().registry().cluster(), two.agent().registry().cluster());

        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);

        assertEquals("two clusters of this name met, and host=b was in the smaller one: its nodes join again",
            two.agent().endReason());
        assertNull(one.agent().endReason());
        assertTrue(nodeOfTwo.isFenced());
        assertFalse(nodeOfOne.isFenced());
    }

    @Test
    void shouldBeginOneClusterOfHostsThatStartAtATime()
    {
        network.cut(false);
        final Map<HandMadeHost, CompletableFuture<ClusterDirectory>> joining = new HashMap<>();
        for (final String label : List.of("a", "b", "c"))
        {
            start(label, hosts.size());
        }
        hosts.forEach(host -> joining.put(host, host.join("node-" + host.label)));
        steps(TimeUnit.SECONDS.toNanos(1));
        hosts.forEach(host -> assertEquals(0, host.agent().registry().epoch()));

        split(Map.of("c", 1));
        steps(TimeUnit.SECONDS.toNanos(1));
        hosts.forEach(host -> assertEquals(0, host.agent().registry().epoch()));
        split(Map.of());

        final Set<Integer> numbers = new HashSet<>();
        joining.forEach((host, node) -> numbers.add(finish(host, node).self()));
        assertEquals(Set.of(0, 1, 2), numbers);
        assertEquals(1, hosts.stream().map(host -> host.agent().registry().cluster()).distinct().count());
        assertEquals(Set.of("a", "b", "c"), labels(host("a").agent().registry().members()));
    }

    @Test
    void shouldFollowTheClusterOfANeighbourAsCoordinator()
    {
        final HandMadeHost blank = start("a", 0);
        final HandMadeHost other = start("b", 1);
        hosts.remove(blank);                    // Its agent does not run yet.
        final ClusterDirectory first = join(other, "first");
        hosts.add(blank);
        network.cut(false);
        steps(TimeUnit.SECONDS.toNanos(1));
        assertEquals(0, host("a").agent().registry().epoch());

        split(Map.of());

        assertEquals(1, join(host("a"), "second").self());
        assertFalse(first.isFenced());
        assertEquals(List.of("b", "a"), Neighbours.labels(host("a").agent().registry().members()));
    }

    @Test
    void shouldBeginAloneWhenOthersDoNotComeIntoTheGroup()
    {
        network.cut(false);
        start("a", 0);
        start("b", 1);

        steps(TimeUnit.SECONDS.toNanos(5));
        assertEquals(0, host("a").agent().registry().epoch());
        steps(TimeUnit.SECONDS.toNanos(2));

        assertEquals(1, host("a").agent().registry().epoch());
    }

    @Test
    void shouldChangeOverFromAClusterInWhichNothingWasGivenOut()
    {
        start("a", 0);
        start("b", 1);
        steps(TimeUnit.SECONDS.toNanos(1));
        final ClusterDirectory first = join(host("b"), "first");

        split(Map.of());
        steps(TimeUnit.SECONDS.toNanos(1));

        assertTrue(host("a").agent().mustRestart(), host("a").agent().registry().snapshot()::toString);
        assertNull(host("a").agent().endReason());
        final String before = host("a").agent().host();
        host("a").killAgent();
        host("a").beginAgent(network);
        assertNotEquals(before, host("a").agent().host());
        assertEquals(1, join(host("a"), "second").self());
        assertFalse(first.isFenced());
    }

    @Test
    void shouldWriteAReportThatComesBeforeItsDecision()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final NodeInfo early = new NodeInfo(3, "early", NodeInfo.State.UP, nodes.get("a").incarnation(), 1, 1,
            List.of("null"), List.of(), 0, "b", NodeInfo.GoneReason.NONE);
        host("b").group().send(host("c").group().self(), new AgentMessage.Reports(host("b").agent().host(),
            List.of(new NodeReport(early, true, ""))).encode());
        steps(STEP_NS * 5);
        assertTrue(nodes.get("c").nodes().stream().noneMatch(node -> node.name().equals("early")));

        host("b").group().send(host("a").group().self(), new AgentMessage.Request(host("b").agent().host(), true, 77,
            "early").encode());
        steps(STEP_NS * 20);

        assertEquals(NodeInfo.State.UP, state(nodes.get("c"), "early"));
    }

    @Test
    void shouldTakeUnclaimedNumbersForGone()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final AgentMessage.Request request =
            new AgentMessage.Request(host("b").agent().host(), true, 77, "nobody");

        host("b").group().send(host("a").group().self(), request.encode());
        steps(STEP_NS * 20);
        assertEquals(3, host("c").agent().registry().grants().get(3).number());
        for (int second = 0; second < 150; second++)
        {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            steps(STEP_NS * 5);
        }

        assertEquals(NodeInfo.State.GONE, state(nodes.get("b"), "nobody"));
        assertEquals(NodeInfo.State.GONE, state(nodes.get("a"), "nobody"));
        assertEquals(3, join(host("a"), "nobody").self());
    }

    @Test
    void shouldGiveNumbersOnceToHostsThatAskAtATime()
    {
        cluster("a", "b", "c", "d");
        final Map<HandMadeHost, CompletableFuture<ClusterDirectory>> joining = new HashMap<>();
        hosts.forEach(host -> joining.put(host, host.join("more-" + host.label)));

        final Set<Integer> numbers = new HashSet<>();
        joining.forEach((host, node) -> numbers.add(finish(host, node).self()));

        assertEquals(Set.of(4, 5, 6, 7), numbers);
        final CompletableFuture<ClusterDirectory> tooMany = host("a").join("too-many");
        until(tooMany::isDone);
        final GrimException failure = assertThrows(GrimException.class, () -> host("a").joined(tooMany));
        assertEquals("cluster is full: live nodes=8 max=8 (grim.cluster.nodes-max)", failure.getMessage());
        assertEquals(GrimException.Reason.NO_ROOM, failure.reason());
    }

    @Test
    void shouldGiveANameAgainThoughNobodyHasHeardOfTheEndOfItsNode()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b");
        final ClusterDirectory before = join(host("b"), "again");
        until(() -> nodes.get("a").isUp(before.self()));

        HandMadeNetwork.late(host("b").group(), true);
        before.close();
        final ClusterDirectory after = join(host("b"), "again");
        HandMadeNetwork.late(host("b").group(), false);

        assertEquals(before.self(), after.self());
        assertEquals(before.incarnation() + 1, after.incarnation());
        until(() -> nodes.get("a").isUp(after.self()));
    }

    @Test
    void shouldGiveTheNameOfANodeAgainThatDiedBeforeItTookItsNumber()
    {
        cluster("a", "b");
        host("b").group().send(host("a").group().self(),
            new AgentMessage.Request(host("b").agent().host(), true, 77, "again").encode());
        steps(STEP_NS * 20);
        assertEquals("again", host("b").agent().registry().grant(2).name());

        assertEquals(2, join(host("b"), "again").self());
    }

    @Test
    void shouldRefuseANameOfALiveNodeOfTheSameHost()
    {
        cluster("a", "b");

        final CompletableFuture<ClusterDirectory> second = host("b").join("b");
        until(second::isDone);

        assertEquals(GrimException.Reason.NAME_TAKEN,
            assertThrows(GrimException.class, () -> host("b").joined(second)).reason());
    }

    @Test
    void shouldKeepANameWaitingWhileItsHostIsBeingConvicted()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        host("c").killAgent();
        steps(STEP_NS * 10);

        final CompletableFuture<ClusterDirectory> joining = host("b").join("c");
        Hosts.await(host("b")::hasRequest);     // Not until(): meanwhile the dead host would be convicted.
        until(() -> host("b").reason().equals("node name=c is of node=2 of host=c, which has no agent and counts as " +
            "gone after 2000 ms (grim.network.succession-timeout)"));

        final ClusterDirectory after = finish(host("b"), joining);
        assertEquals(nodes.get("c").self(), after.self());
        assertEquals(nodes.get("c").incarnation() + 1, after.incarnation());
    }

    @Test
    void shouldKeepAHostWaitingUntilTheSilentOneOfItsLabelIsConvicted()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final HandMadeHost before = host("c");
        final HandMadeHost after = new HandMadeHost(base.resolve("after"), "c");
        hosts.add(after);
        final CompletableFuture<ClusterDirectory> joining = after.join("c");
        until(() -> after.startCount() > 0);
        after.beginAgent(network);
        steps(STEP_NS * 10);

        HandMadeNetwork.silent(before.group(), TimeUnit.SECONDS.toNanos(5));
        hosts.remove(before);                   // It has lost power.
        steps(HandMadeHost.SUCCESSION_NS * 3);
        assertNull(after.agent().endReason());
        until(() -> after.reason().equals("another host has the label=c, which has been silent for 5000 ms and " +
            "counts as gone after 10000 ms (grim.network.silence-timeout)"));

        before.killAgent();
        final ClusterDirectory node = finish(after, joining);
        assertEquals(nodes.get("c").self(), node.self());
        assertEquals(nodes.get("c").incarnation() + 1, node.incarnation());
        assertEquals(List.of("a", "b", "c"), Neighbours.labels(host("a").agent().registry().members()));
        before.close();
    }

    @Test
    void shouldSayWhatANodeWaitsForWhileASilentHostIsNotConvicted()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final HandMadeHost before = host("c");
        hosts.remove(before);                   // It has lost power, and comes back with nothing.

        final HandMadeHost after = new HandMadeHost(base.resolve("after"), "c");
        hosts.add(after);
        final CompletableFuture<ClusterDirectory> joining = after.join("c");
        until(() -> after.startCount() > 0);
        after.beginAgent(network);
        until(() -> after.reason().equals("hosts=[c] have not answered since the group changed: a silent one counts " +
            "as gone after 10000 ms (grim.network.silence-timeout)"));
        before.killAgent();

        final ClusterDirectory node = finish(after, joining);
        assertEquals(nodes.get("c").self(), node.self());
        assertEquals(nodes.get("c").incarnation() + 1, node.incarnation());
        before.close();
    }

    @Test
    void shouldSayWhatAHostWaitsForThatJoinsAClusterWithoutAMajority()
    {
        cluster("a", "b", "c");
        host("b").killAgent();
        host("c").killAgent();
        hosts.removeIf(host -> !host.label.equals("a"));

        final HandMadeHost late = begin("d");
        final CompletableFuture<ClusterDirectory> joining = late.join("d");
        until(() -> late.startCount() > 0);
        late.beginAgent(network);
        until(() -> late.reason().equals("hosts=[a, d] are no majority of members=[a, b, c], which alone assigns " +
            "numbers and ids"));

        host("a").group().send(late.group().self(), new AgentMessage.Refusal(
            host("a").agent().host(), GrimException.Reason.BAD_DATA, "it waits no more").encode());
        until(joining::isDone);
        assertEquals(GrimException.Reason.BAD_DATA,
            assertThrows(GrimException.class, () -> late.joined(joining)).reason());
    }

    @Test
    void shouldRestartTheClusterWhenAllThatAreMissedHaveSuccessors() throws IOException
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final String before = host("a").agent().registry().cluster();
        losePower("b", "c");

        final Map<String, ClusterDirectory> after = returnFresh("b", "c");

        assertNotEquals(before, host("a").agent().registry().cluster());
        assertEquals(Set.of("a", "b", "c"), labels(host("b").agent().registry().members()));
        assertFalse(nodes.get("a").isFenced());
        assertEquals(1, after.get("b").self());
        assertEquals(nodes.get("b").incarnation() + 1, after.get("b").incarnation());
        until(() -> nodes.get("a").isUp(2) && after.get("b").isUp(0) && after.get("c").isUp(1));
    }

    /** Of two, the one that is older has the casting vote: when it comes back with nothing, the other goes on. */
    @Test
    void shouldRestartTheClusterWhenTheOldestOfTwoHasASuccessor() throws IOException
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b");
        losePower("a");

        assertEquals(0, returnFresh("a").get("a").self());

        assertFalse(nodes.get("b").isFenced());
        assertEquals(List.of("b", "a"), Neighbours.labels(host("a").agent().registry().members()));
    }

    @Test
    void shouldRestartTheClusterAsTheOldestMemberThoughASuccessorCoordinates() throws IOException
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c", "d", "e");
        losePower("c", "d", "e");
        host("a").killAgent();
        host("b").killAgent();
        final Map<String, CompletableFuture<ClusterDirectory>> joining = startFresh("c", "d", "e");
        host("b").beginAgent(network);
        host("a").beginAgent(network);

        joining.forEach((label, node) -> finish(host(label), node));
        steps(STEP_NS * 50);

        hosts.forEach(host ->
        {
            assertEquals(Set.of("a", "b", "c", "d", "e"), labels(host.agent().registry().members()), host.label);
            assertEquals(host("a").agent().registry().cluster(), host.agent().registry().cluster(), host.label);
        });
        assertFalse(nodes.get("a").isFenced() || nodes.get("b").isFenced());
        assertEquals(5, join(host("b"), "more").self());
    }

    @Tag("long")
    @Test
    void shouldWaitWhileOneThatIsMissedHasNoSuccessor() throws IOException
    {
        cluster("a", "b", "c");
        final Registry registry = host("a").agent().registry();
        final String before = registry.cluster();
        losePower("b", "c");

        startFresh("b");
        steps(HandMadeHost.SUCCESSION_NS * 10);

        assertEquals(before, registry.cluster());
        assertEquals(Set.of("a", "b", "c"), labels(registry.members()));
    }

    @Test
    void shouldWaitWhileAnAgentIsUpThatIsNotInTheGroup() throws IOException
    {
        cluster("a", "b", "c");
        final Registry registry = host("a").agent().registry();
        final String before = registry.cluster();
        losePower("b", "c");
        network.cut(false);
        HandMadeNetwork.part(network.join(), 1);
        network.install();

        final Map<String, CompletableFuture<ClusterDirectory>> joining = startFresh("b", "c");
        steps(HandMadeHost.SUCCESSION_NS * 2);
        assertEquals(before, registry.cluster());
        network.cut(true);
        joining.forEach((label, node) -> finish(host(label), node));

        assertEquals(Set.of("a", "b", "c"), labels(registry.members()));
        assertNotEquals(before, registry.cluster());
    }

    @Test
    void shouldNotGiveUpAPairThatIsOnlyCutOff()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        final String before = host("a").agent().registry().cluster();

        split(Map.of("b", 1, "c", 1));
        steps(HandMadeHost.SUCCESSION_NS * 10);
        hosts.forEach(host -> assertEquals(before, host.agent().registry().cluster()));
        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);

        assertTrue(nodes.get("a").isFenced());
        assertFalse(nodes.get("b").isFenced() || nodes.get("c").isFenced());
    }

    @Test
    void shouldRestartTheClusterWhenItIsAskedTo()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c", "d", "e");
        losePower("c", "d", "e");
        steps(HandMadeHost.SUCCESSION_NS * 2);

        final ClusterRestart restart = restart("a");

        assertEquals("", restart.refusal());
        assertEquals(List.of("a", "b"), restart.rest());
        assertEquals(List.of("c", "d", "e"), restart.givenUp().stream().map(ClusterRestart.GivenUpHost::host).toList());
        final ClusterRestart.GivenUpHost c = restart.givenUp().get(0);
        assertTrue(c.absentMs() >= TimeUnit.NANOSECONDS.toMillis(HandMadeHost.SUCCESSION_NS), c::toString);
        assertEquals(List.of(new ClusterRestart.GivenUpNode(2, "c", "")), c.nodes());
        assertEquals(5, join(host("b"), "more").self());
        assertEquals(Set.of("a", "b"), labels(host("b").agent().registry().members()));
        assertEquals(host("a").agent().registry().cluster(), host("b").agent().registry().cluster());
        assertFalse(nodes.get("a").isFenced() || nodes.get("b").isFenced());
        assertEquals(NodeInfo.State.GONE, state(nodes.get("b"), "c"));
    }

    @Test
    void shouldRefuseToRestartTheClusterWhileAMajorityIsThereOrMayComeBack()
    {
        cluster("a", "b", "c", "d", "e");
        assertEquals("hosts=[a, b, c, d, e] are a majority of members=[a, b, c, d, e], and take out who is gone by " +
            "themselves", restart("a").refusal());
        split(Map.of("c", 1, "d", 1, "e", 2));
        steps(STEP_NS * 20);

        final String early = restart("a").refusal();
        assertTrue(early.matches("host=[c-e] has been absent for 1?[0-9]{2} ms only, and counts as gone after 2000 " +
            "ms \\(grim.network.succession-timeout\\)"), early);
        assertEquals("run the command on host=c, the oldest member that is here", restart("d").refusal());
        steps(HandMadeHost.SUCCESSION_NS);
        network.cut(false);
        assertEquals("an agent is up at an address below grim.network.discovery that is not in the group of " +
            "hosts=[a, b]: it may be of a member that is missed", restart("a").refusal());
        final HandMadeHost late = begin("f");
        late.makeDirectory();
        late.beginAgent(network);
        HandMadeNetwork.part(late.group(), 3);
        network.install();
        assertEquals("host=f is in no cluster", restart("f").refusal());

        network.cut(true);
        assertEquals("", restart("a").refusal());
    }

    @Test
    void shouldFenceHostsThatWereGivenUpAndAreAlive()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        split(Map.of("b", 1, "c", 2));
        steps(HandMadeHost.SUCCESSION_NS * 2);
        assertEquals("", restart("a").refusal());
        steps(STEP_NS * 20);

        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);

        assertFalse(nodes.get("a").isFenced());
        for (final String label : List.of("b", "c"))
        {
            assertTrue(nodes.get(label).isFenced());
            assertTrue(host(label).agent().endReason().startsWith("the other hosts took host=" + label + " out"),
                host(label).agent()::endReason);
        }
        assertEquals(List.of("a"), Neighbours.labels(host("a").agent().registry().members()));
    }

    /** The user who gave the others up was wrong: they went on without this host. */
    @Test
    void shouldFenceARestartedClusterWhoseFormerOneWentOnWithMoreHosts()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        split(Map.of("b", 1, "c", 1));
        steps(HandMadeHost.SUCCESSION_NS * 2);
        assertEquals("", restart("a").refusal());

        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);

        assertTrue(nodes.get("a").isFenced());
        assertFalse(nodes.get("b").isFenced() || nodes.get("c").isFenced());
        assertEquals(List.of("b", "c"), Neighbours.labels(host("b").agent().registry().members()));
    }

    @Test
    void shouldNameBothVersionsOfTheProtocol()
    {
        cluster("a");
        final HandMadeNetwork.HandMadeGroup foreign = network.join();
        final byte[] hello = new AgentMessage.Hello("x@1", "x", "", 0, false, 8, List.of()).encode();
        hello[5] = 9;

        foreign.send(host("a").group().self(), hello);
        steps(STEP_NS * 5);

        final List<String> reasons = refusalsOf(foreign);
        assertTrue(reasons.contains("BAD_DATA protocol version=9 of the one host and version=" + AgentMessage.VERSION +
            " of the other do not go together: use the same release of GRIM on all hosts"), reasons::toString);
    }

    @Test
    void shouldNotDependOnTheTimeOfDay()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b");

        for (final long offsetMs : new long[] {TimeUnit.DAYS.toMillis(365), -TimeUnit.DAYS.toMillis(365), 0})
        {
            host("a").clockOffsetMs(offsetMs);
            steps(HandMadeHost.SUCCESSION_NS * 4);
            assertTrue(nodes.get("a").isUp(1) && nodes.get("b").isUp(0));
        }

        assertEquals(Set.of("a", "b"), labels(host("b").agent().registry().members()));
        assertEquals(2, join(host("a"), "more").self());
    }

    /** A container or a rebooted machine: its directory is fresh, so it is another host of the same label. */
    @Test
    void shouldTakeOutAbsentHostsOfALabelWhenAHostOfItComesIn() throws IOException
    {
        cluster("a", "b", "c");

        for (int life = 0; life < 3; life++)
        {
            host("c").killAgent();
            final HandMadeHost c = new HandMadeHost(Files.createDirectory(base.resolve("life-" + life)), "c");
            hosts.set(2, c);
            join(c, "c-" + life);                // Another name, which waits for nobody.
            assertEquals(List.of("a", "b", "c"), Neighbours.labels(host("a").agent().registry().members()));
        }
    }

    @Test
    void shouldSayNothingWhenItLeavesAfterItWasTakenOut()
    {
        cluster("a", "b", "c");
        split(Map.of("c", 1));
        steps(HandMadeHost.SUCCESSION_NS * 2);
        split(Map.of());
        steps(HandMadeHost.SUCCESSION_NS);
        assertNotNull(host("c").agent().endReason());

        host("c").agent().beginLeave();

        assertTrue(host("c").agent().hasLeft());
    }

    @Test
    void shouldTakeAHostInWithItsFirstNode()
    {
        cluster("a", "b");
        start("c", 0);
        steps(HandMadeHost.SUCCESSION_NS);
        assertEquals(Set.of("a", "b"), labels(host("a").agent().registry().members()));

        assertEquals(2, join(host("c"), "c").self());

        assertEquals(Set.of("a", "b", "c"), labels(host("a").agent().registry().members()));
    }

    @Test
    void shouldTellTheOtherHostsWhyNodesAreGone()
    {
        final ClusterDirectory node = cluster("a", "b").get("a");
        start("c", 0);
        final ClusterDirectory first = join(host("c"), "c");
        until(() -> node.isUp(2));

        first.close();
        until(() -> !node.isUp(2));
        final NodeInfo.GoneReason reason = goneReason(node, "c");
        final ClusterDirectory second = join(host("c"), "c");
        until(() -> node.isUp(2));
        second.close();
        final ClusterDirectory third = join(host("c"), "c");
        until(() -> node.isUp(2) && node.incarnationOf(node.status(2)) == third.incarnation());

        assertEquals(NodeInfo.GoneReason.LEFT, reason);
        assertEquals(NodeInfo.GoneReason.LEFT, node.goneReason(2, first.incarnation()));
        assertEquals(NodeInfo.GoneReason.LEFT, node.goneReason(2, second.incarnation()));
        assertEquals(NodeInfo.GoneReason.NONE, node.goneReason(2, third.incarnation()));
    }

    @Test
    void shouldNotTakeAHostInWhoseNodeIsRefused()
    {
        cluster("a", "b");
        final HandMadeNetwork.HandMadeGroup stranger = network.join();

        stranger.send(null, new AgentMessage.Hello("c@1", "c", "", 0, false, HandMadeHost.NODE_COUNT_MAX, List.of())
            .encode());
        steps(STEP_NS * 20);                    // Until then requests wait; who asks repeats them.
        stranger.send(host("a").group().self(), new AgentMessage.Request("c@1", true, 1, "b").encode());
        steps(STEP_NS * 20);

        assertEquals(Set.of("a", "b"), labels(host("a").agent().registry().members()));
        assertTrue(refusalsOf(stranger).stream().anyMatch(text -> text.contains("node name=b is taken")));
    }

    @Test
    void shouldTakeAHostInAgainThatLeftAfterARefusedJoin()
    {
        cluster("a", "b", "c");
        final HandMadeHost c = host("c");
        final String id = c.agent().host();
        for (int failure = 0; failure < 3; failure++)
        {
            c.killAgent();
            c.beginAgent(network);
            steps(STEP_NS * 50);
            c.agent().beginLeave();
            until(c.agent()::hasLeft);
            c.killAgent();
            assertEquals(Set.of("a", "b"), labels(host("a").agent().registry().members()));
        }

        c.beginAgent(network);

        assertEquals(id, c.agent().host());
        join(c, "again");
        assertEquals(Set.of("a", "b", "c"), labels(host("a").agent().registry().members()));
    }

    /** It said that it leaves, and was gone before it was taken out; its next agent says nothing of the kind. */
    @Test
    void shouldKeepAMemberWhoseNextAgentStays()
    {
        cluster("a", "b", "c");
        host("b").killAgent();                  // So the coordinator cannot take c out before c comes back.
        steps(STEP_NS * 2);
        host("c").agent().beginLeave();
        host("a").doWork(nowNs);
        host("c").killAgent();
        steps(STEP_NS * 2);

        host("c").beginAgent(network);
        host("b").beginAgent(network);
        steps(HandMadeHost.SUCCESSION_NS / 2);

        assertEquals(Set.of("a", "b", "c"), labels(host("a").agent().registry().members()));
    }

    @Test
    void shouldBeginAgainWhenAllMembersOfItsClusterAreGone()
    {
        cluster("a");
        start("b", 0);
        start("c", 0);
        steps(STEP_NS * 50);
        assertNotEquals(0, host("b").agent().registry().epoch());
        host("a").killAgent();

        steps(HandMadeHost.SUCCESSION_NS * 2);

        for (final String label : List.of("b", "c"))
        {
            assertTrue(host(label).agent().endReason().startsWith("no member of the cluster of host=" + label + " is " +
                "there, and it is none: members=[a]"), host(label).agent()::endReason);
        }
        host("b").killAgent();
        host("c").killAgent();
        assertEquals(0, join(begin("b"), "b").self());
        assertEquals(1, join(begin("c"), "c").self());
    }

    @Test
    void shouldNotFollowAClusterWithoutAMember()
    {
        start("a", 0);
        steps(STEP_NS * 50);
        start("b", 0);
        steps(STEP_NS * 50);
        final String cluster = host("b").agent().registry().cluster();
        assertEquals(host("a").agent().registry().cluster(), cluster);
        host("a").killAgent();
        start("c", 0);

        steps(HandMadeHost.SUCCESSION_NS / 2);
        assertEquals(0, host("c").agent().registry().epoch());
        steps(HandMadeHost.SUCCESSION_NS);

        assertTrue(host("b").agent().mustRestart());
        host("b").killAgent();
        host("b").beginAgent(network);
        steps(HandMadeHost.SUCCESSION_NS);
        assertNotEquals(cluster, host("b").agent().registry().cluster());
        assertEquals(host("c").agent().registry().cluster(), host("b").agent().registry().cluster());
    }

    /** The host that decided so is gone before its message came; only one that is no member knows it. */
    @Test
    void shouldLearnFromAHostThatIsNoMemberThatItIsAMember()
    {
        final HandMadeHost b = start("b", 1);
        hosts.remove(b);                        // Its agent does not run yet.
        cluster("a");
        start("c", 0);
        steps(TimeUnit.SECONDS.toNanos(1));
        host("c").killAgent();
        host("c").learnWithoutAgent(List.of(host("a").agent().host(), b.agent().host()));
        host("a").killAgent();

        hosts.add(b);
        HandMadeNetwork.part(b.group(), 0);
        host("c").beginAgent(network);
        steps(TimeUnit.SECONDS.toNanos(1));

        assertEquals(Set.of("a", "b"), labels(b.agent().registry().members()));
    }

    @Test
    void shouldGiveNumbersAgainWhenTheRegistryCanBeWrittenAgain() throws IOException
    {
        cluster("a", "b");
        final Path obstacle = Files.createDirectories(base.resolve("a").resolve("registry.tmp").resolve("obstacle"));
        final CompletableFuture<ClusterDirectory> more = host("b").join("more");
        until(() -> host("b").startCount() == 2);
        steps(TimeUnit.SECONDS.toNanos(2));
        assertFalse(more.isDone());

        Files.delete(obstacle);

        assertEquals(2, finish(host("b"), more).self());
    }

    @Test
    void shouldConvictNodesThatWereTakenOutBeforeTheAgentDied()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b", "c");
        host("c").killAgent();
        host("c").learnWithoutAgent(List.of(host("a").agent().host(), host("b").agent().host()));

        host("c").beginAgent(network);

        assertTrue(nodes.get("c").isFenced());
    }

    @Test
    void shouldRefuseWhatIsNoMessage()
    {
        final Map<String, ClusterDirectory> nodes = cluster("a", "b");
        final byte[] good = new AgentMessage.Hello("x@1", "x", "", 0, false, 8, List.of()).encode();

        for (int length = 1; length < good.length; length++)
        {
            host("b").group().send(null, Arrays.copyOf(good, length));
        }
        for (int type = 0; type < 20; type++)
        {
            final byte[] bad = good.clone();
            bad[7] = (byte)type;
            bad[good.length - 1] = (byte)0xFF;
            host("b").group().send(null, bad);
        }
        steps(STEP_NS * 5);

        assertNull(host("a").agent().endReason());
        assertTrue(nodes.get("a").isUp(1));
        assertEquals(2, join(host("b"), "more").self());
    }

    /** Messages to an agent of the test's own, as text. */
    private static List<String> refusalsOf(final HandMadeNetwork.HandMadeGroup group)
    {
        final List<String> texts = new ArrayList<>();
        group.poll(new Group.Listener()
        {
            @Override
            public void onView(final List<Address> members)
            {
                assertTrue(members.contains(group.self()));
            }

            @Override
            public void onMessage(final Address from, final byte[] bytes)
            {
                final AgentMessage message = decoded(bytes);
                texts.add(message instanceof final AgentMessage.Refusal refusal ?
                    refusal.kind() + " " + refusal.reason() : message.toString());
            }
        });
        return texts;
    }

    private Map<String, ClusterDirectory> cluster(final String... labels)
    {
        final Map<String, ClusterDirectory> nodes = new HashMap<>();
        for (final String label : labels)
        {
            nodes.put(label, join(begin(label), label));
        }
        until(() -> nodes.values().stream().allMatch(node ->
            node.nodes().stream().filter(info -> info.state() == NodeInfo.State.UP).count() == labels.length));
        return nodes;
    }

    /** Whole hosts are gone at once. */
    private void losePower(final String... labels)
    {
        for (final String label : labels)
        {
            host(label).killAgent();
        }
        hosts.removeIf(host -> List.of(labels).contains(host.label));
    }

    /** Hosts of labels that were there come back with nothing, at the same moment, and ask for a node each. */
    private Map<String, CompletableFuture<ClusterDirectory>> startFresh(final String... labels) throws IOException
    {
        final Map<String, CompletableFuture<ClusterDirectory>> joining = new HashMap<>();
        for (final String label : labels)
        {
            final HandMadeHost host = new HandMadeHost(Files.createTempDirectory(base, "fresh"), label);
            hosts.add(host);
            host.makeDirectory();
            host.beginAgent(network);
        }
        for (final String label : labels)
        {
            joining.put(label, host(label).join(label));
        }
        return joining;
    }

    private Map<String, ClusterDirectory> returnFresh(final String... labels) throws IOException
    {
        final Map<String, ClusterDirectory> nodes = new HashMap<>();
        startFresh(labels).forEach((label, joining) -> nodes.put(label, finish(host(label), joining)));
        return nodes;
    }

    /** Answer to a tool that asks the agent of a host to restart the cluster. */
    private ClusterRestart restart(final String label)
    {
        final HostAgent agent = host(label).agent();
        agent.askRestart(1);
        AgentMessage.ToTool answer = agent.pollAnswer();
        for (int i = 0; i < 1000 && answer == null; i++)
        {
            step();
            answer = agent.pollAnswer();
        }
        return assertInstanceOf(AgentMessage.Restarted.class, answer).restart();
    }

    /** A host whose agent is in a group of its own. */
    private HandMadeHost start(final String label, final int part)
    {
        final HandMadeHost host = begin(label);
        host.makeDirectory();
        host.beginAgent(network);
        HandMadeNetwork.part(host.group(), part);
        network.install();
        return host;
    }

    /** A host and its agent; the first node that joins makes the directory. */
    private HandMadeHost begin(final String label)
    {
        hosts.removeIf(host -> host.label.equals(label));
        final HandMadeHost host = new HandMadeHost(base, label);
        hosts.add(host);
        return host;
    }

    private ClusterDirectory join(final HandMadeHost host, final String name)
    {
        return finish(host, host.join(name));
    }

    private ClusterDirectory finish(final HandMadeHost host, final CompletableFuture<ClusterDirectory> node)
    {
        if (host.agent() == null)
        {
            until(() -> host.startCount() > 0);
            host.beginAgent(network);
        }
        until(node::isDone);
        return host.joined(node);
    }

    private HandMadeHost host(final String label)
    {
        return hosts.stream().filter(host -> host.label.equals(label)).findFirst().orElseThrow();
    }

    private void split(final Map<String, Integer> parts)
    {
        hosts.stream().filter(host -> host.agent() != null).forEach(host ->
            HandMadeNetwork.part(host.group(), parts.getOrDefault(host.label, 0)));
        network.install();
    }

    private void steps(final long durationNs)
    {
        for (final long endNs = nowNs + durationNs; nowNs < endNs;)
        {
            step();
        }
    }

    /** Joining threads run on the machine's clock: that must not be overtaken by the test's. */
    private void until(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "not in time");
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
            step();
        }
    }

    private void step()
    {
        nowNs += STEP_NS;
        hosts.forEach(host -> host.doWork(nowNs));
    }

    private static AgentMessage decoded(final byte[] bytes)
    {
        try
        {
            return AgentMessage.decode(bytes);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static NodeInfo.State state(final ClusterDirectory directory, final String name)
    {
        return directory.nodes().stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow().state();
    }

    private static NodeInfo.GoneReason goneReason(final ClusterDirectory directory, final String name)
    {
        return directory.nodes().stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow()
            .goneReason();
    }

    private static Set<String> labels(final List<String> members)
    {
        final Set<String> labels = new HashSet<>();
        members.forEach(host -> labels.add(NumberAllocator.label(host)));
        return labels;
    }
}
