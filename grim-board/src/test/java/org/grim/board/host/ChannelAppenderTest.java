// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardFixture;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.QueueFormat;
import org.grim.buffer.Buffers;
import org.grim.wire.BigEndian;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ChannelAppenderTest
{
    private static final int CHANNEL = 2;
    private static final int QUEUE_LENGTH = BoardFixture.QUEUE_LENGTH;

    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final ChannelRegisters registers = new ChannelRegisters(sram, geometry, CHANNEL);
    private final Doorbell doorbell = new Doorbell(sram, geometry);
    private final int queueIndex = geometry.queueOffset(CHANNEL);

    @Test
    void shouldShowAMessageOnlyWhenItIsPublished()
    {
        final ChannelAppender appender = startAt(0);

        assertEquals(queueIndex, appender.claim(33));
        assertEquals(0, registers.getAcquire(BACK_AND_FILLED));
        assertFalse(doorbell.isRung());
        appender.publish();

        assertEquals(36L << 32, registers.getAcquire(BACK_AND_FILLED));
        assertEquals(1, doorbell.take(new long[Doorbell.WORD_COUNT]));
        assertEquals(queueIndex + 36, appender.claim(32));
        assertEquals(36, appender.position());
    }

    @Test
    void shouldRefuseWhenFullAndGoOnWhenTheFrontMoves()
    {
        final ChannelAppender appender = startAt(0);
        append(appender, 512);
        append(appender, 512);

        assertEquals(ChannelAppender.NO_ROOM, appender.claim(32));
        assertEquals(ChannelAppender.NO_ROOM, appender.beginSegments(32));
        registers.putRelease(FRONT, 28);
        assertEquals(ChannelAppender.NO_ROOM, appender.claim(32));
        registers.putRelease(FRONT, 32);
        assertEquals(queueIndex, appender.claim(32));
    }

    @Test
    void shouldCloseTheEndWithAFillerThatBothSidesSkip()
    {
        final ChannelAppender appender = startAt(QUEUE_LENGTH - 32);

        assertEquals(queueIndex, appender.claim(36));
        appender.publish();

        assertEquals(0x0000_F111, BigEndian.getInt(sram, queueIndex + QUEUE_LENGTH - 32));
        assertEquals(0xF1, sram.getByte(queueIndex + QUEUE_LENGTH - 30) & 0xFF, "big endian");
        assertEquals(32, QueueFormat.readGapLength(sram, queueIndex, QUEUE_LENGTH - 32, QUEUE_LENGTH));
        assertEquals(0, QueueFormat.readGapLength(sram, queueIndex, QUEUE_LENGTH, QUEUE_LENGTH));
        assertEquals(QUEUE_LENGTH + 36, ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED)));
    }

    @Test
    void shouldSkipAnEndThatIsTooShortForAHeaderWithoutTouchingIt()
    {
        final ChannelAppender appender = startAt(QUEUE_LENGTH - 28);

        assertEquals(queueIndex, appender.claim(32));
        assertEquals(QUEUE_LENGTH, appender.position());

        assertEquals(0, sram.getInt(queueIndex + QUEUE_LENGTH - 28));
        assertEquals(28, QueueFormat.readGapLength(sram, queueIndex, QUEUE_LENGTH - 28, QUEUE_LENGTH));
        assertEquals(28, QueueFormat.skipLength(QUEUE_LENGTH - 28, QUEUE_LENGTH));
        assertEquals(0, QueueFormat.skipLength(QUEUE_LENGTH - 32, QUEUE_LENGTH));
    }

    @Test
    void shouldCountTheGapAsRoomThatIsNeeded()
    {
        final ChannelAppender appender = startAt(QUEUE_LENGTH - 512 - 100);
        append(appender, 512);
        registers.putRelease(FRONT, QUEUE_LENGTH - 512 - 100);

        assertEquals(ChannelAppender.NO_ROOM, appender.claim(416));
        assertEquals(0, sram.getInt(queueIndex + QUEUE_LENGTH - 100), "nothing has happened");
        assertEquals(queueIndex, appender.claim(412));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 36, 100, 500, 512})
    void shouldKeepMessagesWholeWhenPositionsRunOver(final int length)
    {
        final ChannelAppender appender = startAt(-3 * QUEUE_LENGTH + 4);
        int front = -3 * QUEUE_LENGTH + 4;
        int published = 0;
        while (published < 400)
        {
            final int index = appender.claim(length);
            assertTrue(index >= queueIndex && index + length <= queueIndex + QUEUE_LENGTH, "index " + index);
            sram.putInt(index, ++published);
            appender.publish();
            front += QueueFormat.readGapLength(sram, queueIndex, front, QUEUE_LENGTH);
            assertEquals(published, sram.getInt(queueIndex + QueueFormat.offset(front, QUEUE_LENGTH)));
            front += length;
            assertEquals(front, ChannelRegisters.back(registers.getAcquire(BACK_AND_FILLED)));
            registers.putRelease(FRONT, front);
        }
        assertTrue(front >= 0, "ran over");
    }

    @Test
    void shouldPublishSegmentsAsTheyAreWritten()
    {
        final ChannelAppender appender = startAt(QUEUE_LENGTH - 100);
        final long[] ready = new long[Doorbell.WORD_COUNT];

        assertEquals(queueIndex, appender.beginSegments(200));
        assertEquals((long)(QUEUE_LENGTH - 100) << 32, registers.getAcquire(BACK_AND_FILLED));
        appender.fill(32);
        assertEquals((long)QUEUE_LENGTH << 32 | 32, registers.getAcquire(BACK_AND_FILLED));
        assertEquals(1, doorbell.take(ready));
        appender.fill(200);
        assertEquals((long)QUEUE_LENGTH << 32 | 200, registers.getAcquire(BACK_AND_FILLED));
        assertEquals(1, doorbell.take(ready));
        appender.publish();
        assertEquals((long)(QUEUE_LENGTH + 200) << 32, registers.getAcquire(BACK_AND_FILLED));
        assertEquals(1, doorbell.take(ready));
    }

    @Test
    void shouldRefuseSegmentsOutOfOrder()
    {
        final ChannelAppender appender = startAt(0);

        assertThrows(IllegalStateException.class, () -> appender.fill(32));
        appender.beginSegments(64);
        assertThrows(IllegalArgumentException.class, () -> appender.fill(28));
        assertThrows(IllegalArgumentException.class, () -> appender.fill(34));
        assertThrows(IllegalArgumentException.class, () -> appender.fill(68));
        appender.fill(36);
        assertThrows(IllegalArgumentException.class, () -> appender.fill(36));
        assertThrows(IllegalStateException.class, appender::abort);
        assertThrows(IllegalStateException.class, () -> new ChannelAppender(sram, geometry, CHANNEL));
        appender.publish();
        assertThrows(IllegalStateException.class, () -> appender.fill(40));
    }

    @Test
    void shouldLeaveNoTraceOfAnAbortedClaim()
    {
        final ChannelAppender appender = startAt(0);

        appender.claim(100);
        assertThrows(IllegalStateException.class, () -> appender.claim(32));
        appender.abort();

        assertThrows(IllegalStateException.class, appender::publish);
        assertThrows(IllegalStateException.class, appender::abort);
        assertFalse(doorbell.isRung());
        assertEquals(queueIndex, appender.claim(32));
    }

    @Test
    void shouldRefuseLengthsThatNeverFit()
    {
        final ChannelAppender appender = startAt(0);

        assertEquals(512, appender.messageLengthMax());
        assertEquals("message length=513 exceeds max=512",
            assertThrows(IllegalArgumentException.class, () -> appender.claim(513)).getMessage());
        assertEquals("message length=31 is below min=32",
            assertThrows(IllegalArgumentException.class, () -> appender.claim(31)).getMessage());
        final BoardGeometry large = new BoardGeometry(9, 0, 1 << 20, 1, 1 << 18, 1, 0, 0);
        assertEquals(65_536, new ChannelAppender(Buffers.allocate(1 << 20), large, 0).messageLengthMax());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 1024, -4, 512 - 1028})
    void shouldClaimNothingMoreOnceTheFrontIsImpossible(final int front)
    {
        final ChannelAppender appender = startAt(0);
        append(appender, 512);
        append(appender, 512);
        registers.putRelease(FRONT, front < 4 ? front : 1024 + front);

        assertEquals(ChannelAppender.NO_ROOM, appender.claim(32));
        assertTrue(appender.isCorrupt());
        registers.putRelease(FRONT, 512);
        assertEquals(ChannelAppender.NO_ROOM, appender.claim(32));
    }

    @Test
    void shouldNotBeginWithAnImpossibleFront()
    {
        registers.putRelease(FRONT, 64);
        final ChannelAppender appender = new ChannelAppender(sram, geometry, CHANNEL);

        assertTrue(appender.isCorrupt());
        assertEquals(ChannelAppender.NO_ROOM, appender.claim(32));
    }

    private ChannelAppender startAt(final int position)
    {
        registers.putRelease(FRONT, position);
        registers.backAndFilledRelease(position, 0);
        return new ChannelAppender(sram, geometry, CHANNEL);
    }

    private static void append(final ChannelAppender appender, final int length)
    {
        assertTrue(appender.claim(length) >= 0);
        appender.publish();
    }
}
