// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.board.NiRecord;
import org.grim.myrinet.memory.TestPages;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.myrinet.MemoryCluster.BOTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Boards that go with operations under way, and come again. */
@Timeout(180)
final class MemoryIncarnationsTest
{
    private static final int PAGE = TestPages.PAGE;
    private static final Map<String, Object> GUEST = Map.of("grim.myrinet.board", "board");

    @TempDir
    private Path directory;
    private final List<MemoryNode> boards = new ArrayList<>();

    @AfterEach
    void closeBoards()
    {
        boards.forEach(MemoryNode::close);
    }

    /** A node whose board others use; a thread steps it. */
    private MemoryNode openBoard()
    {
        final MemoryNode board = new MemoryNode(directory, "board", Map.of("grim.myrinet.firmware", "thread",
            "grim.myrinet.contexts", 4, "grim.myrinet.board-channels", 8, "grim.myrinet.sram-length", "4MiB"));
        boards.add(board);
        return board;
    }

    private static void loseAll(final MemoryCluster cluster, final int count, final Runnable death)
    {
        final BitSet tickets = new BitSet();
        for (int ticket = 0; ticket < count; ticket++)
        {
            tickets.set(ticket);
        }
        death.run();
        cluster.stopFar();
        cluster.await(() ->
        {
            cluster.hop.drainRefusals((ticket, address, length, reason) ->
            {
                assertEquals(RemoteRefusal.PEER_GONE, reason);
                assertTrue(tickets.get(ticket), "reported twice: " + ticket);
                tickets.clear(ticket);
            });
            return tickets.isEmpty();
        }, "a word about each operation");
        assertEquals(SendStatus.PEER_GONE,
            cluster.hop.tryWrite(false, 1L << 40, cluster.payload, 0, 8, 0, 0, 1));
        assertEquals(0, cluster.drain());
    }

    @Test
    void shouldTellOfEveryOperationWhenTheFarBoardGoes()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            final TestPages.Region far = cluster.far.pages.register(PAGE, BOTH);
            final TestPages.Region near = cluster.near.pages.register(PAGE, BOTH);
            cluster.write(false, far.virtualAddress(), 8, far.virtualAddress() + 8, 1);
            cluster.settle();
            assertEquals(List.of(), cluster.outcomes);
            for (int ticket = 0; ticket < 60; ticket++)
            {
                final SendStatus status = ticket % 3 == 0 ?
                    cluster.hop.tryRead(far.virtualAddress(), near.virtualAddress(), 8, near.virtualAddress() + 8,
                    ticket + 1, ticket) :
                    cluster.hop.tryWrite(ticket % 3 == 1, 0, cluster.payload, 0, 8, 0, 0, ticket);
                assertEquals(SendStatus.SENT, status);
            }

            loseAll(cluster, 60, cluster.far::close);

            assertTrue(cluster.connection.hop().isPeerGone());
            assertEquals(0, cluster.connection.hop().unknownCount() + cluster.connection.hop().undeliveredCount());
        }
    }

    /** The board settles while another thread reads the two figures: the first still adds up with the second. */
    @Test
    void shouldCountAMessageOnceWhileItsOutcomeBecomesKnown()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            final Hop hop = cluster.connection.hop();
            final int count = 20;
            send(cluster, hop, count);
            assertEquals(count, hop.unknownCount());
            cluster.far.close();
            cluster.stopFar();

            cluster.await(() -> cluster.near.transport.sessionForTest().unsettledCount() == 0, "their outcomes");

            assertEquals(0, hop.undeliveredCount());
            assertEquals(count, hop.unknownCount() + hop.undeliveredCount());
            assertTrue(hop.undeliveredCount() > 0, "undelivered=" + hop.undeliveredCount());
        }
    }

    /** The path is made between the node's last word, of what it leaves unread, and its going; then it comes again. */
    @Test
    void shouldCountWhatWasSentToANodeThatIsLeaving()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            NiRecord.of(cluster.far.membership(), cluster.far.number()).unread(3);
            final Hop hop = cluster.near.connect(cluster.far).hop();
            final int count = 2;
            send(cluster, hop, count);
            cluster.far.close();
            cluster.stopFar();
            boards.add(new MemoryNode(directory, "far", Map.of()));

            assertEquals(cluster.far.number(), boards.get(0).number());
            assertTrue(hop.isPeerGone());
            assertEquals(count, hop.unknownCount());
            assertEquals(0, hop.undeliveredCount());
        }
    }

    private static void send(final MemoryCluster cluster, final Hop hop, final int count)
    {
        final EndpointId from = EndpointId.of(cluster.near.number(), 0, 0);
        final EndpointId to = EndpointId.of(cluster.far.number(), 0, 0);
        final int wordOne = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, from.address());
        final long extentWords = MessageHeader.extentWords(to.address(), HandlerId.NUMBER_MIN, 8);
        for (int i = 0; i < count; i++)
        {
            assertEquals(SendStatus.SENT, hop.trySend(wordOne, extentWords, 0, 0, cluster.payload, 0, 8));
        }
    }

    /** A read whose request was acknowledged, and whose reply went with the far board. */
    @Test
    void shouldTellOfReadsWhoseReplyWasLost()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            final TestPages.Region far = cluster.far.pages.register(PAGE, BOTH);
            final TestPages.Region near = cluster.near.pages.register(PAGE, BOTH);
            cluster.read(far.virtualAddress(), near.virtualAddress(), 8, near.virtualAddress() + 8, 77);
            cluster.settle();
            cluster.await(() -> cluster.near.memory.getIntVolatile(near.offset() + 8) == 77, "the word");
            cluster.near.memory.putInt(near.offset() + 8, 0);       // As if it had never come.

            cluster.far.close();
            cluster.stopFar();
            cluster.await(() -> cluster.drain() > 0, "a word about the read");

            assertEquals(List.of("8 8 PEER_GONE"), cluster.outcomes);
            assertEquals(0, cluster.drain());
        }
    }

    @Test
    void shouldTellOfEveryOperationWhenTheOwnBoardGoes()
    {
        final MemoryNode board = openBoard();
        try (MemoryCluster cluster = new MemoryCluster(
            new MemoryNode(directory, "near", GUEST), new MemoryNode(directory, "far", GUEST)))
        {
            final TestPages.Region region = cluster.far.pages.register(PAGE, BOTH);
            for (int ticket = 0; ticket < 20; ticket++)             // The far node answers no questions.
            {
                assertEquals(SendStatus.SENT, cluster.hop.tryWrite(
                    false, region.virtualAddress(), cluster.payload, 0, 8, 0, 0, ticket));
            }

            loseAll(cluster, 20, board::close);

            cluster.far.pages.free(region);
            assertTrue(cluster.far.pages.reuse(region));
        }
    }

    @Test
    void shouldKeepAddressesWhenItsBoardGoesAndComesAgain()
    {
        openBoard();
        final MemoryNode near = new MemoryNode(directory, "near", GUEST);
        final MemoryNode far = new MemoryNode(directory, "far", GUEST);
        near.bind();
        far.bind();
        try (MemoryCluster first = new MemoryCluster(near, far))
        {
            final TestPages.Region small = far.pages.register(2 * PAGE, BOTH);
            final TestPages.Region large = far.pages.register(20 * PAGE, BOTH);
            final TestPages.Region freed = far.pages.register(PAGE, BOTH);
            writeAll(first, small, large, 1);
            for (int life = 2; life <= 5; life++)
            {
                boards.get(boards.size() - 1).close();
                if (life == 3)
                {
                    far.pages.free(freed);                          // While there is no board.
                    assertTrue(far.pages.reuse(freed));
                }
                openBoard();
                first.await(() -> near.transport.reaches(far.number()) && far.transport.reaches(near.number()) &&
                    first.connection.hop().isPeerGone(), "the board");
                assertTrue(first.outcomes.stream().allMatch(text -> text.endsWith("GONE")), first.outcomes::toString);
                final MemoryCluster next = new MemoryCluster(near, far);
                writeAll(next, small, large, life);
                next.write(false, freed.virtualAddress(), 8, 0, 0);
                next.settle();
                assertEquals(life < 3, next.outcomes.isEmpty(), "life " + life + " " + next.outcomes);
            }
            assertFalse(near.transport.sessionForTest().isGone(near.membership()));
        }
    }

    private static void writeAll(
        final MemoryCluster cluster, final TestPages.Region small, final TestPages.Region large, final int value)
    {
        cluster.write(false, small.virtualAddress() + 4_000, value, 200, small.virtualAddress(), value, 7);
        cluster.write(false, large.virtualAddress() + 4_000, value, 6_000, large.virtualAddress(), value, 7);
        cluster.write(true, large.physicalAddress() + 16_000, value, 6_000, large.physicalAddress() + 4, value, 7);
        cluster.await(() -> cluster.far.memory.getIntVolatile(large.offset() + 4) == value, "the last word");
        assertEquals(value, cluster.far.memory.getInt(small.offset()));
        assertEquals(value, cluster.far.memory.getInt(large.offset()));
        assertTrue(cluster.hasPayload(cluster.far.memory, small.offset() + 4_000, value, 200));
        assertTrue(cluster.hasPayload(cluster.far.memory, large.offset() + 4_000, value, 6_000));
        assertTrue(cluster.hasPayload(cluster.far.memory, large.offset() + 16_000, value, 6_000));
    }
}
