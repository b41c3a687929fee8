// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;

/** Benchmarks and peers of one command. */
public enum Suite
{
    /**
     * Messages through shared memory. Many short rounds: a virtual machine's cores change how far apart they are, some
     * times a second, and peers are compared only within a round.
     */
    SHMEM(120, 10, 12, 10, Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH, Benchmark.POLL, Benchmark.COST),

    /** Remote memory, and messages of any size, through shared memory. Some peers start processes in each round. */
    MEMORY(12, 100, 3, 40, Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH, Benchmark.GET_LATENCY,
        Benchmark.GET_BANDWIDTH, Benchmark.LARGE_MESSAGE),

    /** Messages as between hosts, over the loopback device. */
    NETWORK(30, 20, 8, 10, Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH),

    /** Channels of this library beside the JDK's: one program that is busy, and programs that wait. */
    SOCKETS(30, 20, 8, 10, Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH, Benchmark.SELECT,
        Benchmark.BLOCKING, Benchmark.CONNECT, Benchmark.TRANSFER),

    /** Instructions of one thread. */
    COST(120, 5, 12, 5, Benchmark.COST);

    private static final int FORKS = 6;
    private static final int FOREIGN_ROUNDS = 3;
    private static final Set<PeerKind> NOT_WITHIN_HOST = EnumSet.of(PeerKind.GRIM_AERON, PeerKind.UCX_TCP,
        PeerKind.OMPI_TCP, PeerKind.GRIM_HOSTS, PeerKind.GRIM_HOSTS_RM_P, PeerKind.GRIM_HOSTS_RM_V);
    private static final Set<PeerKind> OVER_CHANNELS = EnumSet.of(PeerKind.TCP, PeerKind.GRIM_SOCKETS);
    private static final Set<PeerKind> OVER_NETWORK = EnumSet.of(PeerKind.GRIM_AERON, PeerKind.AERON_UDP, PeerKind.TCP,
        PeerKind.UCX_TCP, PeerKind.OMPI_TCP);

    private final int rounds;
    private final int roundMs;
    private final int roundsQuick;
    private final int roundMsQuick;
    @SuppressWarnings("ImmutableEnumChecker")        // List.of.
    private final List<Benchmark> benchmarks;

    Suite(
        final int rounds, final int roundMs, final int roundsQuick, final int roundMsQuick,
        final Benchmark... benchmarks)
    {
        this.benchmarks = List.of(benchmarks);
        this.rounds = rounds;
        this.roundMs = roundMs;
        this.roundsQuick = roundsQuick;
        this.roundMsQuick = roundMsQuick;
    }

    /** Counted rounds unless others are asked for. */
    public int rounds(final boolean isQuick)
    {
        return isQuick ? roundsQuick : rounds;
    }

    /** Time of each figure in a round unless another is asked for. */
    public int roundMs(final boolean isQuick)
    {
        return isQuick ? roundMsQuick : roundMs;
    }

    /** {@return whether each fork is a process of its own that measures all} */
    boolean isForked()
    {
        return this == NETWORK || this == SOCKETS;
    }

    /** Fresh processes where each measures all; of {@link Benchmark#COST} with bounds checks, and as many without. */
    public int forks(final boolean isQuick)
    {
        return isQuick ? 1 : FORKS;
    }

    /** Rounds that have programs of others, which take long to start. */
    int foreignRounds(final int rounds)
    {
        return this == NETWORK ? Math.min(FOREIGN_ROUNDS, rounds) : rounds;
    }

    /** {@return what is measured; in the order of the report} */
    public List<Benchmark> benchmarks()
    {
        return benchmarks;
    }

    /** Returns the peers that are measured unless others are asked for, in the order of {@link PeerKind}. */
    public List<PeerKind> peers()
    {
        return isForked() ? allPeers() : allPeers().stream()
            .filter(kind -> !kind.isOnRequest() && (this == MEMORY || !kind.isForeign())).toList();
    }

    /** {@return who can be measured: the same, and those that are measured only when asked for} */
    public List<PeerKind> allPeers()
    {
        return Stream.of(PeerKind.values()).filter(this::mayHave).filter(kind -> benchmarks().stream()
            .anyMatch(benchmark -> benchmark.sizes().stream().anyMatch(size -> kind.takesPart(benchmark, size))))
            .toList();
    }

    private boolean mayHave(final PeerKind kind)
    {
        return switch (this)
        {
            case NETWORK -> OVER_NETWORK.contains(kind);
            case SOCKETS -> OVER_CHANNELS.contains(kind);
            case SHMEM, MEMORY, COST -> !NOT_WITHIN_HOST.contains(kind) && kind != PeerKind.GRIM_SOCKETS;
        };
    }

    /** {@return payload sizes; counts of queues are none; bytes, ascending} */
    public Set<Integer> sizes()
    {
        final Set<Integer> sizes = new TreeSet<>();
        benchmarks().stream().filter(benchmark -> benchmark != Benchmark.POLL)
            .forEach(benchmark -> sizes.addAll(benchmark.sizes()));
        return sizes;
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
