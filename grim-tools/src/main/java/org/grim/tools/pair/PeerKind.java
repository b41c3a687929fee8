// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Whom we measure: ourselves, limits, and others; where each runs, and what it takes part in. */
public enum PeerKind
{
    /** This library: link, handler, and an endpoint polled by the measuring thread. */
    GRIM(Place.PAIR, Cases.MESSAGES, Benchmark.LARGE_MESSAGE, Benchmark.POLL, Benchmark.COST),

    /** Limit: one cache line with one word, there and back. */
    RAW(Place.PAIR, List.of(), Benchmark.LATENCY, Benchmark.PUT_LATENCY),

    /** Limit: one copy into a mapped buffer and a flag, read in place. */
    COPY_FLAG(Place.PAIR, List.of(), Benchmark.LATENCY, Benchmark.PUT_LATENCY),

    /** Limit: a ring with a copy in and a copy out, both at work at once. */
    RING(Place.PAIR, List.of(), Benchmark.BANDWIDTH),

    /** Aeron IPC as an expert runs it. */
    AERON_IPC(Place.PAIR, Cases.MESSAGES, Benchmark.LARGE_MESSAGE, Benchmark.COST),

    /** Aeron IPC with its defaults. */
    AERON_IPC_DEFAULT(Place.PAIR, Cases.MESSAGES),

    /** Agrona's ring buffer over a mapped file. */
    ONE_TO_ONE(Place.PAIR, Cases.MESSAGES),

    /** Loopback TCP, non-blocking and busy; of programs the JDK's channels. */
    TCP(Place.PAIR, Cases.CHANNELS),

    /** Unix-domain stream sockets, non-blocking, busy. */
    UDS(Place.PAIR, Cases.MESSAGES),

    /** This library: remote memory by physical address. */
    GRIM_RM_P(Place.PAIR, Cases.PUTS),

    /** This library: remote memory by virtual address. */
    GRIM_RM_V(Place.PAIR, Cases.MEMORY),

    /** Limit: Java's {@code copyMemory} between two buffers of the first process, which nobody shares. */
    COPY_MEMORY(Place.ALONE, Cases.GETS, Benchmark.PUT_BANDWIDTH, Benchmark.LARGE_MESSAGE),

    /** Limit: the same between a buffer and a mapped file. */
    COPY_MAPPED(Place.ALONE, Cases.GETS, Benchmark.PUT_BANDWIDTH, Benchmark.LARGE_MESSAGE),

    /** {@code ucx_perftest} over posix shared memory, where it is installed: two processes of its own. */
    UCX(Place.FOREIGN, Cases.MEMORY, Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH),

    /** Open MPI and a ping-pong in C, where they are installed: two processes of its own. */
    OPEN_MPI(Place.FOREIGN, Cases.MESSAGES),

    /** This library through boards, each stepped in the duty cycle of its process unless another kind is asked for. */
    GRIM_MYRINET(Place.PAIR_ON_REQUEST, Cases.MESSAGES),

    /** The same with arrival queues that a pointer announces. */
    GRIM_MYRINET_POINTER(Place.PAIR_ON_REQUEST, Cases.MESSAGES),

    /** Aeron over UDP and the loopback device, a driver without threads in each process; terms and MTU are large. */
    AERON_UDP(Place.PAIR_ON_REQUEST, Cases.MESSAGES),

    /** This library over Aeron's UDP and the loopback device, with the same driver. */
    GRIM_AERON(Place.PAIR_ON_REQUEST, Cases.MESSAGES),

    /** The same program as {@link #TCP}, with channels of this library. */
    GRIM_SOCKETS(Place.PAIR_ON_REQUEST, Cases.CHANNELS),

    /** {@code ucx_perftest} over TCP on the loopback device, where it is installed. */
    UCX_TCP(Place.FOREIGN_ON_REQUEST, List.of(), Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH),

    /** Open MPI over TCP on the loopback device, where it is installed. */
    OMPI_TCP(Place.FOREIGN_ON_REQUEST, Cases.MESSAGES),

    /** Limit: a queue of JCTools between two threads of the first process. */
    JCTOOLS(Place.ALONE_ON_REQUEST, Cases.MESSAGES),

    /** This library through boards: remote memory by physical address. */
    GRIM_MYRINET_RM_P(Place.PAIR_ON_REQUEST, Cases.PUTS),

    /** This library through boards: remote memory by virtual address. */
    GRIM_MYRINET_RM_V(Place.PAIR_ON_REQUEST, Cases.MEMORY),

    /** This library over Aeron between two hosts, each with its agent and its driver. */
    GRIM_HOSTS(Place.PAIR_ON_REQUEST, Cases.MESSAGES),

    /** The same with remote memory by physical address. */
    GRIM_HOSTS_RM_P(Place.PAIR_ON_REQUEST, Cases.PUTS),

    /** The same with remote memory by virtual address. */
    GRIM_HOSTS_RM_V(Place.PAIR_ON_REQUEST, Cases.MEMORY),

    /** This library from a node to itself, in one thread of the first process. */
    GRIM_NULL(Place.ALONE_ON_REQUEST, Cases.MESSAGES),

    /** The same with remote memory by physical address. */
    GRIM_NULL_RM_P(Place.ALONE_ON_REQUEST, Cases.PUTS),

    /** The same with remote memory by virtual address. */
    GRIM_NULL_RM_V(Place.ALONE_ON_REQUEST, Cases.MEMORY);

    /** Payload bytes up to which the raw pass says what a message takes. */
    public static final int RAW_SIZE_MAX = 32;

    /** Bytes that the raw pass passes beside every peer. */
    public static final int RAW_SIZE = Long.BYTES;

    private static final int AERON_SIZE_MAX = 2 << 20;          // An eighth of its larger terms.

    private final Place place;
    @SuppressWarnings("ImmutableEnumChecker")        // Filled here and nowhere else.
    private final Set<Benchmark> benchmarks = EnumSet.noneOf(Benchmark.class);

    PeerKind(final Place place, final List<Benchmark> cases, final Benchmark... more)
    {
        this.place = place;
        benchmarks.addAll(cases);
        benchmarks.addAll(List.of(more));
    }

    /**
     * Returns whether the peer takes part.
     *
     * @param benchmark that is measured.
     * @param size      payload bytes. The raw pass always passes 8, beside other sizes.
     * @return false where it makes no sense.
     */
    public boolean takesPart(final Benchmark benchmark, final int size)
    {
        return benchmarks.contains(benchmark) && switch (this)
        {
            case RAW -> benchmark == Benchmark.PUT_LATENCY || size <= RAW_SIZE_MAX;
            case AERON_IPC -> size <= AERON_SIZE_MAX;
            case UCX, UCX_TCP -> size > 0;
            default -> true;
        };
    }

    /** {@return whether the second process has no part in it; true if only the first one opens it} */
    public boolean isAlone()
    {
        return place != Place.PAIR && place != Place.PAIR_ON_REQUEST;
    }

    /** {@return whether it is a program of others, with processes of its own; true if it may be absent} */
    public boolean isForeign()
    {
        return place == Place.FOREIGN || place == Place.FOREIGN_ON_REQUEST;
    }

    /**
     * Returns whether a comparison has it only when asked for. True if it is no part of {@code bench shmem} and
     * {@code bench memory} by default.
     */
    public boolean isOnRequest()
    {
        return place == Place.PAIR_ON_REQUEST || place == Place.ALONE_ON_REQUEST || place == Place.FOREIGN_ON_REQUEST;
    }

    /** {@return whether remote memory is written by physical address; true for those kinds of this library} */
    public boolean isPhysical()
    {
        return List.of(GRIM_RM_P, GRIM_MYRINET_RM_P, GRIM_HOSTS_RM_P, GRIM_NULL_RM_P).contains(this);
    }

    /** {@return name in options and reports; lower case, with dashes} */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** As in options and reports. */
    @Override
    public String toString()
    {
        return label();
    }

    /** Where the two ends are, and whether a comparison has it without being asked. */
    private enum Place
    {
        PAIR, PAIR_ON_REQUEST, ALONE, ALONE_ON_REQUEST, FOREIGN, FOREIGN_ON_REQUEST
    }

    /** The common properties of peers of a kind. */
    private static final class Cases
    {
        private static final List<Benchmark> MESSAGES =
            List.of(Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH);
        private static final List<Benchmark> CHANNELS = List.of(Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH,
            Benchmark.SELECT, Benchmark.BLOCKING, Benchmark.CONNECT, Benchmark.TRANSFER);
        private static final List<Benchmark> PUTS = List.of(Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH);
        private static final List<Benchmark> GETS = List.of(Benchmark.GET_LATENCY, Benchmark.GET_BANDWIDTH);
        private static final List<Benchmark> MEMORY = List.of(Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH,
            Benchmark.GET_LATENCY, Benchmark.GET_BANDWIDTH);
    }
}
