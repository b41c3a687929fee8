// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.StaticTranslation;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.PageTable;
import org.grim.board.host.QueuePointerReader;
import org.grim.board.host.TailFlagReader;
import org.grim.board.host.TranslationResponder;
import org.grim.buffer.Buffers;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.firmware.ControlParts;
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;

/** A board with two contexts, tiny arrival queues, and a receiver that steps through one delivery at a time. */
final class TestBoard
{
    static final int CONTEXT = 1;
    static final int OTHER_CONTEXT = 0;
    static final int CHANNEL = 2;
    static final int REGION_LENGTH = 64 << 12;
    static final int FRAME_LENGTH = 128;
    static final int FRAME_COUNT = 4;
    static final int ARRIVAL_INDEX = 1024;
    static final int POINTER_INDEX = 512;
    static final int REQUEST_INDEX = 256;
    /** The part that peers may reach by physical address begins and ends within the region. */
    static final int REGISTERED_INDEX = 32;
    static final int REGISTERED_LENGTH = 60 << 12;
    static final int PACKET_OFFSET = 8;
    static final long LIMIT_NS = 1000;

    final AtomicBuffer sram = Buffers.allocate(1 << 18);
    final BoardGeometry geometry = new BoardGeometry(9, 5, 1 << 18, 4, 1024, 2, 4, 0);
    final HostMemory memory = new HostMemory(2);
    final AtomicBuffer region = Buffers.allocate(REGION_LENGTH);
    final AtomicBuffer otherRegion = Buffers.allocate(REGION_LENGTH);
    final AtomicBuffer packet = Buffers.allocate(1 << 17);
    final ChannelRegisters registers = new ChannelRegisters(sram, geometry, CHANNEL);
    final StaticTranslation statics = new StaticTranslation(sram, geometry);
    final RefuseCounters refusals = new RefuseCounters();
    final TestSink sink = new TestSink();
    HostEngine engine = new DirectHostEngine(memory);
    ActiveMessageDelivery messages;
    RemoteMemoryDelivery remote;
    TranslationCache cache;
    TranslationService service;
    ForgetRequests forgets;
    int interruptCount;

    TestBoard()
    {
        memory.attach(OTHER_CONTEXT, otherRegion);
        memory.attach(CONTEXT, region);
        geometry.write(sram);
        context(CONTEXT).registered(REGISTERED_INDEX, REGISTERED_LENGTH);
        start(Guards.ALL);
    }

    static long physical(final int index)
    {
        return HostMemory.address(CONTEXT, index);
    }

    /** A page word that grants everything. */
    static long page(final int index)
    {
        return physical(index) + MemoryRegion.Rights.READ_WRITE.bits();
    }

    /** Address of RM-P, with some generation. */
    static long peers(final int index)
    {
        return 0x12_3456L << 39 | (index - REGISTERED_INDEX);
    }

    ContextRegisters context(final int context)
    {
        return new ContextRegisters(sram, geometry, context);
    }

    /** A static entry that grants everything. */
    void cover(final int entry, final int context, final long start, final long length, final long physical)
    {
        statics.put(entry, context, start, length, physical, MemoryRegion.Rights.READ_WRITE.bits());
    }

    /** Starts a firmware over what host memory and SRAM hold. */
    TestBoard start(final Guards guards)
    {
        final HostAccess host = new HostAccess(
            memory, guards.engine(engine), ActionMeter.NONE, new ChannelOwners(sram, geometry));
        final ControlParts parts = guards.parts();
        messages = parts.activeMessages(sram, geometry, host, refusals);
        cache = parts.translationCache(sram, geometry, host, TranslationCache.CAPACITY_MIN);
        service = new TranslationService(sram, geometry, host, cache, context -> interruptCount++, LIMIT_NS);
        forgets = new ForgetRequests(sram, geometry, service);
        remote = new RemoteMemoryDelivery(sram, geometry, host, parts.registeredParts(sram, geometry, memory), cache,
            service, sink, refusals);
        return this;
    }

    /** Restarts with another engine. */
    TestBoard start(final HostEngine newEngine)
    {
        engine = newEngine;
        return start(Guards.ALL);
    }

    /** Sets a channel up; positions begin just before they wrap. */
    TestBoard channel(final int mode, final int position)
    {
        registers.put(ChannelRegisters.CONTEXT, CONTEXT).put(ARRIVAL_MODE, mode)
            .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
            .put(ARRIVAL_ADDRESS, physical(ARRIVAL_INDEX))
            .put(POINTER_ADDRESS, physical(POINTER_INDEX)).enableRelease();
        registers.putRelease(ARRIVAL_FRONT, position);
        registers.put(ARRIVAL_BACK, position);
        region.putInt(POINTER_INDEX, position, BIG_ENDIAN);
        return this;
    }

    ArrivalReader reader()
    {
        return registers.get(ARRIVAL_MODE) == ChannelRegisters.ARRIVAL_TAIL_FLAG ?
            new TailFlagReader(region, registers) : new QueuePointerReader(region, registers);
    }

    TranslationResponder responder(final PageTable pages)
    {
        return new TranslationResponder(
            context(CONTEXT), region, physical(REQUEST_INDEX), pages);
    }

    /** Composes an active message, numbered in argument 0 and by its payload bytes. */
    int message(final int number, final int payloadLength)
    {
        final int length = header(MessageType.ACTIVE_MESSAGE, payloadLength, (long)number << Integer.SIZE, 0);
        packet.setMemory(PACKET_OFFSET + MessageHeader.LENGTH, payloadLength, (byte)number);
        return length;
    }

    /** Composes a remote write or a reply. */
    int write(final MessageType type, final long address, final long notification, final long value, final int count)
    {
        final int extensionLength = RemoteMemoryFormat.extensionLength(type.code());
        final int length = header(type, extensionLength + count, address, notification);
        RemoteMemoryFormat.putValue(packet, PACKET_OFFSET, type.code(), value);
        packet.putInt(PACKET_OFFSET + MessageHeader.LENGTH + 4, count, BIG_ENDIAN);
        for (int i = 0; i < count; i++)
        {
            packet.putByte(PACKET_OFFSET + MessageHeader.LENGTH + extensionLength + i, pattern(i));
        }
        return length;
    }

    /** Composes a remote read. */
    int read(final long address, final long target, final long notification, final int value, final int count)
    {
        final int length = header(MessageType.REMOTE_READ, 16, address, notification);
        packet.putInt(PACKET_OFFSET + MessageHeader.LENGTH, value, BIG_ENDIAN);
        packet.putInt(PACKET_OFFSET + MessageHeader.LENGTH + 4, count, BIG_ENDIAN);
        packet.putLong(PACKET_OFFSET + MessageHeader.LENGTH + 8, target, BIG_ENDIAN);
        return length;
    }

    /** Composes an atomic operation, whose reply has a notification. */
    int atomic(final MessageType type, final long address, final long target, final int count, final long operand,
        final long comparand)
    {
        final int length = header(type, RemoteMemoryFormat.ATOMIC_EXTENSION_LENGTH, address, 0x88);
        packet.putInt(PACKET_OFFSET + RemoteMemoryFormat.VALUE_OFFSET, 42, BIG_ENDIAN);
        packet.putInt(PACKET_OFFSET + RemoteMemoryFormat.COUNT_OFFSET, count, BIG_ENDIAN);
        packet.putLong(PACKET_OFFSET + RemoteMemoryFormat.TARGET_OFFSET, target, BIG_ENDIAN);
        packet.putLong(PACKET_OFFSET + RemoteMemoryFormat.OPERAND_OFFSET, operand, BIG_ENDIAN);
        packet.putLong(PACKET_OFFSET + RemoteMemoryFormat.COMPARAND_OFFSET, comparand, BIG_ENDIAN);
        return length;
    }

    /** Has the message in the packet say that its payload has another length, a multiple of 4. */
    void payloadLength(final int newLength)
    {
        packet.putShort(PACKET_OFFSET + MessageHeader.EXTENT_OFFSET, (short)(newLength / 4), BIG_ENDIAN);
    }

    static byte pattern(final int i)
    {
        return (byte)(i * 31 + 7);
    }

    private int header(final MessageType type, final int payloadLength, final long arguments01, final long arguments23)
    {
        new MessageHeader().wrap(packet, PACKET_OFFSET).identity(3, 4).put(MessageHeader.typeWord(type, 0x0110), 0x0220,
            MessageHeader.routeWord(9, CHANNEL), 7, payloadLength, arguments01, arguments23);
        return MessageHeader.LENGTH + BitUtil.align(payloadLength, 4);
    }

    Delivery.Verdict begin(final Delivery delivery, final int length)
    {
        return delivery.begin(CHANNEL, packet, PACKET_OFFSET, length);
    }

    /** Delivers a whole packet at once. */
    Delivery.Verdict deliver(final Delivery delivery, final int length)
    {
        final Delivery.Verdict verdict = begin(delivery, length);
        if (verdict == Delivery.Verdict.TAKE)
        {
            for (int i = 0; i < 100 && !delivery.isComplete(); i++)
            {
                delivery.advance(length);
                runEngine();
            }
            if (!delivery.isComplete())
            {
                throw new AssertionError("not complete");
            }
        }
        runEngine();
        return verdict;
    }

    private void runEngine()
    {
        if (engine instanceof QueuedEngine queued)
        {
            queued.runAll();
        }
    }

    /** Takes one reply at a time. */
    static final class TestSink implements MessageSink
    {
        static final int INDEX = 40;
        final AtomicBuffer buffer = Buffers.allocate(1 << 17);
        boolean isFull;
        int claimedLength;
        int publishedCount;
        int abortedCount;

        @Override
        public int channel()
        {
            return CHANNEL;
        }

        @Override
        public int messageLengthMax()
        {
            return buffer.capacity() - INDEX;
        }

        @Override
        public int claim(final int messageLength)
        {
            claimedLength = messageLength;
            return isFull ? NO_ROOM : INDEX;
        }

        @Override
        public AtomicBuffer buffer()
        {
            return buffer;
        }

        @Override
        public void publish()
        {
            publishedCount++;
        }

        @Override
        public void abort()
        {
            abortedCount++;
        }
    }
}
