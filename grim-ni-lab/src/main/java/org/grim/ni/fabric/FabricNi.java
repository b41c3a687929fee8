// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayDeque;
import java.util.Deque;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Wire;
import org.grim.wire.RemoteMemoryFormat;

/** One NI's ends of its links in a {@link Fabric}. Thread: the fabric's. */
final class FabricNi implements Wire
{
    private final Fabric fabric;
    private final int number;
    private final Deque<FabricPacket> arrivals = new ArrayDeque<>(2);
    private Runnable wake = () -> { };          // Until a wake-up is set, the NI is polled.
    private FabricPacket outgoing;
    private boolean isFeeding;

    FabricNi(final Fabric fabric, final int number)
    {
        this.fabric = fabric;
        this.number = number;
    }

    void onWake(final Runnable newWake)
    {
        wake = newWake;
    }

    @Override
    public boolean isLossy()
    {
        return fabric.isLossy();
    }

    @Override
    public boolean isIdle()
    {
        return outgoing == null;
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        if (outgoing != null)
        {
            throw new IllegalStateException("the packet before has not left");
        }
        if (destinationNi < 0 || destinationNi >= fabric.topology().niCount() || packetLength < 1)
        {
            throw new IllegalArgumentException("destination NI=" + destinationNi + " is outside 0 to " +
                (fabric.topology().niCount() - 1) + ", or packet length=" + packetLength + " less than 1");
        }
        outgoing = fabric.take().begin(number, destinationNi, packetLength);
        outgoing.hopCount = fabric.topology().route(number, destinationNi, outgoing.route);
        isFeeding = true;
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (!isFeeding || length < 0 || length > outgoing.length - outgoing.fedLength)
        {
            throw new IllegalStateException("fed length=" + length + " exceeds what is missing of the packet");
        }
        final FabricPacket packet = outgoing;
        final int headLength = Math.min(RemoteMemoryFormat.JUDGED_LENGTH, packet.length);
        final boolean wasHeadFed = packet.fedLength >= headLength;
        packet.feed(source, offset, length);
        final boolean isComplete = packet.fedLength == packet.length;
        if (isComplete)
        {
            endFeeding(packet);
        }
        if (!wasHeadFed && packet.fedLength >= headLength)
        {
            fabric.link(packet.route[0]).enqueue(packet);
        }
        else if (isComplete)
        {
            fabric.link(packet.route[packet.hop]).tryStart();        // A link with faults waits for the whole packet.
        }
    }

    @Override
    public void abort()
    {
        if (!isFeeding)
        {
            throw new IllegalStateException("no packet is being fed");
        }
        final FabricPacket packet = outgoing;
        final boolean wasHeadFed = packet.fedLength >= RemoteMemoryFormat.JUDGED_LENGTH;
        packet.wireLength = packet.fedLength;
        packet.isCut = true;
        endFeeding(packet);
        if (wasHeadFed)
        {
            fabric.link(packet.route[packet.hop]).tryStart();
        }
        else
        {
            fabric.link(packet.route[0]).enqueue(packet);
        }
    }

    @Override
    public boolean hasPacket()
    {
        return !arrivals.isEmpty();
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
        return arrivals.element().arrivedLength(fabric.nowNs());
    }

    @Override
    public boolean isCut()
    {
        return arrivals.element().isCut && hasTail(arrivals.element());
    }

    @Override
    public void release()
    {
        if (arrivals.isEmpty())
        {
            throw new IllegalStateException("no packet to release");
        }
        final FabricPacket packet = arrivals.remove();
        packet.isReleased = true;
        if (!packet.tailEvent.isScheduled() && hasTail(packet))
        {
            free(packet);
        }                                   // else its tail event does
    }

    void arrive(final FabricPacket packet)
    {
        arrivals.add(packet);
        wake.run();
    }

    void tailArrived(final FabricPacket packet)
    {
        fabric.tapArrived(packet);
        if (packet.isReleased)
        {
            free(packet);
        }
        else
        {
            wake.run();
        }
    }

    void packetLeft()
    {
        outgoing = null;
        wake.run();
    }

    private void endFeeding(final FabricPacket packet)
    {
        isFeeding = false;
        fabric.tapSent(packet);
        packet.tailKnown(fabric.nowNs());
    }

    private boolean hasTail(final FabricPacket packet)
    {
        return fabric.nowNs() >= packet.tailNs[packet.hopCount];
    }

    private void free(final FabricPacket packet)
    {
        final FabricLink link = fabric.link(packet.route[packet.hopCount - 1]);
        fabric.give(packet);
        link.bufferFreed();
    }
}
