// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.Locale;

import org.grim.GrimConfig;
import org.grim.bench.compare.MpiPingPong;
import org.grim.bench.compare.OpenMpi;
import org.grim.bench.compare.UcxPerftest;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerFactory;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.Side;
import org.grim.tools.pair.peers.GrimPeer;
import org.grim.tools.pair.peers.NodeSettings;

/** The peers that only benchmarks have: limits of streams and copies, and others. */
public final class OtherPeers implements PeerFactory
{
    private static final String PATH = "PATH";

    @Override
    public Peer open(
        final PeerKind kind, final Ends ends, final Path directory, final int sizeMax, final MessageReceiver receiver)
    {
        final boolean isInitiator = ends != Ends.SECOND;
        return switch (kind)
        {
            case RING -> new RingPeer(directory, isInitiator, receiver);
            case AERON_IPC, AERON_IPC_DEFAULT -> new AeronPeer(kind, directory, null, ends, receiver);
            case AERON_UDP -> new SteppedPeer(driver(kind, directory, ends),
                driver -> new AeronPeer(kind, directory, driver, ends, receiver));
            case GRIM_AERON -> new SteppedPeer(driver(kind, directory, ends), driver -> new GrimPeer(directory,
                kind.label(), ends, config -> overAeron(config, driver, sizeMax), receiver));
            case ONE_TO_ONE -> new OneToOnePeer(directory, isInitiator, receiver);
            case TCP, UDS, GRIM_SOCKETS -> new SocketPeer(kind, directory, isInitiator, receiver);
            case JCTOOLS -> new JcToolsPeer(sizeMax, receiver);
            case COPY_MEMORY -> new CopyAccess(null, sizeMax);
            case COPY_MAPPED -> new CopyAccess(directory.resolve(kind.label()), sizeMax);
            default -> throw new IllegalArgumentException("peer=" + kind + " is opened elsewhere");
        };
    }

    @Override
    public String absence(final PeerKind kind)
    {
        return switch (kind)
        {
            case UCX, UCX_TCP -> UcxPerftest.absence(System.getenv(PATH));
            case OPEN_MPI, OMPI_TCP -> OpenMpi.absence(System.getenv(PATH));
            default -> null;
        };
    }

    @Override
    public Side openProgram(final PeerKind kind, final Path directory, final int... cpus)
    {
        final String path = System.getenv(PATH);
        return kind == PeerKind.UCX || kind == PeerKind.UCX_TCP ?
            new UcxPerftest(path, kind == PeerKind.UCX_TCP, cpus[0], cpus[1]) :
            MpiPingPong.compile(path, directory, kind == PeerKind.OMPI_TCP, cpus);
    }

    /** UDP by a driver that the measuring thread steps, with terms and datagrams as the other peers over UDP have. */
    private static GrimConfig overAeron(final GrimConfig config, final Path driver, final int sizeMax)
    {
        return NodeSettings.over("aeron", config, sizeMax).toBuilder().set("grim.aeron.directory", driver.toString())
            .set("grim.aeron.mtu", SteppedPeer.MTU).set("grim.aeron.term-length", SteppedPeer.TERM_LENGTH)
            .set("grim.poll.drain-limit", AeronStream.POLL_LIMIT).set("grim.aeron.connect-timeout", "10s")
            .set("grim.aeron.silence-timeout", SteppedPeer.TIMEOUT_MS + "ms").build();
    }

    /** Each process has one, as each host has. */
    private static Path driver(final PeerKind kind, final Path directory, final Ends ends)
    {
        return directory.resolve("driver-" + kind.label() + "-" + ends.name().toLowerCase(Locale.ROOT));
    }
}
