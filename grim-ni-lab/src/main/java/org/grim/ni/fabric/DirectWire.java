// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayDeque;
import java.util.Deque;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Wire;
import org.grim.wire.RemoteMemoryFormat;

/**
 * One NI of a {@link DirectFabric}. Behind its arrivals wait the senders that found no room for theirs, each
 * with the one packet that it may have out. A sender waits as long as {@link #isWaiting}, and is not idle meanwhile:
 * that is the back pressure.
 * <p>Thread: the fabric's.
 */
final class DirectWire implements Wire
{

    private final DirectFabric fabric;
    private final int packetCount;
    private final Deque<DirectPacket> arrivals;
    private final Deque<DirectWire> waiters;

    private DirectPacket packet;            // the packet that this NI feeds, or whose room it waits for; null if idle
    private boolean isFeeding;
    private boolean isWaiting;

    DirectWire(final DirectFabric fabric, final int niCount, final int packetCount)
    {
        this.fabric = fabric;
        this.packetCount = packetCount;
        arrivals = new ArrayDeque<>(packetCount);
        waiters = new ArrayDeque<>(niCount);
    }

    @Override
    public boolean isLossy()
    {
        return false;
    }

    @Override
    public boolean isIdle()
    {
        return packet == null;
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        if (packet != null)
        {
            throw new IllegalStateException("the packet before has not left");
        }
        final DirectWire target = fabric.target(destinationNi);
        packet = fabric.take(packetLength);
        isFeeding = true;
        if (target.arrivals.size() < target.packetCount)
        {
            target.arrivals.add(packet);
        }
        else
        {
            isWaiting = true;
            target.waiters.add(this);
        }
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (!isFeeding || length < 0 || length > packet.length - packet.arrivedLength)
        {
            throw new IllegalStateException("fed length=" + length + " exceeds what is missing of the packet");
        }
        packet.append(source, offset, length);
        if (packet.arrivedLength == packet.length)
        {
            endFeeding();
        }
    }

    @Override
    public void abort()
    {
        if (!isFeeding)
        {
            throw new IllegalStateException("no packet is being fed");
        }
        packet.isCut = true;
        endFeeding();
    }

    @Override
    public boolean hasPacket()
    {
        final DirectPacket oldest = arrivals.peek();
        return oldest != null && (oldest.arrivedLength >= RemoteMemoryFormat.JUDGED_LENGTH || oldest.isEnded());
    }

    @Override
    public DirectBuffer buffer()
    {
        return arrivals.element().buffer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public int length()
    {
        return arrivals.element().length;
    }

    @Override
    public int arrivedLength()
    {
        return arrivals.element().arrivedLength;
    }

    @Override
    public boolean isCut()
    {
        return arrivals.element().isCut;
    }

    @Override
    public void release()
    {
        if (arrivals.isEmpty())
        {
            throw new IllegalStateException("no packet to release");
        }
        final DirectPacket oldest = arrivals.remove();
        oldest.isReleased = true;
        if (oldest.isEnded())
        {
            fabric.give(oldest);
        }                                   // else its sender goes on feeding it, and gives it back at its end
        admitWaiter();
    }

    private void endFeeding()
    {
        isFeeding = false;
        if (!isWaiting)
        {
            leave();
        }
    }

    private void leave()
    {
        if (packet.isReleased)
        {
            fabric.give(packet);
        }
        packet = null;
    }

    private void admitWaiter()
    {
        final DirectWire sender = waiters.poll();
        if (sender != null)
        {
            sender.isWaiting = false;
            arrivals.add(sender.packet);
            if (!sender.isFeeding)
            {
                sender.leave();
            }
        }
    }
}
