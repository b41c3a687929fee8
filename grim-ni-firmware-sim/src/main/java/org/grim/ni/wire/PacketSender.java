// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.SendEngine;
import org.grim.transport.TransportContext;

/**
 * The sending half of a wire: one packet at a time, into the ring to its destination, or into this process's memory
 * while that ring is full.
 * <p>Thread: the board's stepper. Owns: the ring of the board to itself. Allocates that, and otherwise nothing.
 */
final class PacketSender implements SendEngine, AutoCloseable
{
    private final TransportContext node;
    private final int ringLength;
    private final int packetLengthMax;
    private final InboundRings rings;
    private final WirePeers peers;
    private final AtomicBuffer staging;
    private RingWriter writerToSelf;

    private Sending sending = Sending.NOTHING;
    private WirePeer target;                // null: this board itself
    private int targetIncarnation;
    private RingWriter writer;
    private int packetLength;
    private int fedLength;
    private boolean isFed;

    /** Outcome of the packet that is fed. */
    private enum Sending
    {
        /** No packet. */
        NOTHING,
        /** The packet stands in the peer's ring. */
        RING,
        /** Its ring has no room: it waits in this process's memory. */
        STAGED,
        /** Its destination cannot be reached. */
        SWALLOWED
    }

    PacketSender(
        final TransportContext node, final int ringLength, final int packetLengthMax, final InboundRings rings,
        final WirePeers peers)
    {
        this.node = node;
        this.ringLength = ringLength;
        this.packetLengthMax = packetLengthMax;
        this.rings = rings;
        this.peers = peers;
        staging = Buffers.allocate(packetLengthMax);
    }

    /** Gives up the packet that is being fed. */
    @Override
    public void close()
    {
        if (sending == Sending.RING && isTargetThere())
        {
            abort();
        }
    }

    /** A packet that waits for room, or whose destination went, moves on if it can. */
    boolean tryMoveOn()
    {
        if (sending == Sending.STAGED)
        {
            unstage();
            return sending != Sending.STAGED;
        }
        return false;
    }

    @Override
    public boolean isIdle()
    {
        tryMoveOn();
        return sending == Sending.NOTHING;
    }

    @Override
    public void begin(final int destinationNi, final int newPacketLength)
    {
        if (sending != Sending.NOTHING)
        {
            throw new IllegalStateException("the packet before has not left");
        }
        if (newPacketLength < 1 || newPacketLength > packetLengthMax)
        {
            throw new IllegalArgumentException("packet length=" + newPacketLength + " is outside 1 to " +
                packetLengthMax);
        }
        packetLength = newPacketLength;
        fedLength = 0;
        isFed = false;
        if (destinationNi == node.membership().self())
        {
            target = null;
            writer = writerToSelf();
        }
        else
        {
            target = peers.reachable(destinationNi);
            if (target == null)
            {
                sending = Sending.SWALLOWED;
                return;
            }
            targetIncarnation = target.incarnation;
            writer = target.outbound();
        }
        sending = Sending.STAGED;
        unstage();
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (sending == Sending.NOTHING || isFed || length < 0 || length > packetLength - fedLength)
        {
            throw new IllegalStateException("fed length=" + length + " exceeds what is missing of the packet");
        }
        tryMoveOn();
        if (sending == Sending.RING)
        {
            feedRing(source, offset, length);
        }
        else if (sending == Sending.STAGED)
        {
            staging.putBytes(fedLength, source, offset, length);
        }
        fedLength += length;
        if (fedLength == packetLength)
        {
            end();
        }
    }

    @Override
    public void abort()
    {
        if (sending == Sending.NOTHING || isFed)
        {
            throw new IllegalStateException("no packet is being fed");
        }
        if (sending == Sending.RING && isTargetThere())
        {
            writer.abort();
            wakeTarget();
        }
        end();
    }

    private RingWriter writerToSelf()
    {
        if (writerToSelf == null)
        {
            final AtomicBuffer buffer = Buffers.allocate(RingDescriptor.DATA_OFFSET + ringLength);
            RingDescriptor.initialise(buffer, RingDescriptor.firstPosition(node.firstPosition()));
            writerToSelf = new RingWriter(buffer);
            rings.add(new InboundRing(node.membership().self(), buffer, null, packetLengthMax));
        }
        return writerToSelf;
    }

    /** Moves the packet into its ring if there is room by now. */
    private void unstage()
    {
        if (!isTargetThere())
        {
            swallow();
        }
        else if (writer.tryBegin(packetLength))
        {
            sending = Sending.RING;
            if (fedLength > 0)
            {
                feedRing(staging, 0, fedLength);
            }
            if (isFed)
            {
                if (fedLength < packetLength)
                {
                    writer.abort();
                    wakeTarget();
                }
                sending = Sending.NOTHING;
            }
        }
        else if (target != null && writer.isStopped())
        {
            peers.stopped(target);
            sending = isFed ? Sending.NOTHING : Sending.SWALLOWED;
        }
    }

    private void feedRing(final DirectBuffer source, final int offset, final int length)
    {
        if (isTargetThere())
        {
            writer.feed(source, offset, length);
            wakeTarget();
        }
        else
        {
            swallow();
        }
    }

    /** False if housekeeping has found the target gone and unmapped its ring. */
    private boolean isTargetThere()
    {
        return target == null || target.isConnected();
    }

    private void wakeTarget()
    {
        if (target != null)
        {
            target.wake();
        }
    }

    private void swallow()
    {
        peers.swallowed(target, targetIncarnation);
        sending = isFed ? Sending.NOTHING : Sending.SWALLOWED;
    }

    private void end()
    {
        isFed = true;
        if (sending != Sending.STAGED)
        {
            sending = Sending.NOTHING;
        }
    }
}
