// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.board.ChannelRegisters;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.grim.wire.MessageType.REMOTE_COMPARE_AND_SET;
import static org.grim.wire.MessageType.REMOTE_FETCH_ADD;
import static org.grim.wire.MessageType.REMOTE_FETCH_AND;
import static org.grim.wire.MessageType.REMOTE_FETCH_OR;
import static org.grim.wire.MessageType.REMOTE_FETCH_XOR;
import static org.grim.wire.MessageType.REMOTE_GET_AND_SET;
import static org.grim.wire.MessageType.REMOTE_WRITE_ADD_LONG;
import static org.grim.wire.MessageType.REMOTE_WRITE_SET_LONG;
import static org.grim.wire.MessageType.REMOTE_WRITE_SIGNAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Atomic operations and signals as the firmware executes them. */
final class AtomicDeliveryTest
{
    private static final long BASE = 1L << 40;
    private static final long TARGET = 0x1234_5678_9AB8L;
    private static final int REGION_INDEX = 4096;
    private static final int WORD = REGION_INDEX + 16;

    private final TestBoard board = new TestBoard();

    AtomicDeliveryTest()
    {
        board.registers.put(ChannelRegisters.CONTEXT, TestBoard.CONTEXT).enableRelease();
        cover(0, BASE, MemoryRegion.Rights.READ_WRITE);
    }

    @Test
    void shouldExecuteEachOperationAndReplyWithTheWordBefore()
    {
        board.region.putInt(WORD, -2);
        assertEquals(-2, execute(REMOTE_FETCH_ADD, 4, 5, 0));
        assertEquals(3, execute(REMOTE_COMPARE_AND_SET, 4, 8, 4));
        assertEquals(3, execute(REMOTE_COMPARE_AND_SET, 4, 8, 3));
        assertEquals(8, execute(REMOTE_GET_AND_SET, 4, -1, 0));
        assertEquals(-1, execute(REMOTE_FETCH_AND, 4, 0x7FFF_FFF0, 0));
        assertEquals(0x7FFF_FFF0, execute(REMOTE_FETCH_OR, 4, -1L << 32 | 3, 0));
        assertEquals(0x7FFF_FFF3, execute(REMOTE_FETCH_XOR, 4, 0x8000_000C, 0));
        assertEquals(0xFFFF_FFFFL, board.region.getLong(WORD));

        assertEquals(0xFFFF_FFFFL, execute(REMOTE_FETCH_ADD, 8, 1, 0));
        assertEquals(1L << 32, execute(REMOTE_COMPARE_AND_SET, 8, 1, 0));
        assertEquals(1L << 32, execute(REMOTE_COMPARE_AND_SET, 8, Long.MIN_VALUE, 1L << 32));
        assertEquals(Long.MIN_VALUE, execute(REMOTE_FETCH_OR, 8, 0xF0F, 0));
        assertEquals(Long.MIN_VALUE | 0xF0F, execute(REMOTE_FETCH_AND, 8, Long.MIN_VALUE | 0xFF, 0));
        assertEquals(Long.MIN_VALUE | 0xF, execute(REMOTE_FETCH_XOR, 8, -1, 0));
        assertEquals(~(Long.MIN_VALUE | 0xF), execute(REMOTE_GET_AND_SET, 8, 7, 0));
        assertEquals(7, board.region.getLong(WORD));
        assertEquals(0, board.region.getLong(WORD - 8));
        assertEquals(0, board.region.getLong(WORD + 8));
        assertEquals(14, board.remote.executedCount());
    }

    @Test
    void shouldExecuteOnceWhenAllHasArrivedAndPublishTheReplyBehindIt()
    {
        final QueuedEngine engine = new QueuedEngine(board.memory, 4);
        board.start(engine);
        final int length = put(REMOTE_FETCH_ADD, BASE + 16, 8, 3, 0);

        assertEquals(Verdict.TAKE, board.begin(board.remote, length));
        for (int arrived = RemoteMemoryFormat.JUDGED_LENGTH; arrived < length; arrived += 4)
        {
            board.remote.advance(arrived);
            engine.runAll();
        }
        assertEquals(0, board.region.getLong(WORD));
        board.remote.advance(length);
        board.remote.advance(length);
        assertEquals(0, board.sink.publishedCount);
        engine.runAll();
        board.remote.advance(length);
        board.remote.advance(length);

        assertTrue(board.remote.isComplete());
        assertEquals(3, board.region.getLong(WORD));
        assertEquals(1, engine.startedCount());
        assertEquals(1, board.sink.publishedCount);
    }

    @Test
    void shouldNotExecuteWhatWasCutOrHasNoRoomForItsReply()
    {
        final int length = put(REMOTE_FETCH_ADD, BASE + 16, 8, 3, 0);
        board.sink.isFull = true;
        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, length));
        board.sink.isFull = false;

        assertEquals(Verdict.TAKE, board.begin(board.remote, length));
        board.remote.advance(length - 4);
        board.remote.cancel();
        board.remote.advance(length);

        assertEquals(1, board.sink.abortedCount);
        assertEquals(0, board.sink.publishedCount);
        assertEquals(0, board.region.getLong(WORD));
    }

    @Test
    void shouldRefuseWhatIsNoWordOrNotGranted()
    {
        cover(1, BASE + (1 << 20), MemoryRegion.Rights.READ);
        cover(2, BASE + (2 << 20), MemoryRegion.Rights.WRITE);
        board.cover(3, TestBoard.CONTEXT, BASE + (3 << 20), 4096, TestBoard.physical(REGION_INDEX + 4));

        refuses(RefuseReason.MISALIGNED_WORD, put(REMOTE_FETCH_ADD, BASE + 4, 8, 1, 0));
        refuses(RefuseReason.MISALIGNED_WORD, put(REMOTE_FETCH_ADD, BASE + 18, 4, 1, 0));
        refuses(RefuseReason.MISALIGNED_WORD, put(REMOTE_FETCH_ADD, BASE + 16, 16, 1, 0));
        refuses(RefuseReason.MISALIGNED_WORD, put(REMOTE_FETCH_ADD, BASE + 16, 3, 1, 0));
        refuses(RefuseReason.MISALIGNED_WORD, put(REMOTE_FETCH_ADD, BASE + (3 << 20) + 8, 8, 1, 0));
        refuses(RefuseReason.NO_RIGHT, put(REMOTE_FETCH_ADD, BASE + (1 << 20), 8, 1, 0));
        refuses(RefuseReason.NO_RIGHT, put(REMOTE_FETCH_ADD, BASE + (2 << 20), 8, 1, 0));
        refuses(RefuseReason.ZERO_LENGTH, put(REMOTE_FETCH_ADD, BASE + 16, 0, 1, 0));
        final int length = put(REMOTE_FETCH_ADD, BASE + 16, 8, 1, 0);
        board.payloadLength(RemoteMemoryFormat.ATOMIC_EXTENSION_LENGTH - 4);
        refuses(RefuseReason.TRUNCATED, length - 4);
        assertEquals(0, board.sink.publishedCount);
    }

    @Test
    void shouldAddToASignalBehindTheLastByte()
    {
        final QueuedEngine engine = new QueuedEngine(board.memory, 1);
        board.start(engine);
        board.region.putInt(WORD, 70);
        final int length = board.write(REMOTE_WRITE_SIGNAL, BASE + 32, BASE + 16, 7, 100);
        assertEquals(Verdict.TAKE, board.begin(board.remote, length));

        board.remote.advance(length - 4);
        engine.runAll();
        board.remote.advance(length);
        assertEquals(70, board.region.getInt(WORD));
        engine.runAll();
        assertFalse(board.remote.isComplete());
        board.remote.advance(length);
        assertTrue(board.remote.isComplete());
        engine.runAll();

        assertEquals(77, board.region.getInt(WORD));
        assertEquals(0, board.region.getInt(WORD + 4));
        assertEquals(TestBoard.pattern(99), board.region.getByte(REGION_INDEX + 32 + 99));
    }

    @Test
    void shouldChangeASignalOf64BitsBehindTheLastByte()
    {
        board.region.putLong(WORD, 0xFFFF_FFFFL);
        board.region.putLong(WORD + 8, -1);
        final QueuedEngine engine = new QueuedEngine(board.memory, 1);
        board.start(engine);
        for (final boolean isAdded : new boolean[]{true, false})
        {
            final int length = board.write(isAdded ? REMOTE_WRITE_ADD_LONG : REMOTE_WRITE_SET_LONG, BASE + 32,
                BASE + 16, isAdded ? 1L << 40 | 1 : 5L << 33, 101);
            final long before = board.region.getLong(WORD);
            board.region.setMemory(REGION_INDEX + 32, 101, (byte)0);
            assertEquals(Verdict.TAKE, board.begin(board.remote, length));

            for (int arrived = RemoteMemoryFormat.JUDGED_LENGTH; arrived < length; arrived += 4)
            {
                board.remote.advance(arrived);
                engine.runAll();
            }
            board.remote.advance(length);
            assertEquals(before, board.region.getLong(WORD));
            engine.runAll();
            assertEquals(before, board.region.getLong(WORD));
            board.remote.advance(length);
            assertTrue(board.remote.isComplete());
            engine.runAll();

            assertEquals(isAdded ? 0x101_0000_0000L : 5L << 33, board.region.getLong(WORD));
            assertEquals(-1, board.region.getLong(WORD + 8));
            for (int i = 0; i < 101; i++)
            {
                assertEquals(TestBoard.pattern(i), board.region.getByte(REGION_INDEX + 32 + i));
            }
        }
    }

    @Test
    void shouldRefuseSignalsOf64BitsThatAreNoWordNotGrantedOrCut()
    {
        cover(1, BASE + (1 << 20), MemoryRegion.Rights.READ);
        board.cover(2, TestBoard.CONTEXT, BASE + (2 << 20), 4096, TestBoard.physical(REGION_INDEX + 4));
        for (final MessageType type : List.of(REMOTE_WRITE_ADD_LONG, REMOTE_WRITE_SET_LONG))
        {
            refuses(RefuseReason.MISALIGNED_NOTIFICATION, board.write(type, BASE + 32, BASE + 20, 1, 8));
            refuses(RefuseReason.MISALIGNED_NOTIFICATION, board.write(type, BASE + 32, BASE + (2 << 20) + 8, 1, 8));
            refuses(RefuseReason.NO_RIGHT, board.write(type, BASE + 32, BASE + (1 << 20), 1, 8));
            refuses(RefuseReason.ZERO_LENGTH, board.write(type, BASE + 32, BASE + 16, 1, 0));
            final int length = board.write(type, BASE + 32, BASE + 16, 1, 8);
            board.payloadLength(RemoteMemoryFormat.LONG_SIGNAL_EXTENSION_LENGTH + 4);
            refuses(RefuseReason.COUNT_BEYOND_PAYLOAD, length - 4);
            board.payloadLength(RemoteMemoryFormat.LONG_SIGNAL_EXTENSION_LENGTH - 4);
            refuses(RefuseReason.TRUNCATED, length - 12);
        }
    }

    private void cover(final int entry, final long start, final MemoryRegion.Rights rights)
    {
        board.statics.put(entry, TestBoard.CONTEXT, start, 4096, TestBoard.physical(REGION_INDEX), rights.bits());
    }

    private int put(
        final MessageType type, final long address, final int count, final long operand, final long comparand)
    {
        return board.atomic(type, address, TARGET, count, operand, comparand);
    }

    /** Executes one, and returns what its reply says. */
    private long execute(final MessageType type, final int count, final long operand, final long comparand)
    {
        final int index = TestBoard.TestSink.INDEX;
        final AtomicBuffer reply = board.sink.buffer;

        assertEquals(Verdict.TAKE, board.deliver(board.remote, put(type, BASE + 16, count, operand, comparand)));

        final MessageHeader header = new MessageHeader().wrap(reply, index);
        assertEquals(MessageType.REMOTE_READ_REPLY, header.type());
        assertEquals(TARGET, reply.getLong(index + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN));
        assertEquals(0x88, reply.getLong(index + RemoteMemoryFormat.NOTIFICATION_OFFSET, BIG_ENDIAN));
        assertEquals(42, reply.getInt(index + RemoteMemoryFormat.VALUE_OFFSET, BIG_ENDIAN));
        assertEquals(count, reply.getInt(index + RemoteMemoryFormat.COUNT_OFFSET, BIG_ENDIAN));
        assertEquals(RemoteMemoryFormat.DATA_OFFSET + count, board.sink.claimedLength);
        return count == 4 ? reply.getInt(index + RemoteMemoryFormat.DATA_OFFSET, LITTLE_ENDIAN) :
            reply.getLong(index + RemoteMemoryFormat.DATA_OFFSET, LITTLE_ENDIAN);
    }

    private void refuses(final RefuseReason reason, final int length)
    {
        final long before = board.refusals.count(reason);

        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));

        assertEquals(before + 1, board.refusals.count(reason));
        for (int i = 0; i < 4096; i += 8)
        {
            assertEquals(0, board.region.getLong(REGION_INDEX + i));
        }
    }
}
