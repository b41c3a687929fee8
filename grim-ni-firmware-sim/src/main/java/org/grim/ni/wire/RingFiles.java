// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Makes and maps the files of wires. They belong to the incarnation of the receiving board's node, and go with it at
 * the latest.
 * <p>Thread: the board's stepper.
 */
final class RingFiles
{
    private static final String WIRE_KIND = "wire";

    private final TransportContext node;
    private final Membership membership;
    private final int ringLength;
    private final int packetLengthMax;
    private final UnaryOperator<AtomicBuffer> access;
    private GrimException lastFailure;

    RingFiles(
        final TransportContext node, final int ringLength, final int packetLengthMax,
        final UnaryOperator<AtomicBuffer> access)
    {
        this.node = node;
        this.ringLength = ringLength;
        this.packetLengthMax = packetLengthMax;
        this.access = access;
        membership = node.membership();
    }

    /** The file that peers find this board by. */
    WireFile createWire()
    {
        return WireFile.create(node.nodeFile(membership.self(), membership.incarnation(), WIRE_KIND), access);
    }

    /** Makes the ring to a peer and calls it. False: the system or the peer's file refuses; nothing is left behind. */
    boolean tryConnect(final WirePeer peer)
    {
        WireFile wire = null;
        MappedFile file = null;
        try
        {
            wire = WireFile.open(node.nodeFile(peer.ni, peer.incarnation, WIRE_KIND), access);
            file = MappedFile.create(
                ringPath(peer.ni, peer.incarnation, membership.self(), membership.incarnation()),
                RingDescriptor.DATA_OFFSET + (long)ringLength);
            final AtomicBuffer buffer = access.apply(file.buffer());
            RingDescriptor.initialise(buffer, RingDescriptor.firstPosition(node.firstPosition()));
            file.publish();
            peer.connected(new RingWriter(buffer), file, wire);
        }
        catch (final GrimException ex)
        {
            lastFailure = ex;
            close(wire, file);
            return false;
        }
        wire.call(membership.self());
        peer.wake();
        return true;
    }

    /** Maps the ring that a sender made; null: there is none that makes sense. */
    InboundRing tryMap(final int ni, final int incarnation)
    {
        try
        {
            // File of the previous incarnation, if that died before it was heard.
            MappedFile.delete(ringPath(membership.self(), membership.incarnation(), ni, incarnation - 1));
            final MappedFile file = MappedFile.open(
                ringPath(membership.self(), membership.incarnation(), ni, incarnation),
                RingDescriptor.MAGIC, RingDescriptor.DATA_OFFSET, true);
            if (!RingDescriptor.isRingLength(file.buffer().capacity() - RingDescriptor.DATA_OFFSET, packetLengthMax))
            {
                lastFailure = new GrimException(BAD_DATA,
                    file.path() + " is no ring: length=" + file.buffer().capacity());
                file.close();
                return null;
            }
            return new InboundRing(ni, access.apply(file.buffer()), file, packetLengthMax);
        }
        catch (final GrimException ex)
        {
            lastFailure = ex;
            return null;
        }
    }

    GrimException lastFailure()
    {
        return lastFailure;
    }

    private Path ringPath(
        final int receiver, final int receiverIncarnation, final int sender, final int senderIncarnation)
    {
        return node.nodeFile(receiver, receiverIncarnation, WIRE_KIND + "-" + sender + "-" + senderIncarnation);
    }

    private static void close(final WireFile wire, final MappedFile file)
    {
        if (file != null)
        {
            file.close();
        }
        if (wire != null)
        {
            wire.close();
        }
    }
}
