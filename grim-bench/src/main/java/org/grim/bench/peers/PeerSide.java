// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.grim.bench.process.BoundedSpin;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.Side;

/** A peer with the code that measures it: the way into this package for {@code SideLoader}, which knows it by name. */
public final class PeerSide implements Side
{
    private final Initiator initiator = new Initiator();
    private final Responder responder = new Responder();
    private final Peer peer;
    private long deliveredCount;

    /**
     * Opens the peer on one side.
     *
     * @param kind        of peer.
     * @param isInitiator whether this is the first process, which makes the files.
     * @param directory   of the files.
     */
    public PeerSide(final PeerKind kind, final boolean isInitiator, final Path directory)
    {
        peer = open(kind, isInitiator, directory, isInitiator ? initiator : responder);
    }

    @Override
    public void connect()
    {
        peer.connect();
    }

    @Override
    public void idle()
    {
        peer.idle();
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        peer.prepare(cell);
        final double figure = initiator.measure(peer, cell, durationNs, control, spin);
        deliveredCount += initiator.sentCount();
        return figure;
    }

    @Override
    public void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        peer.prepare(cell);
        responder.respond(peer, cell, control, spin);
        deliveredCount += responder.receivedCount();
    }

    @Override
    public long deliveredCount()
    {
        return deliveredCount;
    }

    @Override
    public void close()
    {
        peer.close();
    }

    private static Peer open(
        final PeerKind kind, final boolean isInitiator, final Path directory, final MessageReceiver receiver)
    {
        return switch (kind)
        {
            case GRIM -> new GrimPeer(directory, isInitiator, receiver);
            case RAW -> new RawPeer(directory, isInitiator, receiver);
            case COPY_FLAG -> new CopyFlagPeer(directory, isInitiator, receiver);
            case RING -> new RingPeer(directory, isInitiator, receiver);
            case AERON_IPC -> new AeronPeer(directory, isInitiator, receiver);
            case AERON_IPC_DEFAULT -> new AeronDefaultPeer(directory, isInitiator, receiver);
            case ONE_TO_ONE -> new OneToOnePeer(directory, isInitiator, receiver);
            case TCP -> new SocketPeer(directory, isInitiator, true, receiver);
            case UDS -> new SocketPeer(directory, isInitiator, false, receiver);
        };
    }
}
