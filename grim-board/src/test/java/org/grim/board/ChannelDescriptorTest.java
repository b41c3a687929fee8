// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ChannelDescriptorTest
{
    private static final int CHANNEL = 1;

    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final ChannelRegisters registers = new ChannelRegisters(sram, geometry, CHANNEL);
    private final int offset = geometry.channelOffset(CHANNEL);

    @Test
    void shouldKeepTheOffsetsOfAChannel()
    {
        final int[] offsets = {ChannelDescriptor.ENABLED_OFFSET, ChannelDescriptor.CONTEXT_OFFSET,
            ChannelDescriptor.WEIGHT_OFFSET, ChannelDescriptor.OWNER_ADDRESS_OFFSET,
            ChannelDescriptor.ARRIVAL_MODE_OFFSET, ChannelDescriptor.FRAME_LENGTH_OFFSET,
            ChannelDescriptor.FRAME_COUNT_OFFSET, ChannelDescriptor.ARRIVAL_ADDRESS_OFFSET,
            ChannelDescriptor.POINTER_ADDRESS_OFFSET, ChannelDescriptor.FRONT_OFFSET, ChannelDescriptor.NEXT_OFFSET,
            ChannelDescriptor.ARRIVAL_BACK_OFFSET, ChannelDescriptor.STATUS_OFFSET,
            ChannelDescriptor.UNDELIVERED_OFFSET, ChannelDescriptor.UNKNOWN_OFFSET, ChannelDescriptor.REFUSED_OFFSET,
            ChannelDescriptor.DELIVERED_OFFSET, ChannelDescriptor.PULLED_COUNT_OFFSET,
            ChannelDescriptor.PULL_REFUSED_OFFSET, ChannelDescriptor.BACK_AND_FILLED_OFFSET,
            ChannelDescriptor.PULL_SOURCE_OFFSET, ChannelDescriptor.PULL_POSITION_OFFSET,
            ChannelDescriptor.PULL_LENGTH_OFFSET, ChannelDescriptor.PULL_COUNT_OFFSET,
            ChannelDescriptor.ARRIVAL_FRONT_OFFSET, ChannelDescriptor.ASLEEP_BELL_OFFSET, ChannelDescriptor.LENGTH};

        assertArrayEquals(
            new int[]{0, 4, 8, 12, 16, 20, 24, 32, 40, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 128, 136, 152, 160, 168,
                192, 196, 256}, offsets);
    }

    @Test
    void shouldKeepTheOffsetsOfTheHeader()
    {
        final int[] offsets = {BoardDescriptor.MAGIC_OFFSET, BoardDescriptor.VERSION_OFFSET,
            BoardDescriptor.LANAI_MODEL_OFFSET, BoardDescriptor.NI_NUMBER_OFFSET, BoardDescriptor.SRAM_LENGTH_OFFSET,
            BoardDescriptor.CHANNEL_COUNT_OFFSET, BoardDescriptor.QUEUE_LENGTH_OFFSET,
            BoardDescriptor.CONTEXT_COUNT_OFFSET, BoardDescriptor.STATIC_ENTRY_COUNT_OFFSET,
            BoardDescriptor.RESERVED_LENGTH_OFFSET, BoardDescriptor.EPOCH_OFFSET, BoardDescriptor.DOORBELL_OFFSET,
            BoardDescriptor.DOORBELL_SUMMARY_OFFSET, BoardDescriptor.CHANNELS_OFFSET, BoardDescriptor.CONTEXT_LENGTH,
            BoardDescriptor.STATIC_ENTRY_LENGTH};

        assertArrayEquals(
            new int[]{0, 8, 12, 16, 20, 24, 28, 32, 36, 40, 64, 256, 64, 384, 320, 32}, offsets);
    }

    @Test
    void shouldKeepWhatTheHostSetsUp()
    {
        registers.context(1).weight(2).ownerAddress(0xFFF1).arrivalMode(2).frameLength(64).frameCount(8)
            .arrivalAddress(0x0102_0304_0506_0708L).pointerAddress(9).enableRelease();

        assertTrue(registers.isEnabledAcquire());
        assertArrayEquals(new int[]{1, 2, 0xFFF1, 2, 64, 8}, new int[]{registers.context(), registers.weight(),
            registers.ownerAddress(), registers.arrivalMode(), registers.frameLength(), registers.frameCount()});
        assertEquals(0x0102_0304_0506_0708L, registers.arrivalAddress());
        assertEquals(9, registers.pointerAddress());
        assertEquals(0x08, sram.getByte(offset + ChannelDescriptor.POINTER_ADDRESS_OFFSET - 1), "big endian");
        registers.disableRelease();
        assertFalse(registers.isEnabledAcquire());
    }

    @Test
    void shouldKeepWhatTheFirmwareWrites()
    {
        registers.frontRelease(-4);
        registers.next(8);
        registers.arrivalBack(12);
        registers.statusRelease(3);
        registers.addUndelivered(1);
        registers.addUnknown(2);
        registers.addRefused(3);
        registers.addDelivered(4);
        registers.addDelivered(-1);

        assertArrayEquals(new int[]{-4, -4, 8, 12, 3, 3, 1, 2, 3, 3}, new int[]{registers.front(),
            registers.frontAcquire(), registers.next(), registers.arrivalBack(), registers.status(),
            registers.statusAcquire(), registers.undelivered(), registers.unknown(), registers.refused(),
            registers.delivered()});
        assertEquals((byte)0xFC, sram.getByte(offset + ChannelDescriptor.FRONT_OFFSET + 3), "big endian");
    }

    @Test
    void shouldKeepBackAndFilledApartWhateverTheirSigns()
    {
        registers.backAndFilledRelease(0x8000_0004, -4);
        final long both = registers.backAndFilledAcquire();

        assertEquals(0x8000_0004, ChannelRegisters.back(both));
        assertEquals(-4, ChannelRegisters.filled(both));
        assertEquals((byte)0x80, sram.getByte(offset + ChannelDescriptor.BACK_AND_FILLED_OFFSET), "big endian");
    }

    @Test
    void shouldKeepWhoSleeps()
    {
        final ChannelBell bell = new ChannelBell(sram, geometry, CHANNEL);
        final int before = bell.bellAcquire();

        bell.bell(0x0102);

        assertEquals(ChannelBell.AWAKE, before);
        assertEquals(0x0102, bell.bellAcquire());
        assertEquals(0x03, sram.getByte(offset + ChannelDescriptor.ASLEEP_BELL_OFFSET + 3), "bell + 1, big endian");
        bell.bell(ChannelBell.AWAKE);
        assertEquals(0, sram.getInt(offset + ChannelDescriptor.ASLEEP_BELL_OFFSET));
    }

    @Test
    void shouldForgetEverythingWhenReset()
    {
        final int before = offset - Integer.BYTES;
        final int behind = offset + ChannelDescriptor.LENGTH;
        sram.setMemory(before, behind + Integer.BYTES - before, (byte)0x5A);

        registers.reset();

        for (int index = offset; index < behind; index++)
        {
            assertEquals(0, sram.getByte(index));
        }
        assertEquals(0x5A5A_5A5A, sram.getInt(before), "the channel before it");
        assertEquals(0x5A5A_5A5A, sram.getInt(behind), "the channel behind it");
    }
}
