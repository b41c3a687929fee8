// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.myrinet.posix.Posix;
import org.grim.myrinet.tuning.Candidate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each mechanism writes the payload, all of it, and nothing else. */
final class InjectorTest
{
    private static final Injectors INJECTORS = new Injectors(Posix.load());
    private static final int[] LENGTHS =
        {0, 1, 3, 4, 5, 7, 8, 9, 12, 31, 32, 33, 63, 64, 65, 1023, 4095, 4096, 4097, 8193, 65_503, 65_504};
    private static final int[] SOURCE_OFFSETS = {0, 4, 60};
    /** A header behind a message of an odd number of words: payloads begin on a word, not always on two. */
    private static final int[] PAYLOAD_INDEXES = {32, 36, PullingBoard.QUEUE_LENGTH / 2 + 44};
    private static final byte CANARY = (byte)0xC5;
    private static final int CANARY_LENGTH = 64;

    private final PullingBoard board = new PullingBoard();

    static Stream<Candidate> candidates()
    {
        final List<Candidate> candidates = new ArrayList<>(Candidate.of(SizeClasses.SIZE_MAX));
        candidates.add(new Candidate(Mechanism.LIBC_COPY, 160));
        candidates.add(new Candidate(Mechanism.WORD_STORES, Injectors.BURST_LENGTH_MIN));
        candidates.add(new Candidate(Mechanism.BULK_COPY, Injectors.BURST_LENGTH_MAX));
        return candidates.stream();
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void shouldWriteThePayloadAndNothingBeyond(final Candidate candidate)
    {
        final Injector injector = INJECTORS.of(candidate.mechanism(), candidate.burstLength());
        final InjectionTarget target = board.target();
        for (final int length : LENGTHS)
        {
            for (final int sourceOffset : SOURCE_OFFSETS)
            {
                for (final int payloadIndex : PAYLOAD_INDEXES)
                {
                    final AtomicBuffer source = source(candidate.mechanism(), sourceOffset + length + CANARY_LENGTH);
                    fill(source, length + sourceOffset);
                    final int index = board.queueIndex() + payloadIndex;
                    board.sram.setMemory(board.queueIndex(), PullingBoard.QUEUE_LENGTH, CANARY);

                    assertTrue(injector.isApplicable(target, source, sourceOffset, length));
                    final InjectionResult result =
                        injector.inject(target.at(index, payloadIndex), source, sourceOffset, length);

                    assertEquals(InjectionResult.COMPLETE, result);
                    assertTrue(target.isSettled());
                    requirePayload(candidate + " length=" + length + " offset=" + sourceOffset, source, sourceOffset,
                        index, length);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void shouldGoOnWherePositionsWrap(final Candidate candidate)
    {
        final int length = 40_000;
        final int position = Integer.MIN_VALUE - 8;         // The sum with the length passes the largest int.
        final Injector injector = INJECTORS.of(candidate.mechanism(), candidate.burstLength());
        final AtomicBuffer source = source(candidate.mechanism(), length + CANARY_LENGTH);
        fill(source, 1);
        final int first = PullingBoard.QUEUE_LENGTH - 65_536;
        final int index = board.queueIndex() + first;
        board.sram.setMemory(board.queueIndex(), PullingBoard.QUEUE_LENGTH, CANARY);

        final InjectionResult result = injector.inject(
            board.target().at(index, (position & -PullingBoard.QUEUE_LENGTH) + first), source, 0, length);

        assertEquals(InjectionResult.COMPLETE, result);
        requirePayload(candidate.toString(), source, 0, index, length);
    }

    @Test
    void shouldPullOncePerBounceBufferWithOneCopy()
    {
        final Injector injector = INJECTORS.of(Mechanism.ONE_COPY, Injectors.UNPACED);
        final AtomicBuffer source = source(Mechanism.ONE_COPY, PullingBoard.BOUNCE_LENGTH * 3);

        injector.inject(board.target().at(board.queueIndex(), 0), source, 0, PullingBoard.BOUNCE_LENGTH);
        assertEquals(1, board.pullCount);

        injector.inject(board.target().at(board.queueIndex(), 0), source, 0, PullingBoard.BOUNCE_LENGTH * 2 + 4);
        assertEquals(4, board.pullCount);
        assertEquals(1, board.underWayMax);
    }

    @Test
    void shouldKeepTwoPullsUnderWayWithDoubleBuffering()
    {
        final Injector injector = INJECTORS.of(Mechanism.DOUBLE_BUFFERED, Injectors.UNPACED);
        final AtomicBuffer source = source(Mechanism.DOUBLE_BUFFERED, 16_384);

        injector.inject(board.target().at(board.queueIndex(), 0), source, 0, 16_384);

        assertEquals(4, board.pullCount);
        assertEquals(2, board.underWayMax);
    }

    @Test
    void shouldPullInPlaceFromTheRegionOnly()
    {
        final Injector injector = INJECTORS.of(Mechanism.ZERO_COPY, Injectors.UNPACED);
        final InjectionTarget target = board.target();
        final AtomicBuffer elsewhere = Buffers.allocate(64);
        final AtomicBuffer heap = Buffers.wrap(new byte[64]);
        final AtomicBuffer end = Buffers.wrap(board.region, PullingBoard.REGION_LENGTH - 64, 64);

        assertTrue(injector.isApplicable(target, end, 0, 64));
        assertFalse(injector.isApplicable(target, end, 1, 63), "not on a word");
        assertFalse(injector.isApplicable(target, elsewhere, 0, 64));
        assertFalse(injector.isApplicable(target, heap, 0, 64));
        assertThrows(IllegalArgumentException.class,
            () -> injector.inject(target.at(board.queueIndex(), 0), elsewhere, 0, 64));
        assertEquals(0, board.registers.getAcquire(PULL_COUNT));
    }

    @Test
    void shouldNotTouchTheHeapByMemcpy()
    {
        final Injector injector = INJECTORS.of(Mechanism.LIBC_COPY, Injectors.UNPACED);
        final InjectionTarget target = board.target().at(board.queueIndex(), 0);
        final AtomicBuffer heap = Buffers.wrap(new byte[64]);
        final AtomicBuffer outside = Buffers.allocate(64);

        assertFalse(injector.isApplicable(target, heap, 0, 64));
        assertThrows(IllegalArgumentException.class, () -> injector.inject(target, heap, 0, 64));
        assertThrows(IndexOutOfBoundsException.class, () -> injector.inject(target, outside, 1, 64));
    }

    @Test
    void shouldNotCopyWithoutBounceMemory()
    {
        final InjectionTarget target = board.target(0);
        final AtomicBuffer source = Buffers.allocate(64);

        assertFalse(INJECTORS.of(Mechanism.ONE_COPY, 0).isApplicable(target, source, 0, 64));
        assertFalse(INJECTORS.of(Mechanism.DOUBLE_BUFFERED, 0).isApplicable(target, source, 0, 64));
    }

    private AtomicBuffer source(final Mechanism mechanism, final int length)
    {
        return mechanism == Mechanism.ZERO_COPY ?
            Buffers.wrap(board.region, PullingBoard.REGISTERED_INDEX, length) : Buffers.allocate(length);
    }

    private static void fill(final AtomicBuffer source, final int seed)
    {
        for (int i = 0; i < source.capacity(); i++)
        {
            source.putByte(i, (byte)(i * 31 + seed + (i >> 8)));
        }
    }

    private void requirePayload(
        final String what, final AtomicBuffer source, final int offset, final int index, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (source.getByte(offset + i) != board.sram.getByte(index + i))
            {
                assertEquals(source.getByte(offset + i), board.sram.getByte(index + i), what + " byte=" + i);
            }
        }
        for (int i = 1; i <= 32; i++)
        {
            assertEquals(CANARY, board.sram.getByte(index - i), what + " before it, byte=-" + i);
        }
        for (int i = 0; i < CANARY_LENGTH; i++)
        {
            assertEquals(CANARY, board.sram.getByte(index + length + i), what + " beyond it, byte=" + i);
        }
    }
}
