// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;
import org.grim.endpoint.LivenessProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nodes of other hosts in the directory, and what nodes ask their host's agent for, who is the test. */
@Timeout(180)
final class HostDirectoryTest
{
    @TempDir
    private Path parent;
    private ClusterFiles files;
    private final Agent agent = new Agent();
    private final List<ClusterDirectory> open = new ArrayList<>();

    @BeforeEach
    void name()
    {
        files = new ClusterFiles(parent.resolve("cluster"));
    }

    @AfterEach
    void close()
    {
        open.forEach(ClusterDirectory::close);
    }

    @Test
    void shouldShowANodeOfAnotherHostWithoutAskingTheKernel()
    {
        final ClusterDirectory own = join("own", 2, 1);
        final NodeInfo far = far(1, 4, NodeInfo.State.JOINING);

        agent.directory.apply(new NodeReport(far, false, ""));
        assertTrue(own.isPresent(1) && !own.isUp(1) && !own.hasJoined(1));
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.UP), true, "aeron=10.0.0.2:40123,x=y"));

        assertTrue(own.isUp(1) && own.isAlive(1) && own.hasJoined(1) && own.isRemote(1));
        assertFalse(own.isSameHost(1));
        assertFalse(own.convictIfDead(1));
        assertEquals(far(1, 4, NodeInfo.State.UP), own.info(1));
        final long version = agent.directory.version(1);
        assertTrue(own.hasDevice(EndpointId.of(1, 2, 2)) && !own.hasDevice(EndpointId.of(1, 2, 3)) &&
            !own.hasDevice(EndpointId.of(1, 1, 1)));
        final NodeInfo later = far(1, 4, NodeInfo.State.UP, DeviceInfo.State.UP);
        agent.directory.apply(new NodeReport(later, true, ""));
        assertEquals(later, own.info(1));
        assertTrue(version != agent.directory.version(1));
        assertEquals(1, own.find("far"));
        assertEquals(own.upStatus(4), Buffers.intVolatile(own.statusAddress(1)));
        assertEquals("10.0.0.2:40123", own.address(1, "aeron"));
        assertEquals("y", own.address(1, "x"));
        assertEquals("", own.address(1, "z"));
        agent.directory.convict(1, NodeInfo.GoneReason.UNREACHABLE);
        assertTrue(own.convictIfDead(1) && !own.isAlive(1));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, own.info(1).goneReason());
    }

    @Test
    void shouldRefuseWhatIsOlderThanWhatItKnows()
    {
        final ClusterDirectory own = join("own", 2, 1);
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.UP), false, ""));
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.GONE), false, ""));

        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.UP), false, ""));
        agent.directory.apply(new NodeReport(far(1, 3, NodeInfo.State.UP), false, ""));
        agent.directory.apply(new NodeReport(far(2, 1, NodeInfo.State.GONE), false, ""));

        assertEquals(NodeInfo.State.GONE, own.info(1).state());
        assertEquals(4, own.latestUpBefore(1, own.status(1)));
        assertFalse(own.isFenced());
        agent.directory.convict(2, NodeInfo.GoneReason.UNREACHABLE);
        assertFalse(own.isFenced());
        assertThrows(IllegalArgumentException.class, () -> agent.directory.apply(
            new NodeReport(far(1, 5, NodeInfo.State.UP), false, "x".repeat(61))));
        assertEquals(4, own.info(1).incarnation());
    }

    @Test
    void shouldTellTheAgentWhatChanged()
    {
        final ClusterDirectory own = join("own", 3, 7);
        final long joining = agent.directory.version(3);

        own.publishAddress("aeron", "10.0.0.1:1");
        own.publishAddress("other", "z");
        own.up();
        final long up = agent.directory.version(3);
        own.joined();

        assertTrue(joining != up && up != agent.directory.version(3));
        assertEquals(0, agent.directory.version(0));
        assertTrue(agent.directory.isLocal(3) && !agent.directory.isLocal(0));
        final NodeReport report = agent.directory.report(3);
        assertEquals(new NodeReport(own.info(3), true, "aeron=10.0.0.1:1,other=z", List.of(0, 0, 0, 0)), report);
        assertThrows(IllegalArgumentException.class, () -> own.publishAddress("long", "x".repeat(40)));
    }

    @Test
    void shouldGiveNamesOfHandlersIdsOfTheCoordinator()
    {
        final ClusterDirectory own = join("own", 0, 1);
        final HandlerDatabase database = new HandlerDatabase(own);
        agent.directory.readHandlers((id, name) ->
        {
            throw new AssertionError(name);
        });

        assertEquals(0, database.register("a"));
        assertEquals(0, database.register("a"));
        assertEquals(0, database.register("b"));
        final List<String> asked = new ArrayList<>();
        agent.directory.requests().forEachOpen((slot, sequence, name) ->
        {
            asked.add(name);
            agent.directory.addHandler(name, 40 + asked.size());
            agent.directory.requests().answer(slot, sequence, 40 + asked.size(), 0);
        });

        assertEquals(List.of("a", "b"), asked.stream().sorted().toList());
        assertEquals(40 + asked.indexOf("a") + 1, database.register("a"));
        assertEquals(40 + asked.indexOf("b") + 1, database.find("b"));
        assertEquals(0, database.register("none"));
        agent.directory.requests().forEachOpen((slot, sequence, name) ->
            agent.directory.requests().refuse(slot, sequence, NO_ROOM, "there are none"));
        final GrimException failure = assertThrows(GrimException.class, () -> database.register("none"));
        assertEquals("there are none", failure.getMessage());
        assertEquals(NO_ROOM, failure.reason());
    }

    @Test
    void shouldKeepWhyEarlierIncarnationsOfOtherHostsEnded()
    {
        final ClusterDirectory own = join("own", 2, 1);
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.UP), false, ""));
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.GONE), false, ""));
        final List<Integer> ends = List.of(end(8, NodeInfo.GoneReason.UNREACHABLE), end(5, NodeInfo.GoneReason.DIED),
            end(6, NodeInfo.GoneReason.LEFT), end(7, NodeInfo.GoneReason.DIED));

        agent.directory.apply(new NodeReport(far(1, 5, NodeInfo.State.UP), false, "", List.of()));
        final NodeInfo.GoneReason known = own.goneReason(1, 4);
        agent.directory.apply(new NodeReport(far(1, 9, NodeInfo.State.UP), false, "", ends));

        assertEquals(NodeInfo.GoneReason.LEFT, known);
        assertEquals(NodeInfo.GoneReason.UNKNOWN, own.goneReason(1, 4));
        assertEquals(NodeInfo.GoneReason.DIED, own.goneReason(1, 5));
        assertEquals(NodeInfo.GoneReason.LEFT, own.goneReason(1, 6));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, own.goneReason(1, 8));
        assertEquals(NodeInfo.GoneReason.NONE, own.goneReason(1, 9));
        agent.directory.apply(new NodeReport(far(1, 10, NodeInfo.State.UP), false, "", List.of(
            end(9, NodeInfo.GoneReason.LEFT), end(8, NodeInfo.GoneReason.DIED), end(6, NodeInfo.GoneReason.UNKNOWN))));
        assertEquals(NodeInfo.GoneReason.LEFT, own.goneReason(1, 9));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, own.goneReason(1, 8));
        assertEquals(NodeInfo.GoneReason.LEFT, own.goneReason(1, 6));
    }

    private static int end(final int incarnation, final NodeInfo.GoneReason reason)
    {
        return NodeRecord.goneStatus(incarnation, reason);
    }

    @Test
    void shouldFailWithTheReasonOfTheAgent()
    {
        agent.onRequest = requests -> requests.forEachOpen((slot, sequence, name) ->
            requests.refuse(slot, sequence, NAME_TAKEN, name + " is refused"));
        final GrimException failure = assertThrows(GrimException.class, () -> join("own"));
        assertEquals("own is refused", failure.getMessage());
        assertEquals(NAME_TAKEN, failure.reason());
        agent.onRequest = requests ->
        {
            // Never answers.
        };
        agent.firstDelay = "it rains";
        agent.joinTimeoutNs = TimeUnit.MILLISECONDS.toNanos(50);

        assertEquals("node name=own got no number within 50 ms (grim.network.join-timeout): it rains",
            assertThrows(GrimException.class, () -> join("own")).getMessage());

        assertFalse(Files.exists(files.path()));
    }

    @Test
    void shouldRefuseANodeThatTakesItsNumberTooLate()
    {
        agent.onRequest = requests -> requests.forEachOpen((slot, sequence, name) ->
        {
            agent.directory.expire(new NodeReport(far(2, 6, NodeInfo.State.GONE), false, ""));
            requests.answer(slot, sequence, 2, 6);
        });

        assertEquals("node=2 incarnation=6 was given to this node, which did not take it in time",
            assertThrows(GrimException.class, () -> join("own")).getMessage());
    }

    @Test
    void shouldRefuseANumberThatNoNodeCanHave()
    {
        for (final int[] bad : new int[][] {{4, 1}, {-1, 1}, {0, 0}, {0, 1 << 28}})
        {
            assertEquals("node name=own was given number=" + bad[0] + " max=3 incarnation=" + bad[1] +
                " max=268435455", assertThrows(GrimException.class, () -> join("own", bad[0], bad[1])).getMessage());
        }
        assertFalse(Files.exists(files.path()));
    }

    @Test
    void shouldCountOnlyThisHostsNodesAsPollingHere()
    {
        final ClusterDirectory own = join("own", 2, 1);
        own.up();
        agent.directory.apply(new NodeReport(far(1, 4, NodeInfo.State.UP), true, ""));
        final LivenessProbe probe = new LivenessProbe(own, 1);

        probe.probe();

        assertTrue(own.isUp(1) && own.isUp(2));
        assertEquals(1, probe.upCount());
    }

    @Test
    void shouldBeginAnewAfterAFence()
    {
        final ClusterDirectory own = join("own", 1, 1);
        own.up();
        agent.directory.apply(new NodeReport(far(0, 1, NodeInfo.State.UP), false, ""));

        assertTrue(agent.directory.fence());

        assertTrue(own.isFenced());
        assertFalse(own.isUp(0));
        assertEquals(NodeInfo.GoneReason.UNREACHABLE, own.info(0).goneReason());
        assertEquals(NodeInfo.GoneReason.FENCED, own.info(1).goneReason());
        assertEquals(GrimException.Reason.FENCED, assertThrows(GrimException.class, own::up).reason());
        final ClusterDirectory next = join("own", 1, 2);
        next.up();
        assertEquals(1, next.nodes().size());
        own.close();
        assertTrue(next.isUp(1) && !next.isFenced());
        try (ClusterDirectory view = ClusterDirectory.view(files.path()))
        {
            assertEquals(2, view.info(1).incarnation());
        }
    }

    @Test
    void shouldSayThatNoNodeOfThisHostLivedWhenItIsFenced()
    {
        final ClusterDirectory own = join("own", 1, 1);
        own.up();
        agent.directory.apply(new NodeReport(far(0, 1, NodeInfo.State.UP), false, ""));
        own.close();

        assertFalse(agent.directory.fence());
    }

    @Test
    void shouldStayAsLongAsAnAgentWithoutANode()
    {
        final AgentMembership host = AgentMembership.join(files, 4, idle());
        assertEquals("cluster directory " + files.path() + " is served by another agent without a node",
            assertThrows(GrimException.class, () -> AgentMembership.join(files, 4, idle())).getMessage());
        assertEquals("cluster directory " + files.path() + " is served by another agent without a node",
            assertThrows(GrimException.class, () -> AgentMembership.join(files, 4, idle())).getMessage());

        join("own", 1, 1).close();
        assertTrue(Files.exists(files.directory()) && !host.isFenced());
        final ClusterDirectory own = join("own", 1, 2);
        host.close();
        host.close();

        assertTrue(Files.exists(files.directory()));
        try (AgentMembership next = AgentMembership.join(files, 4, idle()))
        {
            agent.directory.fence();
            assertTrue(next.isFenced() && own.isFenced());
            AgentMembership.join(files, 4, idle()).close();
        }
        own.close();
        assertFalse(Files.exists(files.path()));
    }

    @Test
    void shouldRefuseAnAgentInAClusterOfOneHost()
    {
        try (ClusterDirectory own = ClusterDirectory.join(files, 4, description("own")))
        {
            assertEquals("cluster directory " + files.path() + " belongs to a cluster of one host: its nodes have no " +
                "grim.network", assertThrows(GrimException.class, () ->
                AgentMembership.join(files, 4, idle())).getMessage());
            assertTrue(own.isPresent(0) && Files.exists(files.directory()));
        }
    }

    @Test
    void shouldKeepOneSeatForTheAgent()
    {
        join("own", 1, 1);

        assertTrue(agent.directory.tryTakeAgentRole());
        assertFalse(agent.directory.tryTakeAgentRole());
        agent.directory.leaveAgentRole();
        assertTrue(agent.directory.tryTakeAgentRole());
    }

    @Test
    void shouldNeedTheSameOfAllNodesOfAHost()
    {
        join("own", 1, 1);

        final String text = assertThrows(GrimException.class, () ->
            ClusterDirectory.join(files, 4, description("other"))).getMessage();

        assertEquals("cluster directory " + files.path() + " belongs to a cluster of several hosts, and this node " +
            "has no grim.network: all nodes of a host need the same", text);
    }

    @Test
    void shouldSayWhatTheHolderOfTheJoinLockWaitsFor()
    {
        agent.onRequest = requests -> requests.forEachOpen((slot, sequence, name) ->
            requests.delayed(slot, "it rains"));
        final CompletableFuture<ClusterDirectory> joining = CompletableFuture.supplyAsync(() -> join("own"),
            task -> new Thread(task, "joining").start());
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (agent.answering == null || !agent.answering.isDone())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "not in time");
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }

        final String text = assertThrows(GrimException.class, () -> JoinLock.acquire(files, 20)).getMessage();

        assertEquals("join lock " + files.lock() + " is held by another process, or by another node of this one: " +
            "waited=20 ms; node name=own waits there for its number: it rains", text);
        final HostRequests requests = agent.directory.requests();
        requests.forEachOpen((slot, sequence, name) -> requests.answer(slot, sequence, 1, 1));
        assertEquals(1, joining.join().self());
    }

    @Test
    void shouldWaitForTheJoinLockAsLongAsOneHolderMayHaveIt()
    {
        agent.joinTimeoutNs = TimeUnit.SECONDS.toNanos(60);

        assertEquals(70_000, JoinLock.timeoutMs(agent));
        assertEquals(10_000, JoinLock.timeoutMs(null));
    }

    @Test
    void shouldSeeThatNodesJoinAndLeaveMeanwhile()
    {
        try (JoinWatch watch = new JoinWatch(files))
        {
            assertFalse(watch.look());
            join("own", 1, 1);
            assertFalse(watch.look());          // There was nothing to compare with.
            assertFalse(watch.look());

            final ClusterDirectory other = join("other", 2, 1);
            assertTrue(watch.look());
            assertFalse(watch.look());
            agent.directory.apply(new NodeReport(far(3, 1, NodeInfo.State.UP), true, ""));
            assertFalse(watch.look());
            other.close();
            assertTrue(watch.look());
            assertFalse(watch.look());
            JoinLock.acquire(files, 60_000).close();        // As one that has left, and removes its files.
            assertTrue(watch.look());
        }
    }

    @Test
    void shouldPinTheRequests()
    {
        final HostRequests requests = new HostRequests(Buffers.allocate(HostRequests.LENGTH), 0);

        assertEquals(32_768, HostRequests.LENGTH);
        assertEquals(0, HostRequests.ASKED_OFFSET);
        assertEquals(4, HostRequests.NAME_LENGTH_OFFSET);
        assertEquals(8, HostRequests.NAME_OFFSET);
        assertEquals(256, HostRequests.ANSWERED_OFFSET);
        assertEquals(260, HostRequests.NUMBER_OFFSET);
        assertEquals(264, HostRequests.INCARNATION_OFFSET);
        assertEquals(268, HostRequests.REASON_LENGTH_OFFSET);
        assertEquals(272, HostRequests.REASON_OFFSET);
        for (int i = 0; i < 100; i++)
        {
            requests.askForHandler("handler-" + i);
        }
        final List<String> asked = new ArrayList<>();
        requests.forEachOpen((slot, sequence, name) -> asked.add(name));
        assertEquals(HostRequests.SLOT_COUNT - 1, asked.size());
        assertThrows(IllegalArgumentException.class, () -> requests.ask(0, "x".repeat(201)));
    }

    /** One that answers nothing. */
    private static Agent idle()
    {
        final Agent idle = new Agent();
        idle.onRequest = requests ->
        {
        };
        return idle;
    }

    private ClusterDirectory join(final String name, final int number, final int incarnation)
    {
        agent.onRequest = requests -> requests.forEachOpen((slot, sequence, asked) ->
            requests.answer(slot, sequence, number, incarnation));
        return join(name);
    }

    private ClusterDirectory join(final String name)
    {
        final ClusterDirectory directory = ClusterDirectory.join(files, 4, description(name), agent);
        open.add(directory);
        return directory;
    }

    private static NodeDescription description(final String name)
    {
        return new NodeDescription("here", name, 2, List.of("null"));
    }

    private static NodeInfo far(final int number, final int incarnation, final NodeInfo.State state)
    {
        return far(number, incarnation, state, DeviceInfo.State.STARTING);
    }

    private static NodeInfo far(
        final int number, final int incarnation, final NodeInfo.State state, final DeviceInfo.State storage)
    {
        final DeviceInfo host =
            new DeviceInfo(EndpointId.of(number, 0, 0), NodeInfo.Device.HOST_CPU, DeviceInfo.State.UP, 1);
        final DeviceInfo device = new DeviceInfo(EndpointId.of(number, 2, 1), NodeInfo.Device.STORAGE, storage, 2);
        return new NodeInfo(number, "far", state, incarnation, 99, 3, List.of("aeron"), List.of(host, device), 123,
            "there", state == NodeInfo.State.GONE ? NodeInfo.GoneReason.LEFT : NodeInfo.GoneReason.NONE);
    }

    /** Answers as the test says, on a thread of its own, while a node joins. */
    private static final class Agent implements HostNetwork
    {
        private HostDirectory directory;
        private Consumer<HostRequests> onRequest;
        private long joinTimeoutNs = TimeUnit.SECONDS.toNanos(60);
        private String firstDelay = "";
        private volatile boolean isAnswering;
        private volatile CompletableFuture<Void> answering;

        @Override
        public void start(final HostDirectory newDirectory)
        {
            directory = newDirectory;
            if (!firstDelay.isEmpty())      // Before it is asked: its thread may begin later than a wait ends.
            {
                directory.requests().delayed(HostRequests.NUMBER_SLOT, firstDelay);
            }
            isAnswering = true;
            answering = CompletableFuture.runAsync(() ->
            {
                boolean isOpen = true;
                while (isAnswering && isOpen)
                {
                    final boolean[] hasRequest = new boolean[1];
                    directory.requests().forEachOpen((slot, sequence, name) -> hasRequest[0] = true);
                    if (hasRequest[0])
                    {
                        onRequest.accept(directory.requests());
                        isOpen = false;
                    }
                    Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }, task -> new Thread(task, "agent").start());      // The common pool may have one thread for all.
        }

        @Override
        public long joinTimeoutNs()
        {
            return joinTimeoutNs;
        }

        @Override
        public void stopFollowing()
        {
        }

        @Override
        public void leave(final boolean isLast)
        {
            isAnswering = false;
            if (answering != null)
            {
                answering.join();
            }
        }
    }
}
