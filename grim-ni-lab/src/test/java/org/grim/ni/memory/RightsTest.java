// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.buffer.Buffers;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.Delivery.Verdict;
import org.junit.jupiter.api.Test;

import static org.grim.wire.MessageType.REMOTE_READ_REPLY;
import static org.grim.wire.MessageType.REMOTE_WRITE_VIRTUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Rights of peers on a page, from static entries and from answers to requests. */
final class RightsTest
{
    private static final int PAGE = 4096;
    private static final long BASE = 1L << 40;
    /** Page n has the rights n, as far as there are any. */
    private static final PageTable PAGES = page ->
    {
        final long number = (page - BASE) / PAGE;
        return number < 1 || number > 3 ? PageTable.NONE : TestBoard.physical((int)number * PAGE) + number;
    };
    private static final long READ_ONLY = BASE + PAGE;
    private static final long WRITE_ONLY = BASE + 2 * PAGE;
    private static final long BOTH = BASE + 3 * PAGE;

    private final TestBoard board = new TestBoard();
    private TranslationResponder responder;

    RightsTest()
    {
        board.registers.put(ChannelRegisters.CONTEXT, TestBoard.CONTEXT).enableRelease();
        responder = board.responder(PAGES);
    }

    /** The last verdict after as many attempts as an operation with two misses takes. */
    private Verdict attempt(final int length)
    {
        Verdict verdict = Verdict.NO_ROOM;
        for (int i = 0; i < 3 && verdict == Verdict.NO_ROOM; i++)
        {
            verdict = board.deliver(board.remote, length);
            board.service.poll(0);
            responder.poll();
            board.service.poll(0);
        }
        return verdict;
    }

    private void refuses(final int length)
    {
        final long before = board.refusals.count(RefuseReason.NO_RIGHT);
        final AtomicBuffer copy = Buffers.allocate(board.region.capacity());
        copy.putBytes(0, board.region, 0, copy.capacity());

        assertEquals(Verdict.REFUSE, attempt(length));

        assertEquals(before + 1, board.refusals.count(RefuseReason.NO_RIGHT));
        // The request's own bytes may change; no other.
        copy.putBytes(TestBoard.REQUEST_INDEX, board.region, TestBoard.REQUEST_INDEX, 16);
        assertEquals(copy, board.region);
    }

    @Test
    void shouldHoldRightsOfAnswers()
    {
        holdsRights();
    }

    @Test
    void shouldHoldRightsOfStaticEntries()
    {
        for (final MemoryRegion.Rights rights : MemoryRegion.Rights.values())
        {
            board.statics.put(rights.bits() - 1, TestBoard.CONTEXT, BASE + (long)rights.bits() * PAGE, PAGE,
                TestBoard.physical(rights.bits() * PAGE), rights.bits());
        }

        holdsRights();

        assertEquals(0, board.service.requestCount());
    }

    private void holdsRights()
    {
        refuses(board.write(REMOTE_WRITE_VIRTUAL, READ_ONLY + 4, 0, 0, 8));
        refuses(board.write(REMOTE_WRITE_VIRTUAL, BOTH, READ_ONLY, 1, 8));
        refuses(board.read(WRITE_ONLY, BASE, 0, 0, 8));
        assertEquals(0, board.sink.publishedCount);

        assertEquals(Verdict.TAKE, attempt(board.write(REMOTE_WRITE_VIRTUAL, WRITE_ONLY, BOTH + 8, 5, 8)));
        assertEquals(Verdict.TAKE, attempt(board.write(REMOTE_WRITE_VIRTUAL, BOTH, WRITE_ONLY + 8, 6, 8)));
        assertEquals(Verdict.TAKE, attempt(board.read(READ_ONLY, BASE, 0, 0, 8)));
        assertEquals(Verdict.TAKE, attempt(board.read(BOTH, BASE, 0, 0, 8)));
        assertEquals(TestBoard.pattern(7), board.region.getByte(2 * PAGE + 7));
        assertEquals(6, board.region.getInt(2 * PAGE + 8));
        assertEquals(TestBoard.pattern(7), board.region.getByte(3 * PAGE + 7));
        assertEquals(5, board.region.getInt(3 * PAGE + 8));
        assertEquals(2, board.sink.publishedCount);
    }

    @Test
    void shouldRefuseARangeWithOnePageThatLacksTheRight()
    {
        refuses(board.write(REMOTE_WRITE_VIRTUAL, READ_ONLY + PAGE - 4, 0, 0, 8));
        refuses(board.read(READ_ONLY + PAGE - 4, BASE, 0, 0, 8));
        assertEquals(Verdict.TAKE, attempt(board.write(REMOTE_WRITE_VIRTUAL, WRITE_ONLY + PAGE - 4, 0, 0, 8)));
    }

    @Test
    void shouldLetARepliesOwnerNameAnyOfItsRegionsAsTheTarget()
    {
        assertEquals(Verdict.TAKE, attempt(board.write(REMOTE_READ_REPLY, READ_ONLY, READ_ONLY + 64, 9, 8)));

        assertEquals(TestBoard.pattern(0), board.region.getByte(PAGE));
        assertEquals(9, board.region.getInt(PAGE + 64));
        assertEquals(Verdict.REFUSE, attempt(board.write(REMOTE_READ_REPLY, BASE, 0, 0, 8)));
    }

    @Test
    void shouldWriteWithoutTheRightWithoutTheGuard()
    {
        board.start(Guards.without(Guard.RIGHT_CHECK));
        responder = board.responder(PAGES);

        assertEquals(Verdict.TAKE, attempt(board.write(REMOTE_WRITE_VIRTUAL, READ_ONLY, 0, 0, 8)));
        assertEquals(TestBoard.pattern(0), board.region.getByte(PAGE));
    }
}
