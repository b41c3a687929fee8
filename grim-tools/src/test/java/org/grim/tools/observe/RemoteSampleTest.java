// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.agrona.concurrent.IdleStrategy;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.board.NiRoute;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two hosts on loopback, a directory and an agent each, seen from one of them. */
@Timeout(180)
final class RemoteSampleTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path base;
    private final List<Grim> open = new ArrayList<>();
    private Path left;
    private volatile boolean isHeld;

    @BeforeEach
    void join()
    {
        final List<String> addresses = List.of("127.0.0.1:" + FreePorts.pair(), "127.0.0.1:" + FreePorts.pair());
        left = join("left", "one", addresses.get(0), addresses);
        join("right", "two", addresses.get(1), addresses);
        for (final Grim grim : open)
        {
            grim.startPolling(new Holding());
            grim.start();
        }
        open.get(0).awaitNodes(2, PATIENCE);
    }

    @AfterEach
    void leave()
    {
        isHeld = false;
        open.forEach(Grim::close);
    }

    @Test
    void shouldShowNodesAndCountersOfBothHosts()
    {
        final String nodes = Observer.nodes(left).text();
        Observer.Report stat = Observer.stat(left);
        final long startNs = System.nanoTime();
        while (!second(stat).get("missing").equals(List.of()))          // Its agent may be late with the answer.
        {
            requireInTime(startNs, stat.text());
            stat = Observer.stat(left);
        }

        assertTrue(nodes.lines().anyMatch(line -> line.contains("  one  ") && line.contains("  left  ")), nodes);
        assertTrue(nodes.lines().anyMatch(line -> line.contains("  two  ") && line.contains("  right  ") &&
            line.contains("  up  ")), nodes);
        assertTrue(stat.text().contains("node 1 two: up, alive, incarnation " + open.get(1).node().incarnation() +
            ", endpoints host-cpu, host right\n"),
            stat.text());
        final Map<?, ?> two = second(stat);
        assertEquals(3, ((List<?>)two.get("channels")).size());             // And the shared links.
        assertEquals("right", two.get("host"));
    }

    @Test
    void shouldSayWhichLoopDoesNotPoll()
    {
        awaitLines(10, List::isEmpty);          // Loop and agent of the other node may be late.

        isHeld = true;

        awaitLines(10, RemoteSampleTest::isHeldLoop);
        awaitLines(1_500, RemoteSampleTest::isHeldLoop);                // Both looks find it, with other times.
    }

    private static boolean isHeldLoop(final List<String> lines)
    {
        return lines.size() == 1 && lines.get(0).matches("node 1: its loop has not polled for [0-9.]+ s");
    }

    @Test
    void shouldSayWhichHostDoesNotAnswer()
    {
        final SeenNode silent = seen("nowhere", 1);
        final SeenNode two = seen("right", open.get(1).node().incarnation());

        ClusterSampler.RemoteSample sample = ClusterSampler.RemoteSample.ask(left, List.of(silent, two), 300);
        final long startNs = System.nanoTime();
        while (!sample.node(two, 0).missing().isEmpty())                // Its agent may be late with the answer.
        {
            requireInTime(startNs, sample.toString());
            sample = ClusterSampler.RemoteSample.ask(left, List.of(silent, two), 300);
        }

        assertEquals(List.of("host nowhere did not answer for 300 ms"), sample.node(silent, 0).missing());
        assertEquals(List.of("host right says that it is gone"),
            sample.node(seen("right", open.get(1).node().incarnation() + 1), 0).missing());
    }

    @Test
    void shouldSayThatThisHostsAgentCannotBeAsked()
    {
        open.forEach(Grim::close);

        final SeenNode two = seen("right", 1);
        final List<String> missing = ClusterSampler.RemoteSample.ask(left, List.of(two), 300).node(two, 0).missing();

        assertTrue(missing.get(0).startsWith("host right was not asked: this host's agent cannot be asked at " +
            left.resolve("agent") + ": "), missing::toString);
    }

    private static Map<?, ?> second(final Observer.Report stat)
    {
        return (Map<?, ?>)((List<?>)((Map<?, ?>)stat.json()).get("nodes")).get(1);
    }

    private void awaitLines(final long sampleMs, final Predicate<List<String>> isExpected)
    {
        final long startNs = System.nanoTime();
        List<String> lines = why(sampleMs);
        while (!isExpected.test(lines))
        {
            requireInTime(startNs, lines.toString());
            lines = why(sampleMs);
        }
    }

    private static void requireInTime(final long startNs, final String what)
    {
        assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), what);
    }

    private List<String> why(final long sampleMs)
    {
        return Observer.why(left, sampleMs).text().lines().filter(line -> line.startsWith("node ")).toList();
    }

    private Path join(final String host, final String name, final String bind, final List<String> addresses)
    {
        final GrimConfig config = GrimConfig.builder().directory(base.resolve(host)).nodeName(name)
            .set("grim.cluster.name", "test").set("grim.cluster.nodes-max", 8).set("grim.node.host", host)
            .set("grim.network.bind", bind).set("grim.network.discovery.hosts", addresses).build();
        open.add(Grim.enable(config));
        return config.clusterDirectory();
    }

    private static SeenNode seen(final String host, final int incarnation)
    {
        return new SeenNode(info(host, incarnation, NodeInfo.State.UP), true, SeenNode.ProcessState.UNKNOWN,
            NiRoute.NONE);
    }

    private static NodeInfo info(final String host, final int incarnation, final NodeInfo.State state)
    {
        return new NodeInfo(1, "two", state, incarnation, 0, 2, List.of(), List.of(new DeviceInfo(
            EndpointId.of(1, 0, 0), NodeInfo.Device.HOST_CPU, DeviceInfo.State.UP, 1),
            new DeviceInfo(EndpointId.of(1, 1, 4), NodeInfo.Device.STORAGE, DeviceInfo.State.FAILED, 2)), 0, host,
            state == NodeInfo.State.GONE ? NodeInfo.GoneReason.DIED : NodeInfo.GoneReason.NONE);
    }

    /** Keeps both loops from polling while the test says so. */
    private final class Holding implements IdleStrategy
    {
        @Override
        public void idle(final int workCount)
        {
            idle();
        }

        @Override
        public void idle()
        {
            do
            {
                Uninterrupted.park(1_000_000);
            }
            while (isHeld);
        }

        @Override
        public void reset()
        {
            // Has no state.
        }
    }
}
