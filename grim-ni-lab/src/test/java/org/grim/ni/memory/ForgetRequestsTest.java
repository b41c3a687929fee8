// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.Delivery.Verdict;
import org.junit.jupiter.api.Test;

import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;
import static org.grim.wire.MessageType.REMOTE_WRITE_VIRTUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Memory that a host frees leaves the translation cache before the host is notified. */
final class ForgetRequestsTest
{
    private static final int PAGE = 4096;
    private static final long BASE = 1L << 40;

    private final TestBoard board = new TestBoard();
    private final ContextRegisters context = board.context(TestBoard.CONTEXT);
    private boolean isFreed;
    private TranslationResponder responder;

    ForgetRequestsTest()
    {
        board.registers.put(ChannelRegisters.CONTEXT, TestBoard.CONTEXT).enableRelease();
        responder = board.responder(this::page);
    }

    private long page(final long page)
    {
        return isFreed ? PageTable.NONE : TestBoard.page((int)(page - BASE) + PAGE);
    }

    private void serve()
    {
        board.service.poll(0);
        responder.poll();
        board.service.poll(0);
    }

    private int write()
    {
        return board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 8);
    }

    private void know()
    {
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, write()));
        serve();
        assertEquals(Verdict.TAKE, board.deliver(board.remote, write()));
        board.region.setMemory(PAGE, 8, (byte)0);
    }

    private void free(final int count)
    {
        isFreed = true;
        context.putRelease(FORGET_COUNT, count);
        board.forgets.look(TestBoard.CONTEXT);
    }

    @Test
    void shouldWriteToNoPageThatWasForgotten()
    {
        know();

        free(1);
        assertEquals(0, context.getAcquire(FORGOTTEN_COUNT));
        assertEquals(1, board.forgets.poll(false));

        assertEquals(1, context.getAcquire(FORGOTTEN_COUNT));
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, write()));
        serve();
        assertEquals(Verdict.REFUSE, board.deliver(board.remote, write()));
        assertEquals(0, board.region.getLong(PAGE));
        assertEquals(0, board.forgets.poll(false));
    }

    @Test
    void shouldWriteThereWithoutTheGuard()
    {
        board.start(Guards.without(Guard.FORGET));
        responder = board.responder(this::page);
        know();

        free(1);
        board.forgets.poll(false);

        assertEquals(1, context.getAcquire(FORGOTTEN_COUNT));
        assertEquals(Verdict.TAKE, board.deliver(board.remote, write()));
        assertEquals(TestBoard.pattern(0), board.region.getByte(PAGE));
    }

    @Test
    void shouldWaitForWhatIsUnderWay()
    {
        know();
        final QueuedEngine engine = new QueuedEngine(board.memory, 4);
        board.start(engine);
        responder = board.responder(this::page);
        assertEquals(Verdict.NO_ROOM, board.begin(board.remote, write()));
        free(1);

        assertTrue(board.service.isWriting());
        assertEquals(0, board.forgets.poll(false));
        assertEquals(0, context.getAcquire(FORGOTTEN_COUNT));
        engine.runAll();
        board.service.poll(0);
        assertEquals(0, board.forgets.poll(true), "a message is being executed");
        assertEquals(0, context.getAcquire(FORGOTTEN_COUNT));
        assertEquals(1, board.forgets.poll(false));
        assertEquals(1, context.getAcquire(FORGOTTEN_COUNT));
    }

    @Test
    void shouldTakeNoAnswerFromBefore()
    {
        final int length = write();
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, length));
        board.service.poll(0);
        responder.poll();                           // The page was registered when the host looked.
        free(1);
        board.forgets.poll(false);

        serve();

        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, length));
        serve();
        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));
        assertEquals(0, board.region.getLong(PAGE));
        assertEquals(2, board.service.requestCount());
    }

    @Test
    void shouldCountWhatWasAskedBeforeOnly()
    {
        free(1);
        context.putRelease(FORGET_COUNT, 2);
        board.forgets.poll(false);
        assertEquals(2, context.getAcquire(FORGOTTEN_COUNT));

        context.putRelease(FORGET_COUNT, 3);
        assertEquals(0, board.forgets.poll(false), "no notification has come");
        board.forgets.lookAtAll();
        board.forgets.poll(false);

        assertEquals(3, context.getAcquire(FORGOTTEN_COUNT));
        assertEquals(2, board.forgets.servedCount());
        board.forgets.look(-1);
        board.forgets.look(99);
        assertEquals(0, board.forgets.poll(false));
    }

    @Test
    void shouldKeepWhatOthersKnow()
    {
        know();
        board.context(TestBoard.OTHER_CONTEXT).putRelease(FORGET_COUNT, 1);
        board.forgets.lookAtAll();
        assertEquals(1, board.forgets.poll(false));

        assertEquals(Verdict.TAKE, board.deliver(board.remote, write()));
        assertEquals(0, context.getAcquire(FORGOTTEN_COUNT));
    }

    @Test
    void shouldHaveForgottenEverythingWhenItStartsAnew()
    {
        context.putRelease(FORGET_COUNT, 9);
        board.start(Guards.ALL);
        assertEquals(9, context.getAcquire(FORGOTTEN_COUNT));

        board.forgets.reset(TestBoard.CONTEXT);
        context.putRelease(FORGET_COUNT, 1);
        board.forgets.lookAtAll();
        board.forgets.poll(false);
        assertEquals(1, context.getAcquire(FORGOTTEN_COUNT));
        assertFalse(board.service.isWriting());
    }
}
