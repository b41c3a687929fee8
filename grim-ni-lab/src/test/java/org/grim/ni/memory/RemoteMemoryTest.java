// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.buffer.Buffers;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.wire.MessageType.REMOTE_READ_REPLY;
import static org.grim.wire.MessageType.REMOTE_WRITE_PHYSICAL;
import static org.grim.wire.MessageType.REMOTE_WRITE_VIRTUAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RemoteMemoryTest
{
    private static final int PAGE = 4096;
    /** Virtual page n lies in the region's page 63 - n: neighbours are never together. */
    private static final long BASE = 0x7F00_0000_0000L;
    private static final PageTable PAGES = page ->
    {
        final long number = (page - BASE) / PAGE;
        return number < 0 || number >= 40 ? PageTable.NONE : TestBoard.page((int)(63 - number) * PAGE);
    };
    private static final int NOTIFICATION = 40 * 4;

    private final TestBoard board = new TestBoard();
    private TranslationResponder responder;
    private long nowNs = 5;

    RemoteMemoryTest()
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

    private int wordAtVirtual(final long address)
    {
        final long physical = (PAGES.physicalPage(address & -PAGE) & -PAGE) + (address & (PAGE - 1));
        return board.region.getInt(HostMemory.index(physical));
    }

    private static int sum(final AtomicBuffer buffer)
    {
        int sum = 0;
        for (int i = 0; i < buffer.capacity(); i++)
        {
            sum = sum * 31 + buffer.getByte(i);
        }
        return sum;
    }

    private void refuses(final RefuseReason reason, final int length)
    {
        final int before = sum(board.region);
        final int beforeOther = sum(board.otherRegion);

        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));

        assertEquals(1, board.refusals.count(reason));
        assertEquals(before, sum(board.region));
        assertEquals(beforeOther, sum(board.otherRegion));
        assertEquals(0, board.remote.executedCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 63, 4096, 65_496})
    void shouldWriteToPhysicalAddresses(final int count)
    {
        final int length =
            board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(1001), TestBoard.peers(NOTIFICATION), 77, count);

        assertEquals(Verdict.TAKE, board.deliver(board.remote, length));

        for (int i = 0; i < count; i++)
        {
            assertEquals(TestBoard.pattern(i), board.region.getByte(1001 + i));
        }
        assertEquals(0, board.region.getByte(1000));
        assertEquals(0, board.region.getByte(1001 + count));
        assertEquals(77, board.region.getInt(NOTIFICATION));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4095, 4097, 20_000, 65_496})
    void shouldWriteToVirtualAddressesAcrossPagesAfterMisses(final int count)
    {
        respond();
        final long address = BASE + PAGE - 1;
        final long notification = BASE + 30 * PAGE + 8;
        final int length = board.write(REMOTE_WRITE_VIRTUAL, address, notification, 99, count);

        assertEquals(Verdict.NO_ROOM, attempt(length));
        assertEquals(0, atVirtual(address));
        assertEquals(Verdict.NO_ROOM, attempt(length));
        assertEquals(0, atVirtual(address));
        assertEquals(Verdict.TAKE, attempt(length));

        for (int i = 0; i < count; i++)
        {
            assertEquals(TestBoard.pattern(i), atVirtual(address + i));
        }
        assertEquals(0, atVirtual(address - 1));
        assertEquals(0, atVirtual(address + count));
        assertEquals(99, wordAtVirtual(notification));
        assertEquals(2, board.interruptCount);
    }

    @Test
    void shouldWriteThroughAStaticEntryWithoutAsking()
    {
        board.cover(2, TestBoard.CONTEXT, BASE + 10, 10_000, TestBoard.physical(3001));

        final int length = board.write(MessageType.REMOTE_READ_REPLY, BASE + 20, 0, 0, 9_990);
        assertEquals(Verdict.TAKE, board.deliver(board.remote, length));

        assertEquals(TestBoard.pattern(0), board.region.getByte(3011));
        assertEquals(TestBoard.pattern(9_989), board.region.getByte(13_000));
        assertEquals(0, board.region.getByte(13_001));
        assertEquals(0, board.service.requestCount());
        board.statics.clear(2);
        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));
    }

    @Test
    void shouldWriteTheNotificationLastAndOnlyWhenAllHasArrived()
    {
        final QueuedEngine engine = new QueuedEngine(board.memory, 1);
        board.start(engine);
        final int length =
            board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(1000), TestBoard.peers(NOTIFICATION), 77, 100);
        assertEquals(Verdict.TAKE, board.begin(board.remote, length));

        for (int arrived = 48; arrived < length; arrived += 4)
        {
            board.remote.advance(arrived);
            engine.runAll();
        }
        assertEquals(0, board.region.getInt(NOTIFICATION));
        board.remote.advance(length);
        engine.runAll();
        assertFalse(board.remote.isComplete());
        board.remote.advance(length);
        assertTrue(board.remote.isComplete());
        engine.runAll();

        assertEquals(TestBoard.pattern(99), board.region.getByte(1099));
        assertEquals(77, board.region.getInt(NOTIFICATION));
    }

    @Test
    void shouldNotAnnounceACutWrite()
    {
        final int length =
            board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(1000), TestBoard.peers(NOTIFICATION), 77, 100);

        assertEquals(Verdict.TAKE, board.begin(board.remote, length));
        board.remote.advance(length - 4);
        board.remote.cancel();
        board.remote.advance(length);

        assertEquals(0, board.region.getInt(NOTIFICATION));
        assertEquals(0, board.remote.executedCount());
    }

    @Test
    void shouldRefuseWhatReachesOutOfTheRegisteredPart()
    {
        final int end = TestBoard.REGISTERED_INDEX + TestBoard.REGISTERED_LENGTH;
        board.region.putInt(end, 77);
        final long[] wrong = {TestBoard.peers(end - 3), TestBoard.peers(end), TestBoard.peers(0),
            TestBoard.peers(TestBoard.REGION_LENGTH), (1L << 39) - 4, Long.MAX_VALUE - 8, Long.MIN_VALUE + 64, -9};

        for (final long address : wrong)
        {
            refusesMore(board.write(REMOTE_WRITE_PHYSICAL, address, 0, 0, 4));
            refusesMore(board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(64), (address + 3) & -4, 1, 4));
        }
        assertEquals(2L * wrong.length, board.refusals.count(RefuseReason.OUT_OF_RANGE));
        assertEquals(Verdict.TAKE,
            board.deliver(board.remote, board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(end - 4), 0, 0, 4)));
        assertEquals(77, board.region.getInt(end));
    }

    @Test
    void shouldRefuseEverythingByPhysicalAddressWhereTheHostHasPublishedNothingThatCanBe()
    {
        final long[][] parts = {{0, 0}, {-64, 4096}, {TestBoard.REGION_LENGTH - 4, 4096}, {64, -1}, {1L << 40, 4096},
            {Long.MAX_VALUE, Long.MAX_VALUE}, {66, 4096}};

        for (final long[] part : parts)
        {
            board.context(TestBoard.CONTEXT).registered(part[0], part[1]);
            refusesMore(board.write(REMOTE_WRITE_PHYSICAL, 0, 4, 1, 8));
        }
        assertEquals(parts.length - 1, board.refusals.count(RefuseReason.OUT_OF_RANGE));
        assertEquals(1, board.refusals.count(RefuseReason.MISALIGNED_NOTIFICATION));
    }

    @Test
    void shouldRefuseEachMalformedOperationWithoutTrace()
    {
        final long good = TestBoard.peers(64);
        refuses(RefuseReason.WRAP_AROUND, board.write(REMOTE_WRITE_VIRTUAL, -2, 0, 0, 4));
        refuses(RefuseReason.MISALIGNED_NOTIFICATION, board.write(REMOTE_WRITE_PHYSICAL, good, good + 2, 0, 4));
        refuses(RefuseReason.ZERO_LENGTH, board.write(REMOTE_WRITE_PHYSICAL, good, good, 0, 0));
        final int length = board.write(REMOTE_WRITE_PHYSICAL, good, 0, 0, 7);
        board.packet.putInt(TestBoard.PACKET_OFFSET + MessageHeader.LENGTH + 4, 8, BIG_ENDIAN);
        refuses(RefuseReason.COUNT_BEYOND_PAYLOAD, length);
        board.packet.putInt(TestBoard.PACKET_OFFSET + MessageHeader.LENGTH + 4, -1, BIG_ENDIAN);
        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));
        refuses(RefuseReason.NO_TRANSLATION, board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 4));
        board.registers.put(ChannelRegisters.CONTEXT, 9);
        refuses(RefuseReason.NO_CONTEXT, board.write(REMOTE_WRITE_PHYSICAL, good, 0, 0, 4));
        board.registers.put(ChannelRegisters.CONTEXT, TestBoard.CONTEXT);
        refuses(RefuseReason.TRUNCATED, board.message(1, 4) + bend(REMOTE_WRITE_PHYSICAL));
    }

    /** Turns the active message in the packet into another type. */
    private int bend(final MessageType type)
    {
        final int index = TestBoard.PACKET_OFFSET + 4;
        final int word = board.packet.getInt(index, BIG_ENDIAN);
        board.packet.putInt(index, (word & 0x3FF_FFFF) | type.code() << 26, BIG_ENDIAN);
        return 0;
    }

    @Test
    void shouldFetchAndReplyWithSwappedAddresses()
    {
        respond();
        for (int i = 0; i < 6000; i++)
        {
            board.region.putByte(HostMemory.index(PAGES.physicalPage(BASE + (long)(i + 4000) / PAGE * PAGE) & -PAGE) +
                (i + 4000) % PAGE, TestBoard.pattern(i));
        }
        final int length = board.read(BASE + 4000, 0x1234_5678_9ABCL, 0x88, 42, 5999);

        assertEquals(Verdict.NO_ROOM, attempt(length));
        board.sink.isFull = true;
        assertEquals(Verdict.NO_ROOM, attempt(length));
        board.sink.isFull = false;
        assertEquals(Verdict.TAKE, attempt(length));

        final AtomicBuffer reply = board.sink.buffer;
        final MessageHeader header = new MessageHeader().wrap(reply, TestBoard.TestSink.INDEX);
        assertEquals(1, board.sink.publishedCount);
        assertEquals(MessageHeader.LENGTH + 6008, board.sink.claimedLength);
        assertEquals(REMOTE_READ_REPLY, header.type());
        assertEquals(6007, header.payloadLength());
        assertEquals(0x0220, header.sourceAddress());
        assertEquals(0x0110, header.destinationAddress());
        assertEquals(TestBoard.CHANNEL, header.sourceChannel());
        assertEquals(9, header.destinationChannel());
        assertEquals(0x1234, header.argument(0));
        assertEquals(0x5678_9ABC, header.argument(1));
        assertEquals(0x88, header.argument(3));
        assertEquals(42, reply.getInt(TestBoard.TestSink.INDEX + 32, BIG_ENDIAN));
        assertEquals(5999, reply.getInt(TestBoard.TestSink.INDEX + 36, BIG_ENDIAN));
        for (int i = 0; i < 5999; i++)
        {
            assertEquals(TestBoard.pattern(i), reply.getByte(TestBoard.TestSink.INDEX + 40 + i));
        }
        assertEquals(0, reply.getByte(TestBoard.TestSink.INDEX + 40 + 5999));
    }

    @Test
    void shouldPublishAReplyOnlyWhenTheEngineHasReadIt()
    {
        final QueuedEngine engine = new QueuedEngine(board.memory, 4);
        board.start(engine);
        board.cover(0, TestBoard.CONTEXT, BASE, 8192, TestBoard.physical(0));
        final int length = board.read(BASE, 0, 0, 0, 100);

        assertEquals(Verdict.TAKE, board.begin(board.remote, length));
        board.remote.advance(length);
        assertFalse(board.remote.isComplete());
        assertEquals(0, board.sink.publishedCount);
        engine.runAll();
        board.remote.advance(length);

        assertTrue(board.remote.isComplete());
        assertEquals(1, board.sink.publishedCount);
    }

    @Test
    void shouldAbortTheReplyOfACutRead()
    {
        board.cover(0, TestBoard.CONTEXT, BASE, 8192, TestBoard.physical(0));

        assertEquals(Verdict.TAKE, board.begin(board.remote, board.read(BASE, 0, 0, 0, 100)));
        board.remote.advance(44);
        board.remote.cancel();

        assertEquals(1, board.sink.abortedCount);
        assertEquals(0, board.sink.publishedCount);
    }

    @Test
    void shouldNotUseAnotherContextsTranslation()
    {
        respond();
        board.cover(0, TestBoard.OTHER_CONTEXT, BASE, 8192, HostMemory.address(TestBoard.OTHER_CONTEXT, 0));
        final int length = board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 4);

        assertEquals(Verdict.NO_ROOM, board.deliver(board.remote, length));
        assertEquals(0, board.otherRegion.getByte(0));
        board.start(Guards.without(Guard.TRANSLATION_CONTEXT));
        assertEquals(Verdict.TAKE, board.deliver(board.remote, length));

        assertEquals(TestBoard.pattern(0), board.otherRegion.getByte(0));
    }

    @Test
    void shouldReachElsewhereOrTellTooEarlyWithoutTheGuards()
    {
        board.start(Guards.without(Guard.REGISTERED_PART));
        final int end = TestBoard.REGISTERED_INDEX + TestBoard.REGISTERED_LENGTH;
        assertEquals(Verdict.TAKE,
            board.deliver(board.remote, board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(end), 0, 0, 4)));
        assertEquals(TestBoard.pattern(0), board.region.getByte(end));

        board.start(Guards.without(Guard.ADDRESS_CHECK));
        board.context(TestBoard.CONTEXT).registered(TestBoard.REGION_LENGTH, 4096);
        final int outside = board.write(REMOTE_WRITE_PHYSICAL, 64, 0, 0, 4);
        assertThrows(IllegalStateException.class, () -> board.deliver(board.remote, outside));
        board.context(TestBoard.CONTEXT).registered(TestBoard.REGISTERED_INDEX, TestBoard.REGISTERED_LENGTH);

        final QueuedEngine queued = new QueuedEngine(board.memory, HostEngine.TRANSFER_COUNT_MAX);
        board.engine = queued;
        board.start(Guards.without(Guard.NOTIFICATION_LAST));
        final int length =
            board.write(REMOTE_WRITE_PHYSICAL, TestBoard.peers(1000), TestBoard.peers(NOTIFICATION), 77, 100);
        assertEquals(Verdict.TAKE, board.begin(board.remote, length));
        board.remote.advance(length);
        queued.runOne();
        assertEquals(77, board.region.getInt(NOTIFICATION));
        assertEquals(0, board.region.getByte(1000 + 1));
        queued.runAll();
        assertEquals(TestBoard.pattern(1), board.region.getByte(1000 + 1));
    }

    @Test
    void shouldNotTakeAStaticEntryThatLeavesItsContextsMemory()
    {
        board.cover(0, TestBoard.CONTEXT, BASE, 1L << 40, TestBoard.physical(TestBoard.REGION_LENGTH - 8));

        assertEquals(Verdict.TAKE, board.deliver(board.remote, board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 8)));
        refusesMore(board.write(REMOTE_WRITE_VIRTUAL, BASE, 0, 0, 9));
    }

    private void refusesMore(final int length)
    {
        final AtomicBuffer copy = Buffers.allocate(board.region.capacity());
        copy.putBytes(0, board.region, 0, copy.capacity());

        assertEquals(Verdict.REFUSE, board.deliver(board.remote, length));

        assertEquals(sum(copy), sum(board.region));
    }
}
