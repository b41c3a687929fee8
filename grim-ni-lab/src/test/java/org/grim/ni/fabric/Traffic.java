// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;

/**
 * All NIs of a fabric send numbered packets of random lengths to random ones, and take what comes at random moments.
 * Keeps account of what came, per pair.
 */
final class Traffic
{
    private static final int LENGTH_MIN = 16;

    private final VirtualClock clock;
    private final Fabric fabric;
    private final RandomStream random;
    private final int countPerNi;
    private final int lengthMax;
    private final int[][] sent;
    private final int[][] next;
    private final StringBuilder trace = new StringBuilder();
    private long takenCount;
    private long disorderCount;
    private long spoiltCount;

    Traffic(
        final VirtualClock clock, final Fabric fabric, final RandomStream random, final int countPerNi,
        final int lengthMax)
    {
        this.clock = clock;
        this.fabric = fabric;
        this.random = random;
        this.countPerNi = countPerNi;
        this.lengthMax = lengthMax;
        final int niCount = fabric.topology().niCount();
        sent = new int[niCount][niCount];
        next = new int[niCount][niCount];
    }

    /** On the fabric's own wires. */
    void run()
    {
        final List<Wire> wires = new ArrayList<>();
        for (int i = 0; i < sent.length; i++)
        {
            wires.add(fabric.wire(i));
        }
        run(wires);
    }

    /** Until nothing happens any more. */
    void run(final List<Wire> wires)
    {
        for (int i = 0; i < sent.length; i++)
        {
            final Station station = new Station(i, wires.get(i));
            fabric.onWake(i, station::wake);
            station.wake();
        }
        while (clock.runNext())
        {
            if (clock.nowNs() > 60_000_000_000L)
            {
                throw new IllegalStateException("the fabric does not come to rest");
            }
        }
    }

    boolean isComplete()
    {
        return takenCount == (long)countPerNi * sent.length && spoiltCount == 0;
    }

    long takenCount()
    {
        return takenCount;
    }

    /** Packets that were not later than all before of their pair, or, on a fabric that must not lose, not the next. */
    long disorderCount()
    {
        return disorderCount;
    }

    long spoiltCount()
    {
        return spoiltCount;
    }

    String trace()
    {
        return trace.toString();
    }

    private final class Station extends Event
    {
        private final int ni;
        private final Wire wire;
        private final RandomStream choices;
        private final AtomicBuffer packet = Buffers.wrap(new byte[lengthMax]);
        private int sentCount;

        Station(final int ni, final Wire wire)
        {
            this.ni = ni;
            this.wire = wire;
            choices = random.fork(ni);
        }

        void wake()
        {
            if (!isScheduled())
            {
                clock.schedule(this, clock.nowNs() + choices.nextInt(200));
            }
        }

        @Override
        protected void run()
        {
            if (wire.hasPacket() && (wire.isCut() || wire.arrivedLength() == wire.length()))
            {
                take();
                wake();
            }
            if (sentCount < countPerNi && wire.isIdle())
            {
                send();
                wake();
            }
        }

        private void send()
        {
            final int target = choices.nextInt(sent.length);
            final int length = LENGTH_MIN + choices.nextInt(lengthMax - LENGTH_MIN + 1);
            packet.setMemory(0, length, (byte)length);
            packet.putInt(0, ni);
            packet.putInt(4, sent[ni][target]++);
            packet.putInt(8, length);
            wire.begin(target, length);
            final int firstLength = choices.nextInt(length + 1);
            wire.feed(packet, 0, firstLength);
            if (firstLength < length)
            {
                wire.feed(packet, firstLength, length - firstLength);
            }
            sentCount++;
        }

        private void take()
        {
            final DirectBuffer buffer = wire.buffer();
            final int offset = wire.offset();
            final int length = wire.length();
            boolean isSpoilt = wire.isCut() || buffer.getInt(offset + 8) != length;
            for (int i = 12; i < length && !isSpoilt; i++)
            {
                isSpoilt = buffer.getByte(offset + i) != (byte)length;
            }
            final int source = isSpoilt ? 0 : buffer.getInt(offset);
            if (isSpoilt || source < 0 || source >= sent.length)
            {
                spoiltCount++;
            }
            else
            {
                final int number = buffer.getInt(offset + 4);
                if (wire.isLossy() ? number < next[source][ni] : number != next[source][ni])
                {
                    disorderCount++;
                }
                next[source][ni] = Math.max(next[source][ni], number + 1);
                trace.append(clock.nowNs()).append(' ').append(source).append('>').append(ni).append(' ')
                    .append(number).append('\n');
            }
            takenCount++;
            wire.release();
        }
    }
}
