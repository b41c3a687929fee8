// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.clock.Event;
import org.grim.wire.RemoteMemoryFormat;

/**
 * A packet under way in a {@link Fabric}. As an event it is the arrival of its head at the far end of the link that it
 * takes, or of a copy that a fault made, at the near end. Its bytes stay in one place; what moves are the times at
 * which they would have come.
 * <p>Thread: the fabric's.
 */
final class FabricPacket extends Event
{
    /** A time that is not known yet: the packet is still being fed. */
    static final long UNKNOWN_NS = Long.MAX_VALUE;

    /** Heap that one takes without what it grows: its arrays, its event and itself; nearly. */
    static final int HEAP_LENGTH = 512;

    private static final int CAPACITY_MIN = 64;

    final Fabric fabric;
    final int[] route = new int[Topology.HOP_COUNT_MAX];
    final long[] startNs = new long[Topology.HOP_COUNT_MAX];
    final long[] tailNs = new long[Topology.HOP_COUNT_MAX + 1];      // at the near end of a hop; the last: at the NI
    final Event tailEvent;
    AtomicBuffer buffer = Buffers.wrap(new byte[CAPACITY_MIN]);
    int source;
    int target;
    int hopCount;
    int firstHop;                           // more than 0 for a copy that a fault made at a later hop
    int hop;                                // link that its head waits for or takes
    int startedCount;                       // links that its head has entered
    int length;                             // as announced
    int wireLength;                         // as it travels: less if it was cut
    int fedLength;
    long shownNs;                           // when the receiver could first see it
    long flowNs;                            // when the bytes behind its head begin to come
    boolean isEnveloped;                    // known only while a tap looks
    boolean isCopy;
    boolean isCut;
    boolean isHeld;
    boolean isJudged;
    boolean isDropped;
    boolean isReleased;

    FabricPacket(final Fabric fabric)
    {
        this.fabric = fabric;
        tailEvent = Event.of(() -> fabric.ni(target).tailArrived(this));
    }

    FabricPacket begin(final int newSource, final int newTarget, final int newLength)
    {
        source = newSource;
        target = newTarget;
        length = newLength;
        wireLength = newLength;
        fedLength = 0;
        firstHop = 0;
        hop = 0;
        startedCount = 0;
        tailNs[0] = UNKNOWN_NS;
        isCopy = false;
        isCut = false;
        isHeld = false;
        isJudged = false;
        isDropped = false;
        isReleased = false;
        reserve(newLength);
        return this;
    }

    /** Makes this a copy of a packet that is about to enter a link, as it stands there. */
    void copy(final FabricPacket other)
    {
        begin(other.source, other.target, other.length);
        hopCount = other.hopCount;
        System.arraycopy(other.route, 0, route, 0, hopCount);
        firstHop = other.hop;
        hop = other.hop;
        startedCount = other.hop;
        wireLength = other.wireLength;
        fedLength = other.fedLength;
        isEnveloped = other.isEnveloped;
        isCut = other.isCut;
        buffer.putBytes(0, other.buffer, 0, other.wireLength);
        isCopy = true;
        isJudged = true;
    }

    void feed(final DirectBuffer bytes, final int offset, final int feedLength)
    {
        buffer.putBytes(fedLength, bytes, offset, feedLength);
        fedLength += feedLength;
    }

    /** Whether all bytes that there will be are known. */
    boolean isWhole()
    {
        return tailNs[firstHop] != UNKNOWN_NS;
    }

    boolean isLastHop()
    {
        return hop == hopCount - 1;
    }

    /** Its last byte stands at the near end of its first link, or will; the times at all links that it took follow. */
    void tailKnown(final long timeNs)
    {
        tailNs[firstHop] = timeNs;
        for (int i = firstHop; i < startedCount; i++)
        {
            fabric.link(route[i]).scheduleTail(this, i);
        }
    }

    /** Bytes that its receiver can see. Between head and tail they come evenly. */
    int arrivedLength(final long nowNs)
    {
        final long endNs = tailNs[hopCount];
        final int head = Math.min(RemoteMemoryFormat.JUDGED_LENGTH, wireLength);
        if (nowNs >= endNs)
        {
            return wireLength;
        }
        if (endNs == UNKNOWN_NS || nowNs <= flowNs)
        {
            return head;
        }
        return head + (int)((wireLength - head) * (double)(nowNs - flowNs) / (endNs - flowNs));
    }

    @Override
    protected void run()
    {
        if (isHeld)
        {
            isHeld = false;
            tailKnown(fabric.nowNs());
            fabric.link(route[hop]).enqueue(this);
        }
        else if (isLastHop())
        {
            fabric.ni(target).arrive(this);
        }
        else
        {
            hop++;
            fabric.link(route[hop]).enqueue(this);
        }
    }

    private void reserve(final int capacity)
    {
        if (buffer.capacity() < capacity)
        {
            fabric.packetGrew(BitUtil.findNextPositivePowerOfTwo(capacity) - buffer.capacity());
            buffer = Buffers.wrap(new byte[BitUtil.findNextPositivePowerOfTwo(capacity)]);
        }
    }
}
