// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.Allocation;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.junit.jupiter.api.Test;

import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DeliveryAllocationTest
{
    private static final long BASE = 1L << 40;

    private final TestBoard board = new TestBoard();

    @Test
    void shouldAllocateNothingPerMessage()
    {
        board.channel(ChannelRegisters.ARRIVAL_QUEUE_POINTER, 0);
        board.cover(0, TestBoard.CONTEXT, BASE, 8192, TestBoard.physical(8192));
        final ArrivalReader reader = board.reader();
        final long least = Allocation.least(() -> run(reader, 20_000), () -> run(reader, 5_000));

        assertTrue(board.registers.getAcquire(DELIVERED) / 2 >= 25_000);
        assertEquals(0, least);
    }

    private void run(final ArrivalReader reader, final int count)
    {
        final int messageLength = 32 + 40;
        for (int i = 0; i < count; i++)
        {
            board.packet.putInt(TestBoard.PACKET_OFFSET + 8, 10 << 16, java.nio.ByteOrder.BIG_ENDIAN);
            board.packet.putInt(TestBoard.PACKET_OFFSET, 0x0636_0000, java.nio.ByteOrder.BIG_ENDIAN);
            board.packet.putInt(TestBoard.PACKET_OFFSET + 4, 1 << 26, java.nio.ByteOrder.BIG_ENDIAN);
            board.messages.begin(TestBoard.CHANNEL, board.packet, TestBoard.PACKET_OFFSET, messageLength);
            board.messages.advance(messageLength);
            if (reader.hasMessage())
            {
                reader.release();
            }
            board.packet.putInt(TestBoard.PACKET_OFFSET + 4, 2 << 26, java.nio.ByteOrder.BIG_ENDIAN);
            board.packet.putLong(TestBoard.PACKET_OFFSET + 16, BASE, java.nio.ByteOrder.BIG_ENDIAN);
            board.packet.putInt(TestBoard.PACKET_OFFSET + 36, 32, java.nio.ByteOrder.BIG_ENDIAN);
            board.remote.begin(TestBoard.CHANNEL, board.packet, TestBoard.PACKET_OFFSET, messageLength);
            board.remote.advance(messageLength);
        }
    }
}
