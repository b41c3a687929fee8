// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.counters.NiCounterKind;
import org.grim.board.counters.NiCounters;
import org.grim.ni.event.DropReason;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.memory.TranslationService;
import org.grim.ni.multicast.MulticastCount;
import org.grim.ni.multicast.Trees;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;

/**
 * Copies what a board counts to where tools see it.
 * <p>Thread: the board's stepper, at housekeeping. Never allocates after construction.
 * <p>Bounds: {@value #CHANNEL_LIMIT} channels at a time.
 */
final class BoardGauges
{
    private static final int CHANNEL_LIMIT = 32;
    private static final DropReason[] DROP_REASONS = DropReason.values();
    private static final MulticastCount[] MULTICAST_COUNTS = MulticastCount.values();
    private static final RefuseReason[] REFUSE_REASONS = RefuseReason.values();

    private final NiCounters counters;
    private final ControlProgram program;
    private final BoardListener listener;
    private final ContextTable contexts;
    private final ChannelRegisters[] registers;
    private int channel;

    BoardGauges(
        final AtomicBuffer sram, final BoardGeometry geometry, final NiCounters counters, final ControlProgram program,
        final BoardListener listener, final ContextTable contexts)
    {
        this.counters = counters;
        this.program = program;
        this.listener = listener;
        this.contexts = contexts;
        registers = new ChannelRegisters[geometry.channelCount()];
        Arrays.setAll(registers, index -> new ChannelRegisters(sram, geometry, index));
    }

    /** Names of the reasons to drop a packet, by code. */
    static List<String> dropReasons()
    {
        final List<String> names = new ArrayList<>();
        for (final DropReason reason : DROP_REASONS)
        {
            names.add(reason.name());
        }
        return names;
    }

    void copy(final long stepCount)
    {
        counters.set(NiCounterKind.IN_FLIGHT, 0, program.delivery().inFlightCount());
        counters.set(NiCounterKind.TRANSMITTED, 0, listener.transmittedCount());
        counters.set(NiCounterKind.REPEATED, 0, listener.repeatedCount());
        counters.set(NiCounterKind.DELIVERED, 0, listener.deliveredCount());
        counters.set(NiCounterKind.REFUSED, 0, refusedCount());
        counters.set(NiCounterKind.PEERS, 0, listener.synchronisedCount());
        counters.set(NiCounterKind.STEPS, 0, stepCount);
        counters.set(NiCounterKind.CONTEXTS, 0, contexts.attachedCount());
        copyTranslations();
        copyMulticasts();
        for (final DropReason reason : DROP_REASONS)
        {
            counters.set(NiCounterKind.DROPPED, reason.code(), program.dropCount(reason));
        }
        for (int i = 0; i < Math.min(CHANNEL_LIMIT, registers.length); i++)
        {
            copyChannel();
            channel = channel + 1 < registers.length ? channel + 1 : 0;
        }
    }

    private void copyTranslations()
    {
        final TranslationCache cache = program.translationCache();
        final TranslationService service = program.translations();
        counters.set(NiCounterKind.TRANSLATION_HITS, 0, cache.hitCount());
        counters.set(NiCounterKind.TRANSLATION_MISSES, 0, cache.missCount());
        counters.set(NiCounterKind.TRANSLATION_EVICTIONS, 0, cache.evictionCount());
        counters.set(NiCounterKind.TRANSLATION_REQUESTS, 0, service.requestCount());
        counters.set(NiCounterKind.TRANSLATION_DENIED, 0, service.deniedCount());
        counters.set(NiCounterKind.TRANSLATION_FORGOTTEN, 0, program.forgottenCount());
    }

    private void copyMulticasts()
    {
        final Trees trees = program.trees();
        for (final MulticastCount what : MULTICAST_COUNTS)
        {
            counters.set(kindOf(what), 0, trees.counted(what));
        }
    }

    private static NiCounterKind kindOf(final MulticastCount what)
    {
        return switch (what)
        {
            case TICKETS -> NiCounterKind.MULTICAST_TICKETS;
            case DELIVERED -> NiCounterKind.MULTICAST_DELIVERED;
            case UNDELIVERED -> NiCounterKind.MULTICAST_UNDELIVERED;
            case RECYCLED -> NiCounterKind.MULTICAST_RECYCLED;
            case FORWARDED -> NiCounterKind.MULTICAST_FORWARDED;
            case ACKNOWLEDGED -> NiCounterKind.MULTICAST_ACKNOWLEDGED;
            case LOST -> NiCounterKind.MULTICAST_LOST;
            case CUT -> NiCounterKind.MULTICAST_CUT;
            case LATE -> NiCounterKind.MULTICAST_LATE;
        };
    }

    private void copyChannel()
    {
        final ChannelRegisters from = registers[channel];
        final int front = from.get(FRONT);
        counters.set(NiCounterKind.CHANNEL_OWNER, channel, contexts.nodeOf(channel));
        counters.set(NiCounterKind.CHANNEL_QUEUED, channel,
            Integer.toUnsignedLong(ChannelRegisters.back(from.getAcquire(BACK_AND_FILLED)) - front));
        counters.set(NiCounterKind.CHANNEL_FRONT, channel, Integer.toUnsignedLong(front));
        counters.set(NiCounterKind.CHANNEL_NEXT, channel, Integer.toUnsignedLong(from.get(NEXT)));
        counters.set(NiCounterKind.CHANNEL_STATUS, channel, from.get(STATUS));
        counters.set(NiCounterKind.CHANNEL_DELIVERED, channel, Integer.toUnsignedLong(from.getAcquire(DELIVERED)));
        counters.set(NiCounterKind.CHANNEL_UNDELIVERED, channel, Integer.toUnsignedLong(from.getAcquire(UNDELIVERED)));
        counters.set(NiCounterKind.CHANNEL_UNKNOWN, channel, Integer.toUnsignedLong(from.getAcquire(UNKNOWN)));
        counters.set(NiCounterKind.CHANNEL_REFUSED, channel, Integer.toUnsignedLong(from.getAcquire(REFUSED)));
    }

    private long refusedCount()
    {
        long count = program.unknownChannelCount();
        for (final RefuseReason reason : REFUSE_REASONS)
        {
            count += program.refuseCount(reason);
        }
        return count;
    }
}
