// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.myrinet.posix.Posix;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PlannedInjectionTest
{
    private static final Injectors INJECTORS = new Injectors(Posix.load());
    private static final int WARM_UP_COUNT = 20_000;
    private static final int COUNT = 20_000;

    private final PullingBoard board = new PullingBoard();
    private final InjectionTarget target = board.target();
    private final AtomicBuffer elsewhere = Buffers.allocate(65_536);
    private final AtomicBuffer registered = Buffers.wrap(board.region, PullingBoard.REGISTERED_INDEX, 65_536);
    private final AtomicBuffer heap = Buffers.wrap(new byte[65_536]);

    @Test
    void shouldPullFromWhereItLiesWhatThePlanSays()
    {
        final PlannedInjection injection =
            new PlannedInjection(InjectionPlan.builtIn().with(Mechanism.ZERO_COPY), INJECTORS);

        inject(injection, elsewhere, 4096);
        assertEquals(0, board.pullCount);

        inject(injection, registered, 4096);
        assertEquals(1, board.pullCount);
    }

    @Test
    void shouldFallBackForWhatAMechanismCannotMove()
    {
        final InjectionTarget withoutBounce = board.target(0);
        heap.setMemory(0, 4096, (byte)7);

        for (final Mechanism mechanism : Mechanism.values())
        {
            board.sram.setMemory(board.queueIndex(), 8192, (byte)0);
            final InjectionResult result =
                new PlannedInjection(InjectionPlan.builtIn().with(mechanism), INJECTORS)
                    .inject(withoutBounce.at(board.queueIndex(), 0), heap, 0, 4096);

            assertEquals(InjectionResult.COMPLETE, result);
            assertEquals((byte)7, board.sram.getByte(board.queueIndex() + 4095), mechanism.label());
        }
        assertEquals(0, board.pullCount);
    }

    @Test
    void shouldTellInWhatPiecesToPublish()
    {
        final InjectionPlan plan = withSegments(InjectionPlan.builtIn().with(Mechanism.ZERO_COPY), 1024);
        final PlannedInjection injection = new PlannedInjection(plan, INJECTORS);

        assertEquals(0, injection.segmentLength(target, elsewhere, 0, 0));
        assertEquals(0, injection.segmentLength(target, elsewhere, 0, 1024));
        assertEquals(1024, injection.segmentLength(target, elsewhere, 0, 1025));
        assertEquals(0, injection.segmentLength(target, registered, 0, 65_504), "pulled whole");
    }

    @ParameterizedTest
    @EnumSource(names = "ZERO_COPY", mode = EnumSource.Mode.EXCLUDE)
    void shouldPublishPieceByPieceAndNeverMoreThanStands(final Mechanism mechanism)
    {
        final int length = 10_001;
        final int segmentLength = 1024;
        final List<Integer> filled = new ArrayList<>();
        for (int i = 0; i < length; i++)
        {
            elsewhere.putByte(i, (byte)(i * 13 + (i >> 8)));
        }
        final ChannelAppender appender = new ChannelAppender(board.sram, board.geometry, PullingBoard.CHANNEL);
        final int index = appender.beginSegments(MessageHeader.LENGTH + length);
        final int payloadIndex = index + MessageHeader.LENGTH;
        target.at(payloadIndex, appender.position() + MessageHeader.LENGTH);
        board.onPublish = () ->
        {
            final int seen = ChannelRegisters.filled(board.registers.getAcquire(BACK_AND_FILLED));
            filled.add(seen);
            requirePrefix(payloadIndex, seen - MessageHeader.LENGTH);
        };
        final PlannedInjection injection =
            new PlannedInjection(InjectionPlan.builtIn().with(mechanism), INJECTORS);

        final InjectionResult result =
            injection.injectSegments(target, appender, elsewhere, 0, length, segmentLength);

        assertEquals(InjectionResult.COMPLETE, result);
        assertEquals(List.of(1056, 2080, 3104, 4128, 5152, 6176, 7200, 8224, 9248), filled);
        requirePrefix(payloadIndex, length);
        board.onPublish = () -> { };
        appender.publish();
        assertEquals(MessageHeader.LENGTH + 10_004, ChannelRegisters.back(board.registers.getAcquire(BACK_AND_FILLED)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAllocateNothing(final Mechanism mechanism)
    {
        final InjectionPlan plan = withBursts(withSegments(InjectionPlan.builtIn().with(mechanism), 1024), 256);
        final PlannedInjection injection = new PlannedInjection(plan, INJECTORS);
        final ChannelAppender appender = new ChannelAppender(board.sram, board.geometry, PullingBoard.CHANNEL);

        final long least = Allocation.least(
            () -> run(injection, appender, WARM_UP_COUNT), () -> run(injection, appender, COUNT));

        assertEquals(0, least, "bytes per " + COUNT + " injections");
    }

    private void run(final PlannedInjection injection, final ChannelAppender appender, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final AtomicBuffer source = (i & 1) == 0 ? elsewhere : registered;
            final int length = (i & 7) * 500;
            final int segmentLength = injection.segmentLength(target, source, 0, length);
            final int index = segmentLength == 0 ? appender.claim(MessageHeader.LENGTH + length) :
                appender.beginSegments(MessageHeader.LENGTH + length);
            target.at(index + MessageHeader.LENGTH, appender.position() + MessageHeader.LENGTH);
            final InjectionResult result = segmentLength == 0 ? injection.inject(target, source, 0, length) :
                injection.injectSegments(target, appender, source, 0, length, segmentLength);
            if (result != InjectionResult.COMPLETE)
            {
                throw new IllegalStateException(result.toString());
            }
            appender.publish();
            board.registers.putRelease(FRONT, ChannelRegisters.back(board.registers.getAcquire(BACK_AND_FILLED)));
        }
    }

    private void inject(final PlannedInjection injection, final AtomicBuffer source, final int length)
    {
        assertEquals(InjectionResult.COMPLETE,
            injection.inject(target.at(board.queueIndex(), 0), source, 0, length));
    }

    private void requirePrefix(final int payloadIndex, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if ((byte)(i * 13 + (i >> 8)) != board.sram.getByte(payloadIndex + i))
            {
                assertEquals((byte)(i * 13 + (i >> 8)), board.sram.getByte(payloadIndex + i), "byte=" + i);
            }
        }
        assertTrue(board.sram.capacity() >= payloadIndex + length);
    }

    private static InjectionPlan withSegments(final InjectionPlan plan, final int segmentLength)
    {
        return new InjectionPlan(plan.entries().stream().map(entry -> new InjectionPlan.Entry(entry.size(),
            entry.mechanism(), entry.burstLength(), entry.registered(), segmentLength)).toList());
    }

    private static InjectionPlan withBursts(final InjectionPlan plan, final int burstLength)
    {
        return new InjectionPlan(plan.entries().stream().map(entry -> new InjectionPlan.Entry(entry.size(),
            entry.mechanism(), entry.mechanism().isPio() ? burstLength : 0, entry.registered(),
            entry.segmentLength())).toList());
    }
}
