// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ChannelRegisters.PULL_LENGTHS;
import static org.grim.board.ChannelRegisters.PULL_POSITIONS;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.grim.board.ChannelRegisters.PULL_SOURCES;
import static org.grim.board.ChannelRegisters.REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ChannelRegistersTest
{
    private static final int CHANNEL = 1;

    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final ChannelRegisters registers = new ChannelRegisters(sram, geometry, CHANNEL);
    private final int offset = geometry.channelOffset(CHANNEL);

    @Test
    void shouldKeepTheOffsetsOfAChannel()
    {
        final int[] offsets = {
            ChannelRegisters.ENABLED.offset(), ChannelRegisters.CONTEXT.offset(), ChannelRegisters.WEIGHT.offset(),
            ChannelRegisters.OWNER_ADDRESS.offset(), ChannelRegisters.ARRIVAL_MODE.offset(),
            ChannelRegisters.FRAME_LENGTH.offset(), ChannelRegisters.FRAME_COUNT.offset(),
            ChannelRegisters.ARRIVAL_ADDRESS.offset(), ChannelRegisters.POINTER_ADDRESS.offset(),
            ChannelRegisters.FRONT.offset(), ChannelRegisters.NEXT.offset(), ChannelRegisters.ARRIVAL_BACK.offset(),
            ChannelRegisters.STATUS.offset(), ChannelRegisters.UNDELIVERED.offset(), ChannelRegisters.UNKNOWN.offset(),
            ChannelRegisters.REFUSED.offset(), ChannelRegisters.DELIVERED.offset(),
            ChannelRegisters.PULLED_COUNT.offset(), ChannelRegisters.PULL_REFUSED.offset(),
            ChannelRegisters.BACK_AND_FILLED.offset(), ChannelRegisters.PULL_SOURCES.offset(),
            ChannelRegisters.PULL_POSITIONS.offset(), ChannelRegisters.PULL_LENGTHS.offset(),
            ChannelRegisters.PULL_COUNT.offset(), ChannelRegisters.ARRIVAL_FRONT.offset(),
            ChannelRegisters.ASLEEP_BELL.offset(), ChannelRegisters.LENGTH};

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
        registers.put(CONTEXT, 1).put(WEIGHT, 2).put(OWNER_ADDRESS, 0xFFF1).put(ARRIVAL_MODE, 2).put(FRAME_LENGTH, 64)
            .put(FRAME_COUNT, 8)
            .put(ARRIVAL_ADDRESS, 0x0102_0304_0506_0708L).put(POINTER_ADDRESS, 9).enableRelease();

        assertTrue(registers.isEnabledAcquire());
        assertArrayEquals(new int[]{1, 2, 0xFFF1, 2, 64, 8}, new int[]{registers.get(CONTEXT), registers.get(WEIGHT),
            registers.get(OWNER_ADDRESS), registers.get(ARRIVAL_MODE), registers.get(FRAME_LENGTH),
            registers.get(FRAME_COUNT)});
        assertEquals(0x0102_0304_0506_0708L, registers.get(ARRIVAL_ADDRESS));
        assertEquals(9, registers.get(POINTER_ADDRESS));
        assertEquals(0x08, sram.getByte(offset + ChannelRegisters.POINTER_ADDRESS.offset() - 1), "big endian");
        registers.disableRelease();
        assertFalse(registers.isEnabledAcquire());
    }

    @Test
    void shouldKeepWhatTheFirmwareWrites()
    {
        registers.putRelease(FRONT, -4);
        registers.put(NEXT, 8);
        registers.put(ARRIVAL_BACK, 12);
        registers.putRelease(STATUS, 3);
        registers.addRelease(UNDELIVERED, 1);
        registers.addRelease(UNKNOWN, 2);
        registers.addRelease(REFUSED, 3);
        registers.addRelease(DELIVERED, 4);
        registers.addRelease(DELIVERED, -1);

        assertArrayEquals(new int[]{-4, -4, 8, 12, 3, 3, 1, 2, 3, 3}, new int[]{registers.get(FRONT),
            registers.getAcquire(FRONT), registers.get(NEXT), registers.get(ARRIVAL_BACK), registers.get(STATUS),
            registers.getAcquire(STATUS), registers.getAcquire(UNDELIVERED), registers.getAcquire(UNKNOWN),
            registers.getAcquire(REFUSED),
            registers.getAcquire(DELIVERED)});
        assertEquals((byte)0xFC, sram.getByte(offset + ChannelRegisters.FRONT.offset() + 3), "big endian");
    }

    @Test
    void shouldKeepBackAndFilledApartWhateverTheirSigns()
    {
        registers.backAndFilledRelease(0x8000_0004, -4);
        final long both = registers.getAcquire(BACK_AND_FILLED);

        assertEquals(0x8000_0004, ChannelRegisters.back(both));
        assertEquals(-4, ChannelRegisters.filled(both));
        assertEquals((byte)0x80, sram.getByte(offset + ChannelRegisters.BACK_AND_FILLED.offset()), "big endian");
    }

    @Test
    void shouldKeepWhoSleeps()
    {
        final SleepBell bell = SleepBell.ofChannel(sram, geometry, CHANNEL);
        final int before = bell.bellAcquire();

        bell.bell(0x0102);

        assertEquals(SleepBell.AWAKE, before);
        assertEquals(0x0102, bell.bellAcquire());
        assertEquals(0x03, sram.getByte(offset + ChannelRegisters.ASLEEP_BELL.offset() + 3), "bell + 1, big endian");
        bell.bell(SleepBell.AWAKE);
        assertEquals(0, sram.getInt(offset + ChannelRegisters.ASLEEP_BELL.offset()));
    }

    @Test
    void shouldForgetEverythingWhenReset()
    {
        final int before = offset - Integer.BYTES;
        final int behind = offset + ChannelRegisters.LENGTH;
        sram.setMemory(before, behind + Integer.BYTES - before, (byte)0x5A);

        registers.reset();

        for (int index = offset; index < behind; index++)
        {
            assertEquals(0, sram.getByte(index));
        }
        assertEquals(0x5A5A_5A5A, sram.getInt(before), "the channel before it");
        assertEquals(0x5A5A_5A5A, sram.getInt(behind), "the channel behind it");
    }

    @Test
    void shouldKeepTwoPullsApart()
    {
        registers.askPull(-1, 0x0102_0304_0506_0708L, 0x8000_0000, 16);
        registers.askPull(0, 2, 3, 20);

        assertEquals(1, registers.getAcquire(PULL_COUNT));
        assertEquals(0x0102_0304_0506_0708L, registers.get(PULL_SOURCES, ChannelRegisters.pullSlot(-1)));
        assertArrayEquals(new int[]{0x8000_0000, 16}, new int[]{registers.get(PULL_POSITIONS,
            ChannelRegisters.pullSlot(-1)), registers.get(PULL_LENGTHS, ChannelRegisters.pullSlot(-1))});
        assertEquals(2, registers.get(PULL_SOURCES, ChannelRegisters.pullSlot(0)));
        assertArrayEquals(new int[]{3, 20}, new int[]{registers.get(PULL_POSITIONS, ChannelRegisters.pullSlot(0)),
            registers.get(PULL_LENGTHS, ChannelRegisters.pullSlot(0))});
        assertEquals(1, sram.getByte(offset + PULL_SOURCES.offset() + 8),
            "big endian");
    }

    @Test
    void shouldCountThePullsThatTheFirmwareHasDone()
    {
        registers.addRelease(PULL_REFUSED, 1);
        registers.addRelease(PULL_REFUSED, 1);
        registers.putRelease(PULLED_COUNT, 7);

        assertEquals(2, registers.getAcquire(PULL_REFUSED));
        assertEquals(7, registers.getAcquire(PULLED_COUNT));
        assertEquals(0, registers.getAcquire(PULL_COUNT), "the host's own");
    }
}
