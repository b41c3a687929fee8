// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.Side;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.remote.CopyAccess;
import org.grim.bench.peers.remote.MemoryAccess;
import org.grim.bench.peers.remote.RemotePeer;
import org.grim.bench.peers.remote.RemoteTransport;
import org.grim.bench.process.BoundedSpin;

/** A peer with the code that measures it: the way into this package for {@code SideLoader}, which knows it by name. */
public final class PeerSide implements Side
{
    private final Initiator initiator = new Initiator();
    private final Responder responder = new Responder();
    private final Peer peer;
    private final CopyAccess copy;
    private final MemoryAccess access;
    private long deliveredCount;

    /**
     * Opens the peer on one side.
     *
     * @param kind        of peer.
     * @param isInitiator whether this is the first process, which makes the files.
     * @param directory   of the files.
     * @param sizeMax     most payload bytes.
     */
    public PeerSide(final PeerKind kind, final boolean isInitiator, final Path directory, final int sizeMax)
    {
        if (kind.isCopy())
        {
            peer = null;
            copy = new CopyAccess(kind == PeerKind.COPY_MEMORY ? null : directory.resolve(kind.label()), sizeMax);
            access = copy;
        }
        else
        {
            peer = open(kind, isInitiator, directory, sizeMax, isInitiator ? initiator : responder);
            copy = null;
            access = peer instanceof MemoryAccess memory ? memory : null;
        }
    }

    @Override
    public void connect()
    {
        if (peer != null)
        {
            peer.connect();
        }
    }

    @Override
    public void idle()
    {
        if (peer != null)
        {
            peer.idle();
        }
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        if (peer == null)
        {
            final double copied = initiator.measureCopies(access, cell, durationNs, spin);
            deliveredCount += initiator.accessCount();
            return copied;
        }
        peer.prepare(cell);
        final double figure = access != null && !cell.benchmark().isPingPong() ?
            initiator.measureAccess(peer, access, cell, durationNs, control, spin) :
            initiator.measure(peer, cell, durationNs, control, spin);
        deliveredCount += initiator.sentCount();
        if (cell.isVerified() && cell.benchmark() == Benchmark.GET_LATENCY)
        {
            deliveredCount += initiator.times().getTotalCount();
        }
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
    public Histogram times()
    {
        return initiator.times();
    }

    @Override
    public void close()
    {
        if (peer != null)
        {
            peer.close();
        }
        if (copy != null)
        {
            copy.close();
        }
    }

    static Peer open(
        final PeerKind kind, final boolean isInitiator, final Path directory, final int sizeMax,
        final MessageReceiver receiver)
    {
        return switch (kind)
        {
            case GRIM -> slowed(isInitiator, new GrimPeer(directory, kind.label(), isInitiator, false,
                config -> NodeSettings.over("shmem", config, sizeMax), receiver));
            case GRIM_MYRINET -> new GrimPeer(directory, kind.label(), isInitiator, false,
                config -> NodeSettings.boards(config, sizeMax, NodeSettings.TAIL_FLAG), receiver);
            case GRIM_MYRINET_POINTER -> new GrimPeer(directory, kind.label(), isInitiator, false,
                config -> NodeSettings.boards(config, sizeMax, NodeSettings.QUEUE_POINTER), receiver);
            case GRIM_NULL -> new GrimPeer(directory, kind.label(), isInitiator, true,
                config -> NodeSettings.over("null", config, sizeMax), receiver);
            case GRIM_RM_P, GRIM_RM_V -> new RemotePeer(directory, kind.label(), kind.isPhysical(), isInitiator,
                sizeMax, new RemoteTransport(
                    config -> config.toBuilder().transports("shmem").build(), false, false), receiver);
            case GRIM_MYRINET_RM_P, GRIM_MYRINET_RM_V -> new RemotePeer(directory, kind.label(), kind.isPhysical(),
                isInitiator, sizeMax, new RemoteTransport(
                    config -> NodeSettings.boardsWithMemory(config, sizeMax), true, false), receiver);
            case GRIM_NULL_RM_P, GRIM_NULL_RM_V -> new RemotePeer(directory, kind.label(), kind.isPhysical(),
                isInitiator, sizeMax, new RemoteTransport(
                    config -> config.toBuilder().transports("null").build(), true, true), receiver);
            case AERON_UDP -> new AeronUdpPeer(directory, isInitiator, receiver);
            case RAW -> new RawPeer(directory, isInitiator, receiver);
            case COPY_FLAG -> new CopyFlagPeer(directory, isInitiator, sizeMax, receiver);
            case RING -> new RingPeer(directory, isInitiator, receiver);
            case AERON_IPC -> new AeronPeer(directory, isInitiator, receiver);
            case AERON_IPC_DEFAULT -> new AeronDefaultPeer(directory, isInitiator, receiver);
            case ONE_TO_ONE -> new OneToOnePeer(directory, isInitiator, receiver);
            case TCP -> new SocketPeer(directory, isInitiator, true, receiver);
            case UDS -> new SocketPeer(directory, isInitiator, false, receiver);
            case COPY_MEMORY, COPY_MAPPED, UCX, JCTOOLS ->
                throw new IllegalArgumentException("peer=" + kind + " is not a way between two processes");
        };
    }

    private static Peer slowed(final boolean isInitiator, final Peer peer)
    {
        final int percent = isInitiator ? Integer.getInteger(SlowPeer.PROPERTY, 0) : 0;
        return percent == 0 ? peer : new SlowPeer(peer, percent);
    }
}
