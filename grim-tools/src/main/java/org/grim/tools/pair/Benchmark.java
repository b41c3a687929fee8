// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.util.List;
import java.util.Locale;

/** The measurements. */
public enum Benchmark
{
    /** Ping-pong: half of the median round trip. */
    LATENCY("ns"),

    /** One-way stream of small messages. */
    RATE("msg/s"),

    /** One-way stream of large messages, counted in bytes of payload. */
    BANDWIDTH("GB/s"),

    /** One look at silent queues, per queue; sizes are counts of queues. */
    POLL("ns"),

    /**
     * Send, poll and handler of a message to oneself, in one thread: what a peer's instructions take. Its modes are the
     * process's: whether Agrona's buffers check bounds.
     */
    COST("ns"),

    /** Ping-pong of writes into each other's memory, noticed by a word: half of the median round trip. */
    PUT_LATENCY("ns"),

    /** Writes into the other's memory, counted in bytes; nobody looks at them meanwhile. */
    PUT_BANDWIDTH("GB/s"),

    /** Reads of the other's memory, one after the other: the time of a whole read. */
    GET_LATENCY("ns"),

    /** Reads of the other's memory, counted in bytes. */
    GET_BANDWIDTH("GB/s"),

    /** One-way stream of messages larger than the network's unit, counted in bytes of payload. */
    LARGE_MESSAGE("GB/s"),

    /** Programs that wait in {@code Selector.select}: elapsed time divided by the exchanges of all connections. */
    SELECT("ns"),

    /** Programs that wait in {@code SocketChannel.read}: the time of a whole exchange. */
    BLOCKING("ns"),

    /** Programs that connect, exchange one message, and close, again and again. */
    CONNECT("conn/s"),

    /** Programs that hand a file to {@code FileChannel.transferTo}, until the other side has read it. */
    TRANSFER("GB/s");

    private static final List<Integer> MEMORY_SIZES = List.of(8, 64, 256, 2048, 16384, 65536, 1 << 20, 16 << 20);

    private final String unit;

    Benchmark(final String unit)
    {
        this.unit = unit;
    }

    /** {@return unit of its figures; for reports} */
    public String unit()
    {
        return unit;
    }

    /** {@return payload sizes that it is measured at; bytes; for {@link #POLL} counts of queues} */
    public List<Integer> sizes()
    {
        return switch (this)
        {
            case LATENCY -> List.of(0, 8, 24, 32, 256, 2048, 16384, 65504);
            case RATE -> List.of(8, 32, 256);
            case BANDWIDTH -> List.of(2048, 16384, 65504);
            case POLL -> List.of(1, 8, 64);
            case COST -> List.of(32, 256);
            case PUT_LATENCY, PUT_BANDWIDTH, GET_LATENCY, GET_BANDWIDTH -> MEMORY_SIZES;
            case LARGE_MESSAGE -> List.of(128 << 10, 1 << 20, 16 << 20);
            case SELECT, BLOCKING -> List.of(32, 2048);
            case CONNECT -> List.of(32);
            case TRANSFER -> List.of(60_000_000);
        };
    }

    /** {@return the peer that others are compared with: this library at its quickest} */
    public PeerKind ours()
    {
        return switch (this)
        {
            case LATENCY, RATE, BANDWIDTH, POLL, COST, LARGE_MESSAGE -> PeerKind.GRIM;
            case SELECT, BLOCKING, CONNECT, TRANSFER -> PeerKind.GRIM_SOCKETS;
            case PUT_LATENCY, PUT_BANDWIDTH -> PeerKind.GRIM_RM_P;
            case GET_LATENCY, GET_BANDWIDTH -> PeerKind.GRIM_RM_V;
        };
    }

    /** {@return whether messages are answered by the same size; true for round trips} */
    public boolean isPingPong()
    {
        return this == LATENCY || this == PUT_LATENCY;
    }

    /** {@return whether less is better; true for times, false for rates and bandwidths} */
    public boolean isTime()
    {
        return "ns".equals(unit);
    }

    /** {@return whether {@link PeerPair} measures it; false where one thread does it all, and of programs} */
    public boolean isOfPair()
    {
        return this != POLL && this != COST && !isOfPrograms();
    }

    /** {@return whether it is measured in processes that wait, as programs do; true of those of sockets} */
    public boolean isOfPrograms()
    {
        return this == SELECT || this == BLOCKING || this == CONNECT || this == TRANSFER;
    }

    /**
     * Returns whether it is also run with receivers that read every byte. True for messages; of memory all that was
     * written is read once at the end.
     */
    public boolean hasReadMode()
    {
        return this == LATENCY || this == RATE || this == BANDWIDTH;
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
}
