// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.NodeInfo;
import org.grim.board.NiRoute;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView.Reading;
import org.grim.tools.connections.ConnectionSample;
import org.grim.tools.report.Counters;
import org.grim.transport.HopReport;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two looks at a hop from alice on host left to bob on host right, as they may be, and what is said of them. */
final class HopDiagnosisTest
{
    private static final long EPOCH_MS = 1_700_000_000_000L;
    private static final int ALICE = 0;
    private static final int BOB = 1;
    private static final long FLOW = 77;
    private static final long BETWEEN_MS = 200;

    private long published = 5_000;
    private long limit = 32_000;
    private long sent = 5_000;
    private long highest = 5_000;
    private long complete = 5_000;
    private long consumed = 5_000;
    private long gapMs;
    private long pollMs = 20;
    private long leftDriverMs = 700;
    private long rightDriverMs = 900;
    private long refusedCount;
    private boolean isUnheard;
    private boolean hasImage = true;
    private final List<HopReport.Renewal> renewals = new ArrayList<>();

    @Test
    void shouldSayNothingOfAHopInWhichNothingStands()
    {
        final WhyReport report = why(look(), look());

        assertEquals(List.of(), report.entries());
        assertEquals(1, report.idleCount());
    }

    @Test
    void shouldSayThatAHopMoves()
    {
        published = 6_000;
        final ClusterSample before = look();
        consumed = 5_500;

        final WhyReport report = why(before, look());

        assertEquals(WhyCause.FLOWS, report.entries().get(0).cause());
        assertFalse(report.isWaiting());
    }

    @Test
    void shouldSayForHowLongTheReceiversLoopHasNotPolledAndThatTheSenderHasNoRoom()
    {
        published = 40_000;
        limit = 40_000;
        sent = 21_000;
        highest = 21_000;
        complete = 21_000;
        pollMs = 3_200;

        assertChain(WhyCause.RECEIVER_NOT_POLLING, 3_200,
            "alice -> bob channel 2 (hop to host right): full, 35000 bytes not consumed, for 3.2 s",
            "bob's process 4711 on host right (its loop has not polled for 3.2 s) is alive, but the thread that owns " +
            "the channel does not poll, or is busy in a handler");
    }

    @Test
    void shouldSayThatALoopPollsButNotThisChannel()
    {
        complete = 6_000;
        highest = 6_000;
        published = 6_000;

        assertChain(WhyCause.RECEIVER_NOT_POLLING, BETWEEN_MS,
            "alice -> bob channel 2 (hop to host right): 1000 bytes not consumed, for 200 ms",
            "bob's process 4711 on host right (its loop polls, but does not take what has come) is alive, but the " +
            "thread that owns the channel does not poll, or is busy in a handler");
    }

    @Test
    void shouldSaySinceWhenAGapIsBeingRepaired()
    {
        published = 9_000;
        highest = 9_000;
        gapMs = 1_500;

        assertChain(WhyCause.GAP_REPAIRED, 1_500,
            "alice -> bob channel 2 (hop to host right): 4000 bytes not consumed, for 1.5 s",
            "a gap is being repaired: bytes from position 5000 on are missing at host right since 1.5 s, later ones " +
            "up to 9000 have come; the sender is asked for them again");
    }

    @Test
    void shouldSayThatDatagramsDoNotComeThoughTheHostDoesAnswer()
    {
        published = 9_000;

        assertChain(WhyCause.DATAGRAMS_LOST, BETWEEN_MS,
            "alice -> bob channel 2 (hop to host right): 4000 bytes not consumed, for 200 ms",
            "datagrams do not come through: of 4000 bytes none has come to host right, though both media drivers " +
            "step and the hosts hear each other: look for a firewall, a cable, a wrong grim.aeron.bind");
    }

    @Test
    void shouldSayThatAHopDoesNotBeginIfItsSenderIsRefused()
    {
        hasImage = false;
        final ClusterSample before = look();
        refusedCount = 10;

        final WhyReport report = why(before, look());

        assertEquals(WhyCause.DATAGRAMS_LOST, report.entries().get(0).cause());
        assertTrue(report.text().contains("datagrams do not come through: host right has nothing of it"),
            report.text());
        assertEquals(List.of(), why(look(), look()).entries());
    }

    @Test
    void shouldSayForHowLongAHostWasNotHeard()
    {
        isUnheard = true;

        assertChain(WhyCause.HOST_UNREACHABLE, 4_000,
            "alice -> bob channel 2 (hop to host right): nothing is known of the other end, for 4.0 s",
            "the host cannot be reached: host right's agent does not answer, and was not heard for 4.0 s: the " +
            "network is cut, or the host stands still");
    }

    @Test
    void shouldTellAStarvedDriverFromADeadNetwork()
    {
        published = 9_000;
        leftDriverMs = 3_400;

        final WhyReport report = why(look(), look());

        final String late = "it is not the network: the media driver in process 815 on host left has not stepped for " +
            "3.4 s (it is stopped, starved, or gone)";
        assertEquals(List.of("all hops of alice on host left, for 3.4 s", late), report.entries().get(0).chain());
        assertEquals(List.of(
            "alice -> bob channel 2 (hop to host right): 4000 bytes not consumed, for 3.4 s", late),
            report.entries().get(1).chain());
        assertEquals(Set.of(WhyCause.DRIVER_NOT_STEPPED), Set.of(report.entries().get(1).cause()));
    }

    @Test
    void shouldSayWhichHostsDriverDoesNotStep()
    {
        published = 9_000;
        rightDriverMs = 3_400;

        assertTrue(why(look(), look()).text().contains("the media driver in process 816 on host right has not stepped"),
            why(look(), look())::text);
    }

    @Test
    void shouldSayWhenAClientBeganAnewAndThatNothingWaitsForThat()
    {
        renewals.add(new HopReport.Renewal(ALICE, 61_000, "client timeout from driver"));

        final WhyReport report = why(look(), look());

        assertFalse(report.isWaiting());
        assertEquals("alice on host left\n  Aeron's client of the node was renewed at 2023-11-14T22:12:19Z (61.0 s " +
            "ago: client timeout from driver): the hops before that were lost\n  cause: client-renewed\n\n" +
            "nothing waits; queues that flow: 0, empty: 1\n", report.text());
    }

    private void assertChain(final WhyCause cause, final long stuckMs, final String... chain)
    {
        final WhyReport report = why(look(), look());

        assertEquals(1, report.entries().size(), report::toString);
        final WhyReport.Entry entry = report.entries().get(0);
        assertEquals(List.of(chain), entry.chain());
        assertEquals(cause, entry.cause());
        assertEquals(stuckMs, entry.stuckMs());
        assertTrue(report.isWaiting());
    }

    /** The second look is a moment later. */
    private static WhyReport why(final ClusterSample before, final ClusterSample now)
    {
        return new Diagnosis(before, new ClusterSample(before.epochMs() + BETWEEN_MS, now.nodes(), now.boards(),
            now.hops(), ConnectionSample.NONE)).report();
    }

    private ClusterSample look()
    {
        final HopReport hops = new HopReport(
            List.of(new HopReport.Driver(815, leftDriverMs, List.of(ALICE)),
                new HopReport.Driver(816, rightDriverMs, List.of(BOB))),
            List.of(new HopReport.Outgoing(FLOW, ALICE, BOB, 2, published, limit, sent)),
            !hasImage || isUnheard ? List.of() :
            List.of(new HopReport.Incoming(FLOW, BOB, 2, highest, complete, consumed, gapMs)), List.copyOf(renewals),
            List.of());
        return new ClusterSample(EPOCH_MS,
            List.of(node(ALICE, "alice", "left", 0), node(BOB, "bob", "right", EPOCH_MS + BETWEEN_MS - pollMs)),
            new NiSample(EPOCH_MS, List.of(), List.of()),
            new HopSample(hops, Map.of("right", isUnheard ? 4_000L : 100L), isUnheard ? Set.of("right") : Set.of()),
            ConnectionSample.NONE);
    }

    private ClusterSample.Node node(final int number, final String name, final String host, final long pollMs)
    {
        final NodeInfo info = new NodeInfo(number, name, NodeInfo.State.UP, 1, 4711, 3, List.of("aeron"),
            List.of(), EPOCH_MS, host, NodeInfo.GoneReason.NONE);
        return new ClusterSample.Node(new SeenNode(info, true, SeenNode.ProcessState.UNKNOWN, NiRoute.NONE),
            new Counters(List.of(new Reading(CounterKind.BACK_PRESSURED, 0, "", refusedCount)), List.of()),
            ClusterSample.Inbox.ofRemote(pollMs), List.of());
    }
}
