// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.util.List;

import org.grim.tools.connections.ConnectionSample;
import org.grim.tools.report.Counters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Chains of nodes that wait for each other through boards: alice (0), bob (1) and carol (2), each with a board. */
final class NiWaitChainTest
{
    private static final String FULL = "channel 0): full, 32 messages, 1024 of 1024 bytes, for 300 ms";
    private static final String ALICE_TO_BOB = "alice -> bob channel 0 (NI 0 " + FULL;
    private static final String BOB_TO_ALICE = "bob -> alice channel 0 (NI 1 " + FULL;
    private static final String IDLE = " (arrival queue of channel 0: full, 4 of 4 unread) is alive, but the thread " +
        "that owns the channel does not poll, or is busy in a handler";
    private static final String BOB_IDLE = "bob's process 4712" + IDLE;

    @TempDir
    private Path directory;
    private HandmadeBoards boards;

    @BeforeEach
    void make()
    {
        boards = new HandmadeBoards(directory).node(0, "alice").node(1, "bob").node(2, "carol");
        for (int node = 0; node < 3; node++)
        {
            boards.board(node).attach(node, node, 0, 0, 1);
        }
        fill(0, 1);
    }

    @AfterEach
    void remove()
    {
        boards.close();
    }

    @Test
    void shouldFollowTheChainThroughBoardsToTheProcessThatIsStopped()
    {
        boards.send(1, 0, 2, 0, 32);
        boards.stop(2);

        final WhyReport report = report();

        assertEquals(List.of(ALICE_TO_BOB, BOB_IDLE,
            "bob itself waits: bob -> carol channel 0 (NI 1 " + FULL,
            "carol's process 4713 is stopped (SIGSTOP or a debugger): kill -CONT lets it go on"),
            entry(report, "alice").chain());
        assertEquals(WhyCause.RECEIVER_NOT_POLLING, entry(report, "alice").cause());
        assertEquals(WhyCause.RECEIVER_STOPPED, entry(report, "bob").cause());
        assertTrue(report.isWaiting());
        assertEquals(new WhyReport.Entry(new Stall.Facts("alice", "bob", 0, 0, "ni", 32, 32), 300,
            WhyCause.RECEIVER_NOT_POLLING, entry(report, "alice").chain()), entry(report, "alice"));
    }

    @Test
    void shouldSayThatReceiversWaitForEachOtherThroughBoards()
    {
        fill(1, 0);

        final WhyReport report = report();

        assertEquals(List.of(ALICE_TO_BOB, BOB_IDLE, "bob itself waits: " + BOB_TO_ALICE,
            "alice's process 4711" + IDLE, "alice itself waits: " + ALICE_TO_BOB,
            "this is a cycle: bob waits for alice waits for bob, and none of them polls"),
            entry(report, "alice").chain());
        assertEquals(WhyCause.CYCLE, entry(report, "alice").cause());
        assertEquals(WhyCause.CYCLE, entry(report, "bob").cause());
    }

    /** Messages that do not fill their queue hinder no node: bob does not wait for it. */
    @Test
    void shouldEndTheChainWhereThereIsRoom()
    {
        boards.send(1, 0, 2, 0, 3);
        boards.stop(2);

        assertEquals(List.of(ALICE_TO_BOB, BOB_IDLE), entry(report(), "alice").chain());
    }

    /** A full queue, and a full arrival queue at its end. */
    private void fill(final int from, final int to)
    {
        boards.send(from, 0, to, 0, 32);
        for (int i = 0; i < HandmadeBoards.FRAME_COUNT; i++)
        {
            boards.arrive(to, 0, to, from);
        }
    }

    private WhyReport report()
    {
        final ClusterSample before = look(-100);
        for (int node = 0; node < 3; node++)
        {
            boards.step(node);
        }
        return new Diagnosis(before, look(200)).report();
    }

    private ClusterSample look(final long afterMs)
    {
        return new ClusterSample(HandmadeBoards.EPOCH_MS + afterMs, boards.nodes().stream().map(seen ->
            new ClusterSample.Node(seen, Counters.NONE, ClusterSample.Inbox.NONE, List.of())).toList(),
            boards.look(afterMs), HopSample.NONE, ConnectionSample.NONE);
    }

    private static WhyReport.Entry entry(final WhyReport report, final String from)
    {
        return report.entries().stream().filter(entry -> entry.facts().from().equals(from) &&
            entry.facts().kind().equals("ni")).findFirst().orElseThrow(() -> new AssertionError(report.toString()));
    }
}
