// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.StopReason;
import org.grim.buffer.Buffers;
import org.grim.ni.board.HostMemory;
import org.grim.ni.guard.Guards;
import org.grim.ni.memory.PullEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The board fetches bytes of messages from host memory, and refuses what must not be fetched. */
final class PullTest
{
    private static final int QUEUE_LENGTH = 128 * 1024;
    private static final int SOURCE_OFFSET = 1024;
    private static final int PAYLOAD_LENGTH = 3000;
    private static final int LARGE_LENGTH = 60_000;

    private Bench bench;
    private BoardRig rig;
    private ChannelRegisters pulls;
    private int pullCount;

    @BeforeEach
    void start()
    {
        bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 2, QUEUE_LENGTH, 4, false);
        rig = bench.rigs[0];
        pulls = new ChannelRegisters(rig.sram, rig.geometry, 0);
        bench.settle();
    }

    @Test
    void shouldFetchThePayloadsOfMessages()
    {
        for (int i = 0; i < 200; i++)
        {
            sendPulled(PAYLOAD_LENGTH - i);
        }

        assertEquals(200, bench.rigs[1].received.size());
        assertEquals(200, pulls.getAcquire(PULLED_COUNT));
        assertEquals(0, pulls.getAcquire(PULL_REFUSED));
        assertEquals(null, bench.problem());
    }

    @Test
    void shouldFetchInBoundedPieces()
    {
        rig.appenders[0].claim(LARGE_LENGTH);
        ask(HostMemory.address(0, 0), rig.appenders[0].position(), LARGE_LENGTH);
        final int index = rig.geometry.queueOffset(0) + LARGE_LENGTH - 1;
        rig.region.putByte(LARGE_LENGTH - 1, (byte)77);
        int stepCount = 0;
        while (pulls.getAcquire(PULLED_COUNT) == 0)
        {
            assertTrue(rig.sram.getByte(index) == 0 || stepCount >= LARGE_LENGTH / PullEngine.STEP_LENGTH_MAX);
            rig.program.step();
            stepCount++;
        }

        assertEquals(77, rig.sram.getByte(index));
        assertTrue(stepCount >= LARGE_LENGTH / PullEngine.STEP_LENGTH_MAX, "took " + stepCount + " steps");
        assertEquals(0, pulls.getAcquire(PULL_REFUSED));
    }

    @Test
    void shouldFetchTwoPullsInOrder()
    {
        final int index = rig.appenders[0].claim(64);
        rig.region.setMemory(0, 64, (byte)1);
        rig.region.setMemory(64, 64, (byte)2);
        ask(HostMemory.address(0, 0), rig.appenders[0].position(), 64);
        ask(HostMemory.address(0, 64), rig.appenders[0].position() + 1, 62);
        bench.settle();

        assertEquals(2, pulls.getAcquire(PULLED_COUNT));
        assertEquals(1, rig.sram.getByte(index));
        assertEquals(2, rig.sram.getByte(index + 1));
        assertEquals(2, rig.sram.getByte(index + 62));
        assertEquals(1, rig.sram.getByte(index + 63));
    }

    /** A channel whose message waits for its own pull still has its doorbell heard. */
    @Test
    void shouldFetchTheRestOfAMessageThatIsBeingSent()
    {
        bench.send(0, 1);
        bench.settle();
        final int length = 32 + PAYLOAD_LENGTH;
        final int index = rig.appenders[0].beginSegments(length);
        final int position = rig.appenders[0].position();
        final int number = bench.account(0, position, new Bench.Sent(0, 0, 1, 0));
        rig.write(index, 0, 1, 0, number, PAYLOAD_LENGTH);
        move(index + 64, length - 64);
        rig.appenders[0].fill(64);
        bench.run(50);
        ask(HostMemory.address(0, SOURCE_OFFSET), position + 64, length - 64);
        bench.run(50);
        final int pulledCount = pulls.getAcquire(PULLED_COUNT);
        rig.appenders[0].publish();
        bench.settle();

        assertEquals(1, pulledCount);
        assertEquals(2, bench.rigs[1].received.size());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 64",                      // Another context, which does not exist.
        "-1, 0, 0, 64", "0, 1000000000, 0, 64", "0, 0, 0, 0", "0, 0, 0, -4", "0, 0, 0, 131073",
        "0, 0, -4, 64",                     // Before the front.
        "0, 0, 131040, 64",                 // Beyond the queue's end.
        "0, 0, 131072, 64", "0, 0, -2147483648, 64"})
    void shouldRefuseAPullThatMustNotBe(
        final int context, final long offset, final int position, final int length)
    {
        rig.sram.setMemory(rig.geometry.queueOffset(0), 2 * QUEUE_LENGTH, (byte)0x5A);

        ask(HostMemory.address(context, offset), position, length);
        bench.send(0, 1, 1, 1, 8);
        bench.settle();
        ask(HostMemory.address(0, 0), 0, 64);
        bench.settle();

        assertEquals(1, pulls.getAcquire(PULL_REFUSED));
        assertEquals(1, pulls.getAcquire(PULLED_COUNT), "nothing more is fetched");
        assertEquals(StopReason.BAD_PULL.code(), rig.registers[0].getAcquire(STATUS));
        assertEquals(0x5A5A_5A5A, rig.sram.getInt(rig.geometry.queueOffset(0)));
        assertEquals(1, bench.rigs[1].received.size(), "the other channel goes on");
        assertEquals(ChannelRegisters.STATUS_RUNNING, rig.registers[1].getAcquire(STATUS));
    }

    @Test
    void shouldRefuseTheMemoryOfAnotherContextThatExists()
    {
        final HostMemory memory = new HostMemory(2);
        memory.attach(0, Buffers.allocate(64));
        memory.attach(1, Buffers.allocate(64));

        assertTrue(memory.isReachable(0, HostMemory.address(0, 0), 64));
        assertEquals(false, memory.isReachable(0, HostMemory.address(1, 0), 64));
    }

    @Test
    void shouldRefuseMorePullsThanThereAreSlots()
    {
        pullCount = 2;
        ask(HostMemory.address(0, 0), 0, 64);
        bench.settle();

        assertEquals(1, pulls.getAcquire(PULL_REFUSED));
        assertEquals(StopReason.BAD_PULL.code(), rig.registers[0].getAcquire(STATUS));
    }

    private void sendPulled(final int payloadLength)
    {
        final int length = 32 + payloadLength;
        final int index = rig.appenders[0].claim(length);
        final int position = rig.appenders[0].position();
        final int number = bench.account(0, position, new Bench.Sent(0, 0, 1, 0));
        rig.write(index, 0, 1, 0, number, payloadLength);
        move(index + 32, payloadLength);
        ask(HostMemory.address(0, SOURCE_OFFSET), position + 32, payloadLength);
        bench.settle();
        rig.appenders[0].publish();
        bench.settle();
    }

    /** The payload stands in host memory only. */
    private void move(final int index, final int length)
    {
        rig.region.putBytes(SOURCE_OFFSET, rig.sram, index, length);
        rig.sram.setMemory(index, length, (byte)0);
    }

    private void ask(final long source, final int position, final int length)
    {
        pulls.askPull(pullCount++, source, position, length);
        new Doorbell(rig.sram, rig.geometry).ring(0);
    }
}
