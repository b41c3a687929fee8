// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.grim.board.ContextRegisters.CHANNEL_COUNT;
import static org.grim.board.ContextRegisters.FIRST_CHANNEL;
import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;
import static org.grim.board.ContextRegisters.REASON;
import static org.grim.board.ContextRegisters.REGION_GENERATION;
import static org.grim.board.ContextRegisters.REGISTERED_LENGTH;
import static org.grim.board.ContextRegisters.REGISTERED_START;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.STATE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ContextRegistersTest
{
    private static final int CONTEXT = 0;
    private static final long OWNER = 5L << Integer.SIZE | 9;

    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final ContextRegisters registers = new ContextRegisters(sram, geometry, CONTEXT);
    private final int offset = geometry.contextOffset(CONTEXT);

    @Test
    void shouldKeepItsOffsets()
    {
        assertArrayEquals(new int[]{0, 8, 16, 24, 32, 36, 40, 48, 56, 64, 72, 216, 220, 256, 260, 264, 268}, new int[]{
            ContextRegisters.REQUEST_ADDRESS.offset(), ContextRegisters.REGION_LENGTH.offset(),
            ContextRegisters.ENABLED.offset(), ContextRegisters.OWNER.offset(), CHANNEL_COUNT.offset(),
            REGION_GENERATION.offset(), REQUEST.offset(), REGISTERED_START.offset(), REGISTERED_LENGTH.offset(),
            ContextRegisters.PAGE_COUNT.offset(), ContextRegisters.PAGES.offset(), ContextRegisters.ANSWER_ID.offset(),
            FORGET_COUNT.offset(), STATE.offset(), REASON.offset(), FIRST_CHANNEL.offset(), FORGOTTEN_COUNT.offset()});
        assertTrue(FORGET_COUNT.end() <= STATE.offset());
        assertTrue(FORGOTTEN_COUNT.end() <= BoardDescriptor.CONTEXT_LENGTH);
    }

    @Test
    void shouldBelongToTheFirstThatTakesIt()
    {
        assertTrue(registers.tryOwn(OWNER));
        assertFalse(registers.tryOwn(OWNER + 1));

        assertEquals(OWNER, registers.getAcquire(ContextRegisters.OWNER));
        assertEquals(5, sram.getByte(offset + ContextRegisters.OWNER.offset() + 3), "big endian");
    }

    @Test
    void shouldKeepWhatIsRegisteredAndWhatIsToBeForgotten()
    {
        registers.registered(0x0102_0000_3000L, 0x4000);
        registers.putRelease(FORGET_COUNT, 7);
        registers.putRelease(FORGOTTEN_COUNT, 6);

        assertEquals(0x4000, registers.getAcquire(REGISTERED_LENGTH));
        assertEquals(0x0102_0000_3000L, registers.get(REGISTERED_START));
        assertArrayEquals(new int[]{7, 6}, new int[]{registers.getAcquire(FORGET_COUNT),
            registers.getAcquire(FORGOTTEN_COUNT)});
        assertEquals(7, sram.getByte(offset + FORGET_COUNT.offset() + 3), "big endian");
        registers.free();
        assertEquals(0, registers.getAcquire(REGISTERED_LENGTH));
        assertArrayEquals(new int[]{0, 0}, new int[]{registers.getAcquire(FORGET_COUNT),
            registers.getAcquire(FORGOTTEN_COUNT)});
    }

    @Test
    void shouldKeepWhatTheHostAsksAndTheFirmwareAnswers()
    {
        registers.requestAttach(4, 3);
        assertArrayEquals(new int[]{ContextRegisters.REQUEST_ATTACH, 4, 3},
            new int[]{registers.getAcquire(REQUEST), registers.get(CHANNEL_COUNT), registers.get(REGION_GENERATION)});
        registers.attached(8);
        assertArrayEquals(new int[]{ContextRegisters.STATE_ATTACHED, 8},
            new int[]{registers.getAcquire(STATE), registers.get(FIRST_CHANNEL)});
        registers.putRelease(REQUEST, ContextRegisters.REQUEST_DETACH);
        assertEquals(ContextRegisters.REQUEST_DETACH, registers.getAcquire(REQUEST));
        registers.putRelease(STATE, ContextRegisters.STATE_DRAINING);
        assertEquals(ContextRegisters.STATE_DRAINING, registers.getAcquire(STATE));
        registers.refused(AttachRefusal.NO_CHANNELS);
        assertEquals(ContextRegisters.STATE_REFUSED, registers.getAcquire(STATE));
        assertSame(AttachRefusal.NO_CHANNELS, AttachRefusal.ofCode(registers.get(REASON)));
        assertNull(AttachRefusal.ofCode(0));
    }

    @Test
    void shouldBeAsNewWhenFreed()
    {
        final int end = offset + BoardDescriptor.CONTEXT_LENGTH;
        sram.setMemory(offset, BoardDescriptor.CONTEXT_LENGTH + Integer.BYTES, (byte)0x5A);

        registers.free();

        for (int index = offset; index < end; index++)
        {
            assertEquals(0, sram.getByte(index));
        }
        assertEquals(0x5A5A_5A5A, sram.getInt(end), "the context behind it");
        assertTrue(registers.tryOwn(OWNER));
    }
}
