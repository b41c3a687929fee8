// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

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
        assertArrayEquals(new int[]{24, 32, 36, 40, 48, 56, 220, 256, 260, 264, 268}, new int[]{
            ContextDescriptor.OWNER_OFFSET, ContextDescriptor.CHANNEL_COUNT_OFFSET,
            ContextDescriptor.REGION_GENERATION_OFFSET,
            ContextDescriptor.REQUEST_OFFSET, ContextDescriptor.REGISTERED_START_OFFSET,
            ContextDescriptor.REGISTERED_LENGTH_OFFSET, ContextDescriptor.FORGET_COUNT_OFFSET,
            ContextDescriptor.STATE_OFFSET, ContextDescriptor.REASON_OFFSET,
            ContextDescriptor.FIRST_CHANNEL_OFFSET, ContextDescriptor.FORGOTTEN_COUNT_OFFSET});
        assertTrue(TranslationDescriptor.ANSWER_ID_OFFSET + Integer.BYTES <= ContextDescriptor.STATE_OFFSET);
        assertTrue(ContextDescriptor.FORGOTTEN_COUNT_OFFSET + Integer.BYTES <= BoardDescriptor.CONTEXT_LENGTH);
    }

    @Test
    void shouldBelongToTheFirstThatTakesIt()
    {
        assertTrue(registers.tryOwn(OWNER));
        assertFalse(registers.tryOwn(OWNER + 1));

        assertEquals(OWNER, registers.ownerAcquire());
        assertEquals(5, sram.getByte(offset + ContextDescriptor.OWNER_OFFSET + 3), "big endian");
    }

    @Test
    void shouldKeepWhatIsRegisteredAndWhatIsToBeForgotten()
    {
        registers.registered(0x0102_0000_3000L, 0x4000);
        registers.forgetRelease(7);
        registers.forgottenRelease(6);

        assertEquals(0x4000, registers.registeredLengthAcquire());
        assertEquals(0x0102_0000_3000L, registers.registeredStart());
        assertArrayEquals(new int[]{7, 6}, new int[]{registers.forgetCountAcquire(),
            registers.forgottenCountAcquire()});
        assertEquals(7, sram.getByte(offset + ContextDescriptor.FORGET_COUNT_OFFSET + 3), "big endian");
        registers.free();
        assertEquals(0, registers.registeredLengthAcquire());
        assertArrayEquals(new int[]{0, 0}, new int[]{registers.forgetCountAcquire(),
            registers.forgottenCountAcquire()});
    }

    @Test
    void shouldKeepWhatTheHostAsksAndTheFirmwareAnswers()
    {
        registers.requestAttach(4, 3);
        assertArrayEquals(new int[]{ContextRegisters.REQUEST_ATTACH, 4, 3},
            new int[]{registers.requestAcquire(), registers.channelCount(), registers.regionGeneration()});
        registers.attached(8);
        assertArrayEquals(new int[]{ContextRegisters.STATE_ATTACHED, 8},
            new int[]{registers.stateAcquire(), registers.firstChannel()});
        registers.requestDetach();
        assertEquals(ContextRegisters.REQUEST_DETACH, registers.requestAcquire());
        registers.draining();
        assertEquals(ContextRegisters.STATE_DRAINING, registers.stateAcquire());
        registers.refused(AttachRefusal.NO_CHANNELS);
        assertEquals(ContextRegisters.STATE_REFUSED, registers.stateAcquire());
        assertSame(AttachRefusal.NO_CHANNELS, AttachRefusal.ofCode(registers.reason()));
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
