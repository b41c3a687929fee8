// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.myrinet.posix.Posix;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A board that does not pull, or lies, costs its host one deadline, and room is never reused below a pull. */
final class DeadBoardTest
{
    private static final Injectors INJECTORS = new Injectors(Posix.load());
    private static final int LENGTH = 16_384;

    private final PullingBoard board = new PullingBoard();
    private final InjectionTarget target = board.target();
    private final AtomicBuffer source = Buffers.wrap(board.region, PullingBoard.REGISTERED_INDEX, 65_536);

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED", "ZERO_COPY"})
    void shouldEndAtTheDeadlineOfAnAbsentBoard(final Mechanism mechanism)
    {
        board.willing = 0;

        final InjectionResult result = inject(mechanism);

        assertEquals(InjectionResult.PENDING, result);
        assertEquals(PullingBoard.TIME_OUT_NS, board.nowNs);
        assertFalse(target.isSettled());
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED", "ZERO_COPY"})
    void shouldNotWriteAgainBeforeALatePullIsDone(final Mechanism mechanism)
    {
        board.willing = 0;
        assertEquals(InjectionResult.PENDING, inject(mechanism));
        final int asked = board.registers.getAcquire(PULL_COUNT);

        assertThrows(IllegalStateException.class, () -> inject(mechanism));
        assertEquals(asked, board.registers.getAcquire(PULL_COUNT));
        while (!target.isSettled())
        {
            board.willing = 1;
            assertEquals(1, board.step(), "no pull is under way, but the target is not settled");
        }

        board.willing = -1;
        assertEquals(InjectionResult.COMPLETE, inject(mechanism));
        assertTrue(target.isSettled());
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED"})
    void shouldEndAtTheDeadlineWhenTheBoardDiesMidway(final Mechanism mechanism)
    {
        board.willing = 1;

        assertEquals(InjectionResult.PENDING, inject(mechanism));
        assertEquals(1, board.pullCount);
        assertFalse(target.isSettled());
    }

    @Test
    void shouldEndAtTheDeadlineOfABoardThatIsAlwaysBusyElsewhere()
    {
        final InjectionTarget busy = new InjectionTarget(board.sram, board.geometry, PullingBoard.CHANNEL,
            PullingBoard.CONTEXT, board.region, PullingBoard.BOUNCE_INDEX, PullingBoard.BOUNCE_LENGTH,
            new DeadlineWait(() -> board.nowNs++, 1000, () -> 1));

        final InjectionResult result = INJECTORS.of(Mechanism.ONE_COPY, 0)
            .inject(busy.at(board.queueIndex(), 0), source, 0, LENGTH);

        assertEquals(InjectionResult.PENDING, result);
        assertTrue(board.nowNs >= 1000 && board.nowNs < 1010, () -> "nowNs=" + board.nowNs);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED", "ZERO_COPY"})
    void shouldSayThatThePullWasRefused(final Mechanism mechanism)
    {
        board.registers.addRelease(PULL_REFUSED, 1);

        assertEquals(InjectionResult.REFUSED, inject(mechanism));
        assertEquals(InjectionResult.COMPLETE, INJECTORS.of(mechanism, 0)
            .inject(board.target().at(board.queueIndex(), 0), source, 0, LENGTH), "the next life of the channel");
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED", "ZERO_COPY"})
    void shouldNotBelieveABoardThatCountsMoreThanWasAsked(final Mechanism mechanism)
    {
        board.willing = 0;
        assertEquals(InjectionResult.PENDING, inject(mechanism));

        board.registers.putRelease(PULLED_COUNT, board.registers.getAcquire(PULL_COUNT) + 1);

        assertFalse(target.isSettled());
        board.registers.putRelease(PULLED_COUNT, board.registers.getAcquire(PULL_COUNT));
        assertFalse(target.isSettled(), "it lied once");
        assertThrows(IllegalStateException.class, () -> inject(mechanism));
    }

    @ParameterizedTest
    @CsvSource({"ONE_COPY, -3", "DOUBLE_BUFFERED, -3", "ZERO_COPY, -3", "ONE_COPY, 1", "DOUBLE_BUFFERED, 1",
        "ZERO_COPY, 1"})
    void shouldRefuseAtOnceWhenTheCountCannotBe(final Mechanism mechanism, final int beyondAsked)
    {
        assertEquals(InjectionResult.COMPLETE, inject(mechanism));
        final InjectionTarget lied = new InjectionTarget(board.sram, board.geometry, PullingBoard.CHANNEL,
            PullingBoard.CONTEXT, board.region, PullingBoard.BOUNCE_INDEX, PullingBoard.BOUNCE_LENGTH,
            new DeadlineWait(() -> board.nowNs, 1_000_000, () ->
            {
                board.registers.putRelease(PULLED_COUNT, board.registers.getAcquire(PULL_COUNT) + beyondAsked);
                return 1;
            }));

        final InjectionResult result =
            INJECTORS.of(mechanism, 0).inject(lied.at(board.queueIndex(), 0), source, 0, LENGTH);

        assertEquals(InjectionResult.REFUSED, result);
        assertFalse(lied.isSettled());
    }

    @Test
    void shouldStartUnsettledOverPullsOfAnEarlierSender()
    {
        board.willing = 0;
        assertEquals(InjectionResult.PENDING, inject(Mechanism.ONE_COPY));

        final InjectionTarget next = board.target();

        assertFalse(next.isSettled());
        board.willing = 1;
        board.step();
        assertTrue(next.isSettled());
    }

    @Test
    void shouldGiveTheRoomBackWhenNothingWasPublished()
    {
        board.willing = 0;
        final ChannelAppender appender = new ChannelAppender(board.sram, board.geometry, PullingBoard.CHANNEL);
        final PlannedInjection injection = planned(Mechanism.ONE_COPY);

        final InjectionResult result = segments(injection, appender, 4096);

        assertEquals(InjectionResult.PENDING, result);
        appender.abort();
        assertEquals(0, board.registers.getAcquire(BACK_AND_FILLED));
        assertFalse(target.isSettled());
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_COPY", "DOUBLE_BUFFERED"})
    void shouldCompleteByItselfWhatWasPublishedInPart(final Mechanism mechanism)
    {
        board.willing = mechanism == Mechanism.ONE_COPY ? 2 : 6;            // Dies in the second segment, or later.
        for (int i = 0; i < LENGTH; i++)
        {
            source.putByte(i, (byte)(i * 7 + (i >> 8)));
        }
        final ChannelAppender appender = new ChannelAppender(board.sram, board.geometry, PullingBoard.CHANNEL);

        final InjectionResult result = segments(planned(mechanism), appender, 4096);

        assertEquals(InjectionResult.COMPLETE, result);
        assertFalse(target.isSettled(), "a pull is under way");
        assertTrue(ChannelRegisters.filled(board.registers.getAcquire(BACK_AND_FILLED)) > 0);
        appender.publish();
        requirePayload("without the late pulls");
        while (!target.isSettled())
        {
            board.willing = 1;
            board.step();
        }
        requirePayload("after the late pulls");
    }

    private void requirePayload(final String when)
    {
        for (int i = 0; i < LENGTH; i++)
        {
            final int at = i;
            assertEquals((byte)(i * 7 + (i >> 8)),
                board.sram.getByte(board.queueIndex() + MessageHeader.LENGTH + i), () -> when + " byte=" + at);
        }
    }

    private InjectionResult inject(final Mechanism mechanism)
    {
        return INJECTORS.of(mechanism, 0).inject(target.at(board.queueIndex(), 0), source, 0, LENGTH);
    }

    private InjectionResult segments(
        final PlannedInjection injection, final ChannelAppender appender, final int segmentLength)
    {
        final int index = appender.beginSegments(MessageHeader.LENGTH + LENGTH);
        target.at(index + MessageHeader.LENGTH, appender.position() + MessageHeader.LENGTH);
        return injection.injectSegments(target, appender, source, 0, LENGTH, segmentLength);
    }

    private static PlannedInjection planned(final Mechanism mechanism)
    {
        return new PlannedInjection(InjectionPlan.builtIn().with(mechanism), INJECTORS);
    }
}
