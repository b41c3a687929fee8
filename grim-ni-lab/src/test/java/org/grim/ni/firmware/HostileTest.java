// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.Random;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A host or an NI that writes what it likes harms nobody else. Channel 2 is the hostile one; 0 and 1 are honest. */
final class HostileTest
{
    private static final int HOSTILE = 2;
    private static final int REGISTERS_LENGTH = 256;
    private static final int ROUND_COUNT = 300;
    private static final int[] LENGTHS = {0, 4, 8, 12, 31, 32, 36, 48, 64, 600};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldServeHonestChannelsBesideAHostileOne(final long seed)
    {
        final Random random = new Random(seed);
        Bench bench = bench(2);
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            if (round % 30 == 29)
            {
                bench.settle();
                assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size()), "seed " + seed);
                bench = bench(2);
            }
            scribble(bench, random);
            bench.send(0, 0, 1, 0, random.nextInt(100));
            bench.send(1, 1, 0, 1, random.nextInt(100));
            bench.run(random.nextInt(30));
            if (round % 7 == 6)
            {
                bench.settle();
            }
        }
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size()), "seed " + seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldServeHonestNisBesideAHostileOne(final long seed)
    {
        final Random random = new Random(seed);
        final Bench bench = bench(3);
        bench.rigs[2].program = null;
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            final int target = random.nextInt(2);
            final byte[] bytes = packet(random);
            bench.net.inject(new ScriptedNet.Packet(2, target, bytes, bytes.length + (random.nextInt(9) == 0 ? 4 : 0)));
            bench.send(0, 0, 1, 0, random.nextInt(100));
            bench.send(1, 1, 0, 1, random.nextInt(100));
            bench.run(random.nextInt(30));
            if (round % 7 == 6)
            {
                bench.settle();
            }
        }
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size()), "seed " + seed);
    }

    /** The firmware reads the back once: later changes do not undo what it took. */
    @Test
    void shouldStandABackThatJumpsWhileMessagesAreInFlight()
    {
        final Bench bench = bench(2);
        bench.net.isLost = packet -> packet.isData();
        for (int i = 0; i < 4; i++)
        {
            bench.send(0, HOSTILE, 1, HOSTILE, 8);
        }
        bench.work();
        bench.rigs[0].registers[HOSTILE].backAndFilledRelease(-4, 0);
        bench.net.isLost = packet -> false;
        bench.send(0, 0, 1, 0, 8);
        bench.settle();

        assertEquals(4, bench.rigs[1].registers[HOSTILE].getAcquire(DELIVERED) +
            bench.rigs[0].registers[HOSTILE].getAcquire(UNDELIVERED) +
            bench.rigs[0].registers[HOSTILE].getAcquire(UNKNOWN));
        assertEquals(Outcome.ACKNOWLEDGED, bench.sent.get(4).outcome);
        assertEquals(0, bench.rigs[0].program.delivery().inFlightCount());
    }

    private static Bench bench(final int niCount)
    {
        final Bench bench = new Bench(Guards.ALL, Bench.CONFIG, niCount, 3);
        bench.receivingChannelCount = HOSTILE;
        bench.settle();
        return bench;
    }

    private static void scribble(final Bench bench, final Random random)
    {
        final BoardRig rig = bench.rigs[random.nextInt(2)];
        final AtomicBuffer sram = rig.sram;
        final BoardGeometry geometry = rig.geometry;
        switch (random.nextInt(6))
        {
            case 0 -> sram.putByte(geometry.channelOffset(HOSTILE) + 4 + random.nextInt(REGISTERS_LENGTH - 4),
                (byte)random.nextInt());
            case 1 -> sram.putByte(geometry.queueOffset(HOSTILE) + random.nextInt(Bench.QUEUE_LENGTH),
                (byte)random.nextInt());
            case 2 -> rig.registers[HOSTILE].backAndFilledRelease(
                ChannelRegisters.back(rig.registers[HOSTILE].getAcquire(BACK_AND_FILLED)) +
                random.nextInt(200) * 4 - 40,
                random.nextInt(3) * 48);
            case 3 -> rig.registers[HOSTILE].putRelease(ARRIVAL_FRONT, random.nextInt(40) - 20);
            default -> sendAnything(rig, random);
        }
        new Doorbell(sram, geometry).ring(HOSTILE);
    }

    /** A message whose header is mostly right, for a channel that no honest host reads. */
    private static void sendAnything(final BoardRig rig, final Random random)
    {
        final int payloadLength = random.nextInt(20) * 4;
        final int index = rig.appenders[HOSTILE].isCorrupt() ? ChannelAppender.NO_ROOM :
            rig.appenders[HOSTILE].claim(MessageHeader.LENGTH + payloadLength);
        if (index != ChannelAppender.NO_ROOM)
        {
            rig.write(index, HOSTILE, random.nextInt(5), HOSTILE + random.nextInt(3), 0, payloadLength);
            if (random.nextInt(4) == 0)
            {
                rig.sram.putByte(index + random.nextInt(MessageHeader.LENGTH), (byte)random.nextInt());
                rig.sram.putByte(index + 13, (byte)(HOSTILE + random.nextInt(100)));
            }
            rig.appenders[HOSTILE].publish();
        }
    }

    /** A packet from node 2, or of bytes that mean nothing; never for an honest host. */
    private static byte[] packet(final Random random)
    {
        final byte[] bytes = new byte[random.nextInt(3) == 0 ? 48 : LENGTHS[1 + random.nextInt(LENGTHS.length - 1)]];
        random.nextBytes(bytes);
        final MessageType[] types = MessageType.values();
        final MessageType type = types[random.nextInt(types.length)];
        final AtomicBuffer buffer = Buffers.wrap(bytes);
        if (bytes.length >= MessageHeader.LENGTH && random.nextInt(8) != 0)
        {
            final MessageHeader header = new MessageHeader().wrap(buffer, 0);
            header.put(MessageHeader.typeWord(type, 2 << 4), random.nextInt(3) << 4,
                MessageHeader.routeWord(random.nextInt(256), HOSTILE + random.nextInt(3)), 7,
                bytes.length - MessageHeader.LENGTH, random.nextInt(5), random.nextInt(3) * (1L << Integer.SIZE));
            header.identity(random.nextInt(256), random.nextInt(4));
        }
        else if (bytes.length == Long.BYTES)
        {
            new ControlMessage().wrap(buffer, 0).put(type, random.nextInt(256), random.nextInt(8),
                random.nextInt(3), 2 << 4);
        }
        return bytes;
    }
}
