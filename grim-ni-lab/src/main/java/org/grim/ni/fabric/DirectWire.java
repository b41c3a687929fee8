// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Wire;
import org.grim.wire.RemoteMemoryFormat;

/**
 * One NI of a {@link DirectFabric}. Its arrivals are a ring; behind the ring wait the senders that found it full, each
 * with the one packet that it may have out. A sender waits as long as {@link #isWaiting}, and is not idle meanwhile:
 * that is the back pressure.
 * <p>Thread: the fabric's.
 */
final class DirectWire implements Wire
{

    private final DirectFabric fabric;
    private final DirectPacket[] arrivals;
    private int arrivalIndex;
    private int arrivalCount;
    private DirectWire firstWaiter;
    private DirectWire lastWaiter;

    private DirectPacket packet;            // the packet that this NI feeds, or whose room it waits for; null if idle
    private DirectWire nextWaiter;
    private boolean isFeeding;
    private boolean isWaiting;

    DirectWire(final DirectFabric fabric, final int packetCount)
    {
        this.fabric = fabric;
        arrivals = new DirectPacket[packetCount];
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
        if (target.arrivalCount < target.arrivals.length)
        {
            target.arrive(packet);
        }
        else
        {
            target.await(this);
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
        if (arrivalCount == 0)
        {
            return false;
        }
        final DirectPacket oldest = arrivals[arrivalIndex];
        return oldest.arrivedLength >= RemoteMemoryFormat.JUDGED_LENGTH || oldest.isEnded();
    }

    @Override
    public DirectBuffer buffer()
    {
        return arrivals[arrivalIndex].buffer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public int length()
    {
        return arrivals[arrivalIndex].length;
    }

    @Override
    public int arrivedLength()
    {
        return arrivals[arrivalIndex].arrivedLength;
    }

    @Override
    public boolean isCut()
    {
        return arrivals[arrivalIndex].isCut;
    }

    @Override
    public void release()
    {
        if (arrivalCount == 0)
        {
            throw new IllegalStateException("no packet to release");
        }
        final DirectPacket oldest = arrivals[arrivalIndex];
        arrivals[arrivalIndex] = null;
        arrivalIndex = arrivalIndex + 1 == arrivals.length ? 0 : arrivalIndex + 1;
        arrivalCount--;
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

    private void arrive(final DirectPacket arrival)
    {
        final int index = arrivalIndex + arrivalCount++;
        arrivals[index < arrivals.length ? index : index - arrivals.length] = arrival;
    }

    private void await(final DirectWire sender)
    {
        sender.isWaiting = true;
        if (firstWaiter == null)
        {
            firstWaiter = sender;
        }
        else
        {
            lastWaiter.nextWaiter = sender;
        }
        lastWaiter = sender;
    }

    private void admitWaiter()
    {
        final DirectWire sender = firstWaiter;
        if (sender != null)
        {
            firstWaiter = sender.nextWaiter;
            sender.nextWaiter = null;
            sender.isWaiting = false;
            arrive(sender.packet);
            if (!sender.isFeeding)
            {
                sender.leave();
            }
        }
    }
}
