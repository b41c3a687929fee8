// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pingpong;

import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/** The payload of a round trip. */
public enum PingPongMode
{
    /** Active messages of any length. */
    AM("am", Benchmark.LATENCY, Benchmark.RATE, 2),
    /** Remote writes by virtual address, each with a notification word that the other side looks at. */
    RM_V("rm-v", Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH, 2),
    /** The same by physical address. */
    RM_P("rm-p", Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH, 2),
    /** Remote reads, of which the other side learns nothing: what is timed is a read, not half of one. */
    READ("read", Benchmark.GET_LATENCY, Benchmark.GET_BANDWIDTH, 1);

    /** Most bytes of a payload in every mode. */
    public static final int SIZE_MAX = 64 << 20;

    private final String label;
    private final Benchmark latency;
    private final Benchmark stream;
    private final int directionsPerTime;

    PingPongMode(final String label, final Benchmark latency, final Benchmark stream, final int directionsPerTime)
    {
        this.label = label;
        this.latency = latency;
        this.stream = stream;
        this.directionsPerTime = directionsPerTime;
    }

    /** {@return least bytes of a payload; 0 for messages; remote memory refuses to move nothing} */
    public int sizeMin()
    {
        return isRemote() ? 1 : 0;
    }

    /** {@return payload sizes unless others are asked for; bytes, ascending} */
    public int[] defaultSizes()
    {
        return isRemote() ? new int[] {8, 32, 256, 2048, 16384, 65536, 1 << 20} :
            new int[] {0, 8, 32, 256, 2048, 16384, 65504};
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return label;
    }

    /** Whether memory is written or read, and no handler runs. */
    boolean isRemote()
    {
        return this != AM;
    }

    /** One payload at a time. */
    Benchmark latency()
    {
        return latency;
    }

    /** As many as there is room for. */
    Benchmark stream()
    {
        return stream;
    }

    /** The peer that does it over a transport. */
    PeerKind peer(final String transport)
    {
        return switch (this)
        {
            case AM -> kind(transport, PeerKind.GRIM, PeerKind.GRIM_MYRINET, PeerKind.GRIM_HOSTS, PeerKind.GRIM_NULL);
            case RM_P -> kind(transport, PeerKind.GRIM_RM_P, PeerKind.GRIM_MYRINET_RM_P, PeerKind.GRIM_HOSTS_RM_P,
                PeerKind.GRIM_NULL_RM_P);
            case RM_V, READ -> kind(transport, PeerKind.GRIM_RM_V, PeerKind.GRIM_MYRINET_RM_V, PeerKind.GRIM_HOSTS_RM_V,
                PeerKind.GRIM_NULL_RM_V);
        };
    }

    private static PeerKind kind(
        final String transport, final PeerKind shmem, final PeerKind myrinet, final PeerKind aeron, final PeerKind nul)
    {
        return switch (transport)
        {
            case "shmem" -> shmem;
            case "myrinet" -> myrinet;
            case "aeron" -> aeron;
            case "null" -> nul;
            default -> throw new GrimException(UNAVAILABLE,
                "transport=" + transport + " is unknown: known=[myrinet, null, shmem]");
        };
    }

    /** One-way times in one time that was taken: a round trip has two. */
    int directionsPerTime()
    {
        return directionsPerTime;
    }
}
