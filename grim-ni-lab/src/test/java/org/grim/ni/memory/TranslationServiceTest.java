// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.ChannelRegisters;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.ni.board.HostMemory;
import org.grim.ni.memory.Delivery.Verdict;
import org.junit.jupiter.api.Test;

import static org.grim.wire.MessageType.REMOTE_WRITE_VIRTUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TranslationServiceTest
{
    private static final int PAGE = 4096;
    /** Virtual page n lies in the region's page 63 - n: neighbours are never together. */
    private static final long BASE = 0x7F00_0000_0000L;
    private static final PageTable PAGES = page ->
    {
        final long number = (page - BASE) / PAGE;
        return number < 0 || number >= 40 ? PageTable.NONE : TestBoard.page((int)(63 - number) * PAGE);
    };

    private final TestBoard board = new TestBoard();
    private TranslationResponder responder;
    private long nowNs = 5;

    TranslationServiceTest()
    {
        board.registers.put(ChannelRegisters.CONTEXT, TestBoard.CONTEXT).enableRelease();
    }

    private void respond()
    {
        responder = board.responder(PAGES);
    }

    private Verdict attempt(final int length)
    {
        final Verdict verdict = board.deliver(board.remote, length);
        board.service.poll(nowNs);
        responder.poll();
        board.service.poll(nowNs);
        return verdict;
    }

    private byte atVirtual(final long address)
    {
        final long physical = (PAGES.physicalPage(address & -PAGE) & -PAGE) + (address & (PAGE - 1));
        return board.region.getByte(HostMemory.index(physical));
    }

    @Test
    void shouldRefuseAfterTheHostSaidThatThereIsNoSuchRegion()
    {
        respond();
        final int length = board.write(REMOTE_WRITE_VIRTUAL, BASE + 39 * PAGE, 0, 0, 5000);

        assertEquals(Verdict.NO_ROOM, attempt(length));
        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));
        assertEquals(1, board.refusals.count(RefuseReason.NO_TRANSLATION));
        assertEquals(0, atVirtual(BASE + 39 * PAGE));

        assertEquals(Verdict.NO_ROOM, attempt(board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 4)));
        assertEquals(2, board.service.requestCount());
    }

    @Test
    void shouldRefuseAndCountAnswersThatCannotBeTrue()
    {
        for (final long page : new long[] {
            TestBoard.page(8), TestBoard.physical(0), HostMemory.address(0, 0) + 3, 3 - PAGE, (1L << 50) + 3})
        {
            responder = board.responder(virtual -> page);
            final int length = board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 4);
            assertEquals(Verdict.NO_ROOM, attempt(length));
            assertEquals(Verdict.REFUSE, attempt(length));
        }

        assertEquals(5, board.service.badAnswerCount());
        assertEquals(5, board.service.deniedCount());
        assertEquals(5, board.refusals.count(RefuseReason.NO_TRANSLATION));
    }

    @Test
    void shouldAskAgainWhenTheHostDoesNotAnswerInTimeAndTakeNoLateAnswer()
    {
        respond();
        final int length = board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 4);
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, length));
        board.service.poll(0);
        assertEquals(0, board.service.poll(TestBoard.LIMIT_NS - 1));
        assertEquals(1, board.service.poll(TestBoard.LIMIT_NS));
        responder.poll();                                           // Late.

        final int other = board.write(REMOTE_WRITE_VIRTUAL, BASE + 5 * PAGE, 0, 0, 4);
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, other));
        board.service.poll(TestBoard.LIMIT_NS);
        assertEquals(0, board.service.poll(TestBoard.LIMIT_NS));
        responder.poll();
        board.service.poll(TestBoard.LIMIT_NS);
        assertEquals(Verdict.TAKE, board.deliver(board.remote, other));

        assertEquals(1, board.service.timeoutCount());
        assertEquals(TestBoard.pattern(0), atVirtual(BASE + 5 * PAGE));
        assertEquals(0, atVirtual(BASE));
    }

    @Test
    void shouldExecuteBothOfTwoMessagesThatEvictEachOther()
    {
        respond();
        final long[] addresses = {BASE, BASE + 17 * PAGE};          // 34 pages: more than the cache's 32.
        final boolean[] isDone = new boolean[2];

        for (int round = 0; round < 20; round++)
        {
            isDone[0] = false;
            isDone[1] = false;
            int attempts = 0;
            while (!isDone[0] || !isDone[1])
            {
                final int which = attempts & 1;
                final int length = board.write(REMOTE_WRITE_VIRTUAL, addresses[which] + 4000, 0, 0, 65_000);
                isDone[which] |= attempt(length) == Verdict.TAKE;
                attempts++;
                assertTrue(attempts < 12, "starved in round " + round);
            }
        }

        assertTrue(board.service.requestCount() >= 20);
    }
}
