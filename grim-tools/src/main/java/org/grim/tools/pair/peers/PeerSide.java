// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerFactory;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.Side;
import org.grim.tools.process.BoundedSpin;

import com.sun.management.ThreadMXBean;

/** A peer with the code that measures it: the entry to this package for {@code SideLoader}, which knows it by name. */
public final class PeerSide implements Side
{
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final long THOUSAND = 1_000;
    private static final long ALLOCATED_MAX = 1L << 40;

    private final Histogram allocated = new Histogram(ALLOCATED_MAX, 2);        // Thousandths of bytes per message.
    private final Initiator initiator = new Initiator();
    private final Responder responder = new Responder();
    private final OpenLoop loop = new OpenLoop();
    private final PeerKind kind;
    private final boolean isAlone;
    private final Peer peer;
    private final FarThread far;
    private MessageReceiver receiver = initiator;
    private long deliveredCount;

    /**
     * Opens the peer.
     *
     * @param kind      of peer.
     * @param ends      that this process has.
     * @param directory of the files.
     * @param sizeMax   most payload bytes.
     */
    public PeerSide(final PeerKind kind, final Ends ends, final Path directory, final int sizeMax)
    {
        this.kind = kind;
        isAlone = kind.isAlone() || ends == Ends.BOTH;
        peer = open(kind, ends, directory, sizeMax, ends == Ends.SECOND ? responder : this::onMessage);
        final Peer other = peer.other(responder);
        far = other == null ? null : new FarThread(other, responder, directory);
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
        receiver = initiator;
        peer.prepare(cell);
        final ControlBlock actual = far != null ? far.begin(kind, cell, spin) : isAlone ? null : control;
        final long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
        final double figure = initiator.measure(peer, cell, durationNs, actual, spin);
        if (cell.benchmark() == Benchmark.RATE)
        {
            final long length = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
            allocated.recordValue(Math.min(length * THOUSAND / Math.max(1, initiator.doneCount()), ALLOCATED_MAX));
        }
        deliveredCount += initiator.doneCount();
        return figure;
    }

    @Override
    public OfferedLoad offer(final Offer offer, final ControlBlock control, final BoundedSpin spin)
    {
        receiver = loop;
        peer.prepare(new Cell(Benchmark.LATENCY, offer.size(), true));
        final OfferedLoad load = loop.run(peer, offer, control, spin);
        deliveredCount += loop.sentCount();
        return load;
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
    public double allocatedLength()
    {
        return allocated.getValueAtPercentile(50) / (double)THOUSAND;
    }

    @Override
    public Histogram times()
    {
        return initiator.times();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(far, peer);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        receiver.onMessage(buffer, offset, length);
    }

    private static Peer open(
        final PeerKind kind, final Ends ends, final Path directory, final int sizeMax, final MessageReceiver receiver)
    {
        final boolean isInitiator = ends != Ends.SECOND;
        return switch (kind)
        {
            case GRIM -> new GrimPeer(directory, kind.label(), ends,
                config -> NodeSettings.over("shmem", config, sizeMax), receiver);
            case GRIM_HOSTS -> new GrimPeer(directory, kind.label(), ends,
                config -> NodeSettings.overHosts(config, directory, ends, sizeMax), receiver);
            case GRIM_HOSTS_RM_P, GRIM_HOSTS_RM_V -> new RemotePeer(directory, kind.label(), kind.isPhysical(),
                isInitiator, sizeMax, new RemoteTransport(
                    config -> NodeSettings.overHosts(config, directory, ends, sizeMax), true, false), receiver);
            case GRIM_MYRINET -> new GrimPeer(directory, kind.label(), ends,
                config -> NodeSettings.boards(config, sizeMax, NodeSettings.TAIL_FLAG), receiver);
            case GRIM_MYRINET_POINTER -> new GrimPeer(directory, kind.label(), ends,
                config -> NodeSettings.boards(config, sizeMax, NodeSettings.QUEUE_POINTER), receiver);
            case GRIM_NULL -> new GrimPeer(directory, kind.label(), Ends.BOTH,
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
            case RAW -> new RawPeer(directory, isInitiator, receiver);
            case COPY_FLAG -> new CopyFlagPeer(directory, isInitiator, sizeMax, receiver);
            case UCX, UCX_TCP, OPEN_MPI, OMPI_TCP ->
                throw new IllegalArgumentException("peer=" + kind + " has processes of its own");
            case RING, AERON_IPC, AERON_IPC_DEFAULT, AERON_UDP, GRIM_AERON, ONE_TO_ONE, TCP, UDS, GRIM_SOCKETS,
                JCTOOLS, COPY_MEMORY, COPY_MAPPED ->
                PeerFactory.of(PeerSide.class.getClassLoader()).open(kind, ends, directory, sizeMax, receiver);
        };
    }
}
