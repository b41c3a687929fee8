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
    UDS;

    private static final int RAW_SIZE_MAX = 32;

    /**
     * Tells whether the peer takes part.
     *
     * @param benchmark that is measured.
     * @param size      payload bytes. The raw pass always passes 8, beside every size that fits a cache line.
     * @return false where it makes no sense.
     */
    public boolean takesPart(final Benchmark benchmark, final int size)
    {
        return switch (this)
        {
            case RAW -> benchmark == Benchmark.LATENCY && size <= RAW_SIZE_MAX;
            case COPY_FLAG -> benchmark == Benchmark.LATENCY;
            case RING -> benchmark == Benchmark.BANDWIDTH;
            case GRIM, AERON_IPC, AERON_IPC_DEFAULT, ONE_TO_ONE, TCP, UDS -> true;
        };
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
}
