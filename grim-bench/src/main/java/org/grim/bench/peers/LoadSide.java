// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.LoadedSide;
import org.grim.bench.compare.Offer;
import org.grim.bench.compare.OfferedLoad;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.process.BoundedSpin;

/** The first process's side of a peer that is measured in an {@link OpenLoop}; the second has a {@link PeerSide}. */
public final class LoadSide implements LoadedSide
{
    private final OpenLoop loop = new OpenLoop();
    private final Peer peer;
    private long deliveredCount;

    /**
     * Opens the peer.
     *
     * @param kind        of peer.
     * @param isInitiator true.
     * @param directory   of the files.
     * @param sizeMax     most payload bytes.
     */
    public LoadSide(final PeerKind kind, final boolean isInitiator, final Path directory, final int sizeMax)
    {
        peer = PeerSide.open(kind, isInitiator, directory, sizeMax, loop);
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
    public OfferedLoad offer(final Offer offer, final ControlBlock control, final BoundedSpin spin)
    {
        peer.prepare(new Cell(Benchmark.LATENCY, offer.size(), true));
        final OfferedLoad load = loop.run(peer, offer, control, spin);
        deliveredCount += loop.sentCount();
        return load;
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("a loaded side measures offers, not " + cell);
    }

    @Override
    public void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("a loaded side is the first process's");
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
}
