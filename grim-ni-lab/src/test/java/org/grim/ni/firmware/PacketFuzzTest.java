// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.nio.ByteOrder;

import org.grim.HostileInput;
import org.grim.buffer.Buffers;
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Packets of any bytes, any of them cut: a control program drops them, or does what they say, and goes on. */
final class PacketFuzzTest
{
    private static final int LENGTH_MAX = 128;

    @FuzzTest
    void shouldStandAnyPackets(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        final Bench bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 2);
        bench.isReceiving[0] = false;
        bench.send(0, 1);
        bench.send(0, 1, 1, 0, 8);
        bench.run(input.nextBelow(64));
        while (input.hasMore())
        {
            bench.net.inject(packet(input));
            bench.run(1 + input.nextBelow(4));
        }
        bench.run(200);

        assertTrue(bench.rigs[0].program.controlQueueDepth() <= bench.rigs[0].program.delivery().tripleCount() +
            bench.rigs[0].program.delivery().peerCount());
    }

    /** Half of them begin as a message does. */
    private static ScriptedNet.Packet packet(final HostileInput input)
    {
        final int length = 1 + input.nextBelow(LENGTH_MAX);
        final byte[] packet = new byte[length];
        for (int i = 0; i < Math.min(length, 16); i++)
        {
            packet[i] = (byte)input.nextByte();
        }
        if (length >= Short.BYTES && input.nextBelow(2) == 0)
        {
            Buffers.wrap(packet).putShort(0, (short)MessageHeader.GRIM_ID, ByteOrder.BIG_ENDIAN);
        }
        for (int i = 16; i < length && input.hasMore(); i++)
        {
            packet[i] = (byte)input.nextByte();
        }
        final int wholeLength = input.nextBelow(8) == 0 ? length + 1 + input.nextByte() : length;
        return new ScriptedNet.Packet(1, 0, packet, wholeLength);
    }
}
