// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FaultModelTest
{
    private static final LinkTiming TIMING = new LinkTiming(100, 1_000_000_000L, 2);
    private static final double CHANCE = 0.05;
    private static final int COUNT_PER_NI = 1500;

    @Test
    void shouldShowLogAndReplayEveryKind()
    {
        final List<List<Fault>> logs = new ArrayList<>();
        final Run drawn = new Run(11);
        for (int link = 0; link < drawn.topology.linkCount(); link++)
        {
            final List<Fault> log = new ArrayList<>();
            logs.add(log);
            drawn.models.add(model(new RandomStream(11).fork(link)).logTo(log));
        }
        drawn.models.get(1).partition();
        drawn.clock.schedule(new Heal(drawn.models.get(1)), 20_000);
        final Traffic first = drawn.run(false);

        for (final FaultKind kind : FaultKind.values())
        {
            assertTrue(drawn.models.stream().mapToLong(model -> model.count(kind)).sum() > 0, kind.name());
            assertTrue(logs.stream().flatMap(List::stream).anyMatch(fault -> fault.kind() == kind), kind.name());
        }
        final Run replayed = new Run(11);
        logs.forEach(log -> replayed.models.add(FaultModel.replay(log)));
        final Traffic second = replayed.run(false);

        assertTrue(first.spoiltCount() > 0);
        assertTrue(first.disorderCount() > 0);
        assertEquals(first.trace(), second.trace());
    }

    @Test
    void shouldRepeatARunFromItsSeedAlone()
    {
        final String first = drawnRun(3).trace();

        assertEquals(first, drawnRun(3).trace());
        assertNotEquals(first, drawnRun(4).trace());
    }

    @Test
    void shouldKeepOrderBehindEnvelopesWhateverTheFaults()
    {
        for (int seed = 0; seed < 5; seed++)
        {
            final Run run = new Run(seed);
            for (int link = 0; link < run.topology.linkCount(); link++)
            {
                run.models.add(model(new RandomStream(seed).fork(link)));
            }
            final Traffic traffic = run.run(true);

            assertEquals(0, traffic.disorderCount());
            assertEquals(0, traffic.spoiltCount());
            assertTrue(traffic.takenCount() > COUNT_PER_NI && !traffic.isComplete(), "seed " + seed);
        }
    }

    @Test
    void shouldLoseNothingByDelaysAndStalls()
    {
        final Run run = new Run(2);
        for (int link = 0; link < run.topology.linkCount(); link++)
        {
            run.models.add(new FaultModel(new RandomStream(link)).chance(FaultKind.DELAY, CHANCE, 0, 500)
                .chance(FaultKind.STALL, CHANCE / 10, 1000, 50_000));
        }
        final Traffic traffic = run.run(false);

        assertFalse(run.fabric.wire(0).isLossy());
        assertTrue(traffic.isComplete());
        assertEquals(0, traffic.disorderCount());
        assertTrue(run.models.get(0).count(FaultKind.STALL) > 0);
    }

    @Test
    void shouldStopALinkForAWhile()
    {
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric = new Fabric(clock, Topology.backToBack(), TIMING);
        fabric.stall(0, 5000);

        final boolean isSoon = arrives(clock, fabric, fabric.wire(0), MessageType.ACK);
        clock.runUntil(5108);

        assertFalse(isSoon);
        assertTrue(fabric.wire(1).hasPacket());
    }

    @Test
    void shouldForkWithoutRegardToWhatWasDrawn()
    {
        final RandomStream one = new RandomStream(9);
        final RandomStream other = new RandomStream(9);
        other.nextLong();

        assertEquals(one.fork("faults").nextLong(), other.fork("faults").nextLong());
        assertNotEquals(one.fork("faults").nextLong(), one.fork("schedule").nextLong());
        assertNotEquals(one.fork(1).nextLong(), one.fork(2).nextLong());
    }

    @Test
    void shouldAlwaysChangeSomethingWhenItCorrupts()
    {
        final RandomStream random = new RandomStream(8);
        for (int i = 0; i < 20_000; i++)
        {
            final int length = 1 + random.nextInt(40);
            final AtomicBuffer buffer = Buffers.wrap(new byte[length]);
            FaultModel.corrupt(buffer, length, random.nextLong());
            int bits = 0;
            for (int j = 0; j < length; j++)
            {
                bits += Integer.bitCount(buffer.getByte(j) & 0xFF);
            }
            assertTrue(bits >= 1 && bits <= 3);
        }
    }

    @Test
    void shouldRefuseChancesThatAreNone()
    {
        final FaultModel faults = new FaultModel(new RandomStream(1));

        assertThrows(IllegalArgumentException.class, () -> faults.chance(FaultKind.DROP, 1.5, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> faults.chance(FaultKind.DELAY, 0.5, 9, 8));
        assertThrows(IllegalArgumentException.class, () -> faults.chance(FaultKind.PARTITION, 0.5, 0, 0));
        assertEquals(0, faults.packetCount());
    }

    private static FaultModel model(final RandomStream random)
    {
        return new FaultModel(random).chance(FaultKind.DROP, CHANCE, 0, 0).chance(FaultKind.REPEAT, CHANCE, 0, 5000)
            .chance(FaultKind.REORDER, CHANCE, 1, 5000).chance(FaultKind.CORRUPT, CHANCE, 0, 0)
            .chance(FaultKind.TRUNCATE, CHANCE, 0, 0).chance(FaultKind.DELAY, CHANCE, 0, 1000)
            .chance(FaultKind.STALL, CHANCE / 10, 1000, 20_000);
    }

    private static Traffic drawnRun(final long seed)
    {
        final Run run = new Run(seed);
        for (int link = 0; link < run.topology.linkCount(); link++)
        {
            run.models.add(model(new RandomStream(seed).fork(link)));
        }
        return run.run(false);
    }

    private static boolean arrives(
        final VirtualClock clock, final Fabric fabric, final Wire wire, final MessageType type)
    {
        final AtomicBuffer buffer = Buffers.wrap(new byte[ControlMessage.LENGTH]);
        new ControlMessage().wrap(buffer, 0).put(type, 1, 2, 3, 4);
        wire.begin(1, ControlMessage.LENGTH);
        wire.feed(buffer, 0, ControlMessage.LENGTH);
        clock.runUntil(clock.nowNs() + 1000);
        final boolean hasArrived = fabric.wire(1).hasPacket();
        if (hasArrived)
        {
            fabric.wire(1).release();
        }
        return hasArrived;
    }

    private static final class Run
    {
        private final VirtualClock clock = new VirtualClock();
        private final Topology topology = Topology.leafSpine(2, 2, 1);
        private final Fabric fabric = new Fabric(clock, topology, TIMING);
        private final List<FaultModel> models = new ArrayList<>();
        private final RandomStream random;

        Run(final long seed)
        {
            random = new RandomStream(seed).fork("traffic");
        }

        Traffic run(final boolean isEnveloped)
        {
            final List<Wire> wires = new ArrayList<>();
            for (int link = 0; link < topology.linkCount(); link++)
            {
                fabric.faults(link, models.get(link));
            }
            for (int ni = 0; ni < topology.niCount(); ni++)
            {
                final Wire raw = fabric.wire(ni);
                wires.add(isEnveloped ? new EnvelopeWire(raw, ni, 1, 512) : raw);
            }
            final Traffic traffic = new Traffic(clock, fabric, random, COUNT_PER_NI, 300);
            traffic.run(wires);
            return traffic;
        }
    }

    private static final class Heal extends Event
    {
        private final FaultModel model;

        Heal(final FaultModel model)
        {
            this.model = model;
        }

        @Override
        protected void run()
        {
            model.heal();
        }
    }
}
