// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayDeque;
import java.util.Deque;

import org.grim.ni.clock.Event;
import org.grim.wire.RemoteMemoryFormat;

/**
 * One direction of a cable, with the output port before it and the buffers behind it. Packets enter it in the order in
 * which their heads came to the port, each when the link is free and a whole packet's buffer behind it, too (virtual
 * cut-through). As an event it is the moment when the tail has left the near end.
 * <p>Thread: the fabric's.
 */
final class FabricLink extends Event
{
    /** Bytes that a switch must have received to forward a packet: its route. */
    private static final int ROUTE_LENGTH = 8;

    private final Fabric fabric;
    private final LinkTiming timing;
    private final Event stallEnd = Event.of(this::tryStart);
    private final Deque<FabricPacket> waiters = new ArrayDeque<>(2);
    private FaultModel faults;
    private FabricPacket current;
    private int currentHop;
    private int freeCount;
    private long stallEndNs;

    FabricLink(final Fabric fabric, final LinkTiming timing)
    {
        this.fabric = fabric;
        this.timing = timing;
        freeCount = timing.packetCount();
    }

    void faults(final FaultModel newFaults)
    {
        faults = newFaults;
    }

    void stallUntil(final long timeNs)
    {
        stallEndNs = Math.max(stallEndNs, timeNs);
        fabric.clock().reschedule(stallEnd, stallEndNs);
    }

    void enqueue(final FabricPacket packet)
    {
        waiters.add(packet);
        tryStart();
    }

    void bufferFreed()
    {
        freeCount++;
        tryStart();
    }

    /** Starts what waits longest, if everything that it needs is there. */
    void tryStart()
    {
        final FabricPacket packet = waiters.peek();
        if (packet == null || current != null || freeCount == 0 || fabric.nowNs() < stallEndNs ||
            (faults != null && !packet.isWhole()))
        {
            return;
        }
        if (faults != null && !packet.isJudged)
        {
            judge(packet);
            if (fabric.nowNs() < stallEndNs)
            {
                return;                     // It has its faults, and leaves when the stall ends.
            }
        }
        if (faults != null && packet.isCopy && packet.hop == packet.firstHop)
        {
            packet.isDropped = faults.isCopyLost();
        }
        waiters.remove();
        packet.isJudged = packet.isCopy;    // The next link judges it again; copies are spared.
        start(packet);
    }

    /** The tail of a packet will leave once it has come, and not faster than the link carries it. */
    void scheduleTail(final FabricPacket packet, final int hop)
    {
        final long leaveNs =
            Math.max(packet.startNs[hop] + timing.transmissionNs(packet.wireLength), packet.tailNs[hop]);
        packet.tailNs[hop + 1] = leaveNs + timing.latencyNs();
        fabric.clock().schedule(this, leaveNs);
        if (hop == packet.hopCount - 1 && !packet.isDropped)
        {
            // No byte is seen sooner after its feeding than the head was.
            packet.flowNs = Math.max(packet.shownNs,
                packet.tailNs[packet.firstHop] + packet.shownNs - packet.startNs[packet.firstHop]);
            fabric.clock().schedule(packet.tailEvent, packet.tailNs[hop + 1]);
        }
    }

    @Override
    protected void run()
    {
        final FabricPacket packet = current;
        final int hop = currentHop;          // The calls below may start the next packet.
        current = null;
        if (hop > packet.firstHop)
        {
            fabric.link(packet.route[hop - 1]).bufferFreed();
        }
        else if (!packet.isCopy)
        {
            fabric.ni(packet.source).packetLeft();
        }
        if (packet.isDropped && packet.hop == hop)     // A later link may have dropped its head already.
        {
            fabric.give(packet);
            freeCount++;
        }
        tryStart();
    }

    private void start(final FabricPacket packet)
    {
        final int hop = packet.hop;
        final long nowNs = fabric.nowNs();
        current = packet;
        currentHop = hop;
        freeCount--;
        packet.startNs[hop] = nowNs;
        packet.tailNs[hop + 1] = FabricPacket.UNKNOWN_NS;
        packet.startedCount = hop + 1;
        final int headLength = packet.isLastHop() ? RemoteMemoryFormat.JUDGED_LENGTH : ROUTE_LENGTH;
        final long headNs =
            nowNs + timing.latencyNs() + timing.transmissionNs(Math.min(headLength, packet.wireLength));
        if (packet.isLastHop())
        {
            packet.shownNs = headNs;
            packet.flowNs = headNs;
        }
        if (!packet.isDropped)
        {
            fabric.clock().schedule(packet, headNs);
        }
        if (packet.tailNs[hop] != FabricPacket.UNKNOWN_NS)
        {
            scheduleTail(packet, hop);
        }
    }

    private void judge(final FabricPacket packet)
    {
        packet.isJudged = true;
        faults.judge();
        if (faults.has(FaultKind.TRUNCATE) && packet.wireLength > 0)
        {
            packet.isCut = true;
            packet.wireLength = FaultModel.truncated(packet.wireLength, faults.parameter(FaultKind.TRUNCATE));
        }
        if (faults.has(FaultKind.REPEAT))
        {
            sendCopy(packet, faults.parameter(FaultKind.REPEAT));
        }
        if (faults.has(FaultKind.CORRUPT) && packet.wireLength > 0)
        {
            FaultModel.corrupt(packet.buffer, packet.wireLength, faults.parameter(FaultKind.CORRUPT));
        }
        if (faults.has(FaultKind.DROP) || faults.has(FaultKind.PARTITION))
        {
            packet.isDropped = true;
        }
        else if (faults.has(FaultKind.REORDER))
        {
            sendCopy(packet, faults.parameter(FaultKind.REORDER));
            packet.isDropped = true;
        }
        if (faults.has(FaultKind.DELAY))
        {
            stallUntil(fabric.nowNs() + faults.parameter(FaultKind.DELAY));
        }
        if (faults.has(FaultKind.STALL))
        {
            stallUntil(fabric.nowNs() + faults.parameter(FaultKind.STALL));
        }
        fabric.tapFaults(packet, faults);
    }

    private void sendCopy(final FabricPacket packet, final long delayNs)
    {
        final FabricPacket copy = fabric.take();
        copy.copy(packet);
        copy.isHeld = true;
        fabric.clock().schedule(copy, fabric.nowNs() + delayNs);
    }
}
