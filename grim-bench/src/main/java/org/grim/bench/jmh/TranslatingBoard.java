// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.StaticTranslation;
import org.grim.board.TranslationDescriptor;
import org.grim.board.host.TranslationResponder;
import org.grim.buffer.Buffers;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.memory.Delivery;
import org.grim.ni.memory.HostAccess;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RegisteredParts;
import org.grim.ni.memory.RemoteMemoryDelivery;
import org.grim.ni.memory.ReplySink;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.memory.TranslationService;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;

/**
 * The part of a board that executes remote writes, and its host, which answers at once where the pages are. Virtual
 * pages from {@link #BASE} on are registered; they share the few pages of the region.
 * <p>Thread: one. Owns: the board's memory and the region.
 */
final class TranslatingBoard
{
    /** First virtual address that translates, page by page. */
    static final long BASE = 1L << 40;
    /** First virtual address that a static entry covers. */
    static final long STATIC_BASE = 1L << 41;
    static final int CONTEXT = 0;
    static final int WRITE_LENGTH = 32;
    static final int STATIC_LENGTH = 4 * TranslationDescriptor.PAGE_LENGTH;

    private static final int CHANNEL = 0;
    private static final int LANAI_MODEL = 9;
    private static final int SRAM_LENGTH = 1 << 20;
    private static final int QUEUE_LENGTH = 4096;
    private static final int STATIC_ENTRY_COUNT = 4;
    private static final int REGION_PAGE_COUNT = 16;
    private static final int REQUEST_INDEX = 0;
    private static final int FIRST_PAGE = 1;
    private static final int MESSAGE_LENGTH =
        MessageHeader.LENGTH + RemoteMemoryFormat.EXTENSION_LENGTH + WRITE_LENGTH;

    private final AtomicBuffer packet = Buffers.allocate(MESSAGE_LENGTH);
    private final TranslationCache cache;
    private final TranslationService service;
    private final TranslationResponder responder;
    private final RemoteMemoryDelivery delivery;

    TranslatingBoard(final int capacity)
    {
        final BoardGeometry geometry =
            new BoardGeometry(LANAI_MODEL, 0, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, STATIC_ENTRY_COUNT, 0);
        final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, 1);
        new ChannelRegisters(sram, geometry, CHANNEL).put(ChannelRegisters.CONTEXT, CONTEXT).put(OWNER_ADDRESS, 0)
            .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_NONE).enableRelease();
        final AtomicBuffer region =
            Buffers.allocate((FIRST_PAGE + REGION_PAGE_COUNT) * TranslationDescriptor.PAGE_LENGTH);
        final HostMemory memory = new HostMemory(1);
        memory.attach(CONTEXT, region);
        final HostAccess host = new HostAccess(memory, new DirectHostEngine(memory), ActionMeter.NONE,
            new ChannelOwners(sram, geometry));
        new StaticTranslation(sram, geometry).put(0, CONTEXT, STATIC_BASE, STATIC_LENGTH, physicalPage(0),
            MemoryRegion.Rights.READ_WRITE.bits());
        cache = new TranslationCache(sram, geometry, host, capacity);
        service = new TranslationService(sram, geometry, host, cache, context -> { }, Long.MAX_VALUE >> 1);
        responder = new TranslationResponder(new ContextRegisters(sram, geometry, CONTEXT), region,
            HostMemory.address(CONTEXT, REQUEST_INDEX), TranslatingBoard::pageWord);
        delivery = new RemoteMemoryDelivery(sram, geometry, host, new RegisteredParts(sram, geometry, memory), cache,
            service, new NoReplies(packet), new RefuseCounters());
        final MessageHeader header = new MessageHeader().wrap(packet, 0).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.REMOTE_WRITE_VIRTUAL, 0), 0,
            MessageHeader.routeWord(0, CHANNEL), 0, MESSAGE_LENGTH - MessageHeader.LENGTH, 0, 0);
        packet.putInt(RemoteMemoryFormat.COUNT_OFFSET, WRITE_LENGTH, BIG_ENDIAN);
    }

    TranslationCache cache()
    {
        return cache;
    }

    /** Executes a write whose page is known; false if it is not. */
    boolean tryWrite(final long virtualAddress)
    {
        packet.putLong(RemoteMemoryFormat.REMOTE_OFFSET, virtualAddress, BIG_ENDIAN);
        final Delivery.Verdict verdict = delivery.begin(CHANNEL, packet, 0, MESSAGE_LENGTH);
        if (verdict != Delivery.Verdict.TAKE)
        {
            return false;
        }
        delivery.advance(MESSAGE_LENGTH);
        return delivery.isComplete();
    }

    /** Carries the question of a write that missed to the host, and the answer into the cache. */
    int fill()
    {
        final int askedCount = service.poll(0);
        final int answeredCount = responder.poll();
        return askedCount + answeredCount + service.poll(0);
    }

    /** Writes executed. */
    long executedCount()
    {
        return delivery.executedCount();
    }

    private static long pageWord(final long virtualPage)
    {
        final long page = (virtualPage - BASE) / TranslationDescriptor.PAGE_LENGTH;
        return physicalPage((int)page % REGION_PAGE_COUNT) + MemoryRegion.Rights.READ_WRITE.bits();
    }

    private static long physicalPage(final int page)
    {
        return HostMemory.address(CONTEXT, (FIRST_PAGE + (long)page) * TranslationDescriptor.PAGE_LENGTH);
    }

    /** Nobody reads. */
    private record NoReplies(AtomicBuffer buffer) implements ReplySink
    {
        @Override
        public int messageLengthMax()
        {
            return 0;
        }

        @Override
        public int claim(final int messageLength)
        {
            return NO_ROOM;
        }

        @Override
        public int channel()
        {
            return CHANNEL;
        }

        @Override
        public void publish()
        {
            throw new IllegalStateException("nothing was claimed");
        }

        @Override
        public void abort()
        {
            throw new IllegalStateException("nothing was claimed");
        }
    }
}
