// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.Locale;

/** Whom we measure: ourselves, limits, and others. */
public enum PeerKind
{
    /** This library: link, handler, and an endpoint polled by the measuring thread. */
    GRIM,

    /** Limit: one cache line with one word, there and back. */
    RAW,

    /** Limit: one copy into a mapped buffer and a flag, read in place. */
    COPY_FLAG,

    /** Limit: a ring with a copy in and a copy out, both at work at once. */
    RING,

    /** Aeron IPC as an expert runs it. */
    AERON_IPC,

    /** Aeron IPC as it comes. */
    AERON_IPC_DEFAULT,

    /** Agrona's ring buffer over a mapped file. */
    ONE_TO_ONE,

    /** Loopback TCP, non-blocking, busy. */
    TCP,

    /** Unix-domain stream sockets, non-blocking, busy. */
    UDS,

    /** This library: remote memory by physical address. */
    GRIM_RM_P,

    /** This library: remote memory by virtual address. */
    GRIM_RM_V,

    /** Limit: Java's {@code copyMemory} between two buffers of the first process, which nobody shares. */
    COPY_MEMORY,

    /** Limit: the same between a buffer and a mapped file. */
    COPY_MAPPED,

    /** {@code ucx_perftest} over posix shared memory, where it is installed: two processes of its own. */
    UCX,

    /** This library through boards, each stepped in the duty cycle of its process unless another kind is asked for. */
    GRIM_MYRINET,

    /** The same with arrival queues that are told of by a pointer. */
    GRIM_MYRINET_POINTER,

    /** Aeron over UDP and the loopback device, a driver without threads in each process. */
    AERON_UDP,

    /** Limit: a queue of JCTools between two threads of the first process. */
    JCTOOLS,

    /** This library through boards: remote memory by physical address. */
    GRIM_MYRINET_RM_P,

    /** This library through boards: remote memory by virtual address. */
    GRIM_MYRINET_RM_V,

    /** This library from a node to itself, in one thread of the first process. */
    GRIM_NULL,

    /** The same with remote memory by physical address. */
    GRIM_NULL_RM_P,

    /** The same with remote memory by virtual address. */
    GRIM_NULL_RM_V;

    /** Payload bytes up to which the raw pass says what a message takes. */
    public static final int RAW_SIZE_MAX = 32;

    /** Bytes that the raw pass passes, whatever it stands beside. */
    static final int RAW_SIZE = Long.BYTES;

    private static final int AERON_SIZE_MAX = 2 << 20;          // An eighth of its larger terms.

    /**
     * Tells whether the peer takes part.
     *
     * @param benchmark that is measured.
     * @param size      payload bytes. The raw pass always passes 8, beside other sizes.
     * @return false where it makes no sense.
     */
    public boolean takesPart(final Benchmark benchmark, final int size)
    {
        return switch (benchmark)
        {
            case LATENCY, RATE, BANDWIDTH -> takesPartInMessages(benchmark, size);
            case POLL -> this == GRIM;
            case PUT_LATENCY -> isRemote() || this == RAW || this == COPY_FLAG || this == UCX;
            case PUT_BANDWIDTH -> isRemote() || isCopy() || this == UCX;
            case GET_LATENCY, GET_BANDWIDTH ->
                (isRemote() && !isPhysical()) || isCopy() || this == UCX;
            case LARGE_MESSAGE -> this == GRIM || isCopy() || (this == AERON_IPC && size <= AERON_SIZE_MAX);
        };
    }

    /**
     * Tells whether the second process has no part in it.
     *
     * @return true if only the first one opens it.
     */
    public boolean isAlone()
    {
        return isCopy() || this == UCX || this == JCTOOLS || isLoop();
    }

    /**
     * Tells whether a comparison has it only when asked for.
     *
     * @return true if it is no part of {@code bench shmem} by default.
     */
    public boolean isOnRequest()
    {
        return switch (this)
        {
            case GRIM_MYRINET, GRIM_MYRINET_POINTER, AERON_UDP, JCTOOLS, GRIM_MYRINET_RM_P, GRIM_MYRINET_RM_V,
                GRIM_NULL, GRIM_NULL_RM_P, GRIM_NULL_RM_V -> true;
            case GRIM, RAW, COPY_FLAG, RING, AERON_IPC, AERON_IPC_DEFAULT, ONE_TO_ONE, TCP, UDS, GRIM_RM_P, GRIM_RM_V,
                COPY_MEMORY, COPY_MAPPED, UCX -> false;
        };
    }

    /**
     * Tells whether remote memory is written by physical address.
     *
     * @return true for those kinds of this library.
     */
    public boolean isPhysical()
    {
        return this == GRIM_RM_P || this == GRIM_MYRINET_RM_P || this == GRIM_NULL_RM_P;
    }

    /** Whether a node sends to itself. */
    boolean isLoop()
    {
        return this == GRIM_NULL || this == GRIM_NULL_RM_P || this == GRIM_NULL_RM_V;
    }

    /**
     * Tells whether it copies in one process.
     *
     * @return true for both kinds of memory.
     */
    public boolean isCopy()
    {
        return this == COPY_MEMORY || this == COPY_MAPPED;
    }

    /**
     * Name in options and reports.
     *
     * @return lower case, with dashes.
     */
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

    private boolean isRemote()
    {
        return isPhysical() || this == GRIM_RM_V || this == GRIM_MYRINET_RM_V || this == GRIM_NULL_RM_V;
    }

    private boolean takesPartInMessages(final Benchmark benchmark, final int size)
    {
        return switch (this)
        {
            case RAW -> benchmark == Benchmark.LATENCY && size <= RAW_SIZE_MAX;
            case COPY_FLAG -> benchmark == Benchmark.LATENCY;
            case RING -> benchmark == Benchmark.BANDWIDTH;
            case GRIM, AERON_IPC, AERON_IPC_DEFAULT, ONE_TO_ONE, TCP, UDS, GRIM_MYRINET, GRIM_MYRINET_POINTER,
                AERON_UDP, JCTOOLS, GRIM_NULL -> true;
            case GRIM_RM_P, GRIM_RM_V, GRIM_MYRINET_RM_P, GRIM_MYRINET_RM_V, GRIM_NULL_RM_P, GRIM_NULL_RM_V,
                COPY_MEMORY, COPY_MAPPED, UCX -> false;
        };
    }
}
