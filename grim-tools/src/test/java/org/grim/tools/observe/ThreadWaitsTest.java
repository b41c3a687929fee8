// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.List;

import org.grim.NodeInfo;
import org.grim.board.NiRoute;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.tools.report.Counters;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Waits that were reported, among node-0, node-1, node-2. */
final class ThreadWaitsTest
{
    private static final long NOW_MS = 100_000;

    private final List<ClusterSample.Node> nodes = new ArrayList<>();

    @Test
    void shouldFollowWaitsToWhoReportsNone()
    {
        node(0, SeenNode.ProcessState.RUNNING, wait(1, "receive source=1 tag=7 communicator=0", 12_000));
        node(1, SeenNode.ProcessState.RUNNING, wait(2, "collective barrier communicator=0", 3_000),
            wait(0, "receive source=0 tag=3 communicator=4", 2_000));
        node(2, SeenNode.ProcessState.RUNNING);

        final List<WhyReport.Entry> entries = new ThreadWaits(sample()).entries();

        assertEquals(3, entries.size());
        assertEquals(new WhyReport.Entry(new Stall.Facts("node-1", "node-0", -1, -1, "thread", 0, 0), 12_000,
            WhyCause.THREAD_WAITS, List.of(
            "node-0 waits for node-1, for 12.0 s: receive source=1 tag=7 communicator=0",
            "node-1 itself waits for node-2, for 3.0 s: collective barrier communicator=0",
            "node-2's process 4713 has not done what ends the wait, and reports none itself: it computes, or waits " +
            "elsewhere")), entries.get(0));
    }

    @Test
    void shouldFindThatTwoWaitForEachOther()
    {
        node(0, SeenNode.ProcessState.RUNNING, wait(1, "receive source=1 tag=any communicator=0", 2_000));
        node(1, SeenNode.ProcessState.RUNNING, wait(0, "receive source=0 tag=any communicator=0", 2_000));

        final WhyReport.Entry entry = new ThreadWaits(sample()).entries().get(1);

        assertEquals(WhyCause.CYCLE, entry.cause());
        assertEquals("this is a cycle: node-1 waits for node-0 waits for node-1", entry.chain().get(2));
    }

    @Test
    void shouldNameThePeerThatIsStopped()
    {
        node(0, SeenNode.ProcessState.RUNNING, wait(1, "receive source=1 tag=7 communicator=0", 2_000));
        node(1, SeenNode.ProcessState.STOPPED, wait(0, "receive source=0 tag=7 communicator=0", 2_000));

        final WhyReport.Entry entry = new ThreadWaits(sample()).entries().get(0);

        assertEquals(WhyCause.RECEIVER_STOPPED, entry.cause());
        assertEquals("node-1's process 4712 is stopped (SIGSTOP or a debugger): kill -CONT lets it go on",
            entry.chain().get(1));
    }

    /** A wait for any; a node that is not there; one that is being written. */
    @Test
    void shouldTakeWhatNamesNobody()
    {
        node(0, SeenNode.ProcessState.RUNNING, wait(-1, "receive source=any tag=7 communicator=0", 2_000),
            wait(9, "receive source=9 tag=7 communicator=0", 1_000),
            new CountersView.Reading(CounterKind.THREAD_WAITS, 1, "thread-waits", 0));

        final List<WhyReport.Entry> entries = new ThreadWaits(sample()).entries();

        assertEquals(List.of("node-0 waits, for 2.0 s: receive source=any tag=7 communicator=0"),
            entries.get(0).chain());
        assertEquals(List.of("node-0 waits for node 9, for 1.0 s: receive source=9 tag=7 communicator=0"),
            entries.get(1).chain());
        assertEquals(2, entries.size());
    }

    private static CountersView.Reading wait(final int node, final String what, final long durationMs)
    {
        return new CountersView.Reading(CounterKind.THREAD_WAITS, node, "thread-waits " + what, NOW_MS - durationMs);
    }

    private void node(final int number, final SeenNode.ProcessState state, final CountersView.Reading... waits)
    {
        final NodeInfo info = new NodeInfo(number, "node-" + number, NodeInfo.State.UP, 1, 4711 + number, 1,
            List.of("shmem"), List.of(), NOW_MS, "here", NodeInfo.GoneReason.NONE);
        nodes.add(new ClusterSample.Node(new SeenNode(info, true, state, NiRoute.NONE),
            new Counters(List.of(waits), List.of()), ClusterSample.Inbox.NONE, List.of()));
    }

    private ClusterSample sample()
    {
        return new ClusterSample(NOW_MS, nodes, null, null, null);
    }
}
