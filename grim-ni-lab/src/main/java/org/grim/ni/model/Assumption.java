// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.Locale;

import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.ni.timing.LanaiTiming;

/**
 * A cost that the table does not give, gives roughly or gives twice; with its plausible range. Nothing here was chosen
 * by an end-to-end figure. The sources are explained in {@code grim-ni-lab/docs/model.md}.
 */
public enum Assumption
{
    /** The write of a counter behind each injection. */
    COUNTER_WRITE("ns", "open: a PIO write costs roughly 2 us, a posted one nothing"),
    /** Programmed I/O of a burst. */
    PIO_RATE("MB/s", "reading: blocks of 64 bytes on both hosts, so p3-550 is near p4-1700 in 32 bit PCI"),
    /** Share of the set-up time that the crossing with PIO implies, on top of the rate of a DMA injection. */
    DMA_SETUP("share", "reading: none at about 16 KB, where DMA is at its best; at worst a tenth"),
    /** The least transfer between board and link. */
    SAN_LEAST("ns", "table; on the LANai 9 it contradicts the half length, which wants 1.7 us"),
    /** Where a bare transfer to the link reaches half of its bandwidth. */
    SAN_HALF_LENGTH("B", "table: 256 B; the ends take the least transfer for the start-up time, or for all of it"),
    /** Time that a switch adds between two boards. */
    SWITCH("ns", "missing: a switch; cable and detection are in the least SAN DMA"),
    /** Share of a scan after which the program notices the end of a host DMA. */
    NOTICE("share", "missing: the rows are taken to include it; half a scan if they do not"),
    /** Share of decoding that overlaps the arrival of the header. */
    DECODE_HIDDEN("share", "reading: all of it; open for the smallest message"),
    /** Share of the sequence and capacity checks that overlaps the host DMA. */
    CHECKS_HIDDEN("share", "open: which operations besides decoding overlap DMA"),
    /** Share of the translation that overlaps the arrival of the payload. */
    TRANSLATION_HIDDEN("share", "reading: none, for it is hard to hide; elsewhere the source says partly"),
    /** Whether the answer to a remote-memory write is made from the start of its DMA, not from its end: 1 or 0. */
    RM_ANSWER_EARLY("0/1", "open: made from the start of the DMA or from its end; sent after it"),
    /** The transfer of the queue's pointer. */
    POINTER_DMA("ns", "table; open: another 4 bytes take 3 us (LANai 4), the least PCI DMA 2 us (LANai 9)"),
    /** Settling an answer, as a share of decoding a header. */
    SETTLE("share", "missing: two words to read and a token to look up"),
    /** From the word in memory to the handler's first instruction. */
    HOST_POLL("ns", "missing: a cache miss, a turn of the polling loop, the call of the handler"),
    /** The receiving host's copying into a reassembly buffer. */
    COPY_RATE("MB/s", "reading: p3-550 no less than 82, at best a third of its memory; missing for p4-1700"),
    /** Whether bytes of a socket are injected by programmed I/O alone: 1 or 0. */
    SOCKET_PIO("0/1", "reading: straight from the caller's buffer into the claimed room, so by PIO; or as messages"),
    /** Cost of the reader's call behind the handler, in polls of the host. */
    SOCKET_CALL("polls", "missing: a channel's call; the poll that runs the handler, or another one"),
    /** Share of a multicast that an NI with children copies within the card. */
    RECYCLE_COPY("share", "reading: all of it, into the multicast channel; at best it is sent from where it arrived"),
    /** Share of that copy that overlaps the arrival. */
    RECYCLE_HIDDEN("share", "reading: none, as in our control program, which waits for the last byte"),
    /** Share of the board's memory that the channel's queue has. */
    QUEUE("share", "missing"),
    /** Rate of deliveries as a share of the table's rows. */
    DELIVERY_RATE("share", "table of p3-550; at worst the host's memory takes no more than it gives to DMA injection"),
    /** Start of a delivery, as a factor of the least PCI transfer. */
    DELIVERY_START("factor", "missing in 64 bit PCI: as in 32 bit, or half of it more or less"),
    /** Factor by which the processor is slower than its rows say. */
    PROCESSOR("factor", "table, rounded to half a microsecond; at worst its engines keep it from its memory"),
    /** Factor by which transfers are slower than their rows say. */
    ENGINES("factor", "missing: engines share the board's memory, which is taken to be fast enough");

    private static final int PCI_BITS_WIDE = 64;
    private static final double PIO_RATE_READ = 102;
    private static final double PIO_RATE_LOW = 75;
    private static final double PIO_RATE_HIGH = 115;

    private final String unit;
    private final String source;

    Assumption(final String unit, final String source)
    {
        this.unit = unit;
        this.source = source;
    }

    /** Returns the unit of its value, for people. */
    public String unit()
    {
        return unit;
    }

    /** Whether it concerns multicasts alone. */
    boolean isOfTrees()
    {
        return this == RECYCLE_COPY || this == RECYCLE_HIDDEN;
    }

    /** Where its value comes from. */
    public String source()
    {
        return source;
    }

    /** Its name for people; lower case, with hyphens. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the range of its value; a single value where it does not depend on the system. */
    public Range range(final ModelParameters system)
    {
        final boolean isOldHost = system.host() == HostTiming.P3_550;
        final boolean isOldBoard = system.ni() == LanaiModel.LANAI_4;
        final double leastNs = system.ni().timing().sanDmaMinimumNs();
        return switch (this)
        {
            case COUNTER_WRITE -> new Range(0, system.host().pioWriteNs() / 2.0, system.host().pioWriteNs());
            case PIO_RATE -> pioRate(system);
            case DMA_SETUP -> new Range(0, 0, 0.1);
            case SAN_LEAST -> new Range(leastNs, leastNs, isOldBoard ? leastNs : 1_718);
            case SAN_HALF_LENGTH -> isOldBoard ? new Range(198, 256, 396) : new Range(149, 256, 256);
            case SWITCH -> new Range(100, 300, 500);
            case NOTICE -> new Range(0, 0, 0.5);
            case DECODE_HIDDEN -> new Range(0, 1, 1);
            case CHECKS_HIDDEN -> new Range(0, 0, 1);
            case TRANSLATION_HIDDEN -> onlyFor(system.mode() == Mode.RM_V, 0, 0, 1);
            case RM_ANSWER_EARLY -> onlyFor(!system.mode().isMessage(), 0, 0, 1);
            case POINTER_DMA -> isOldBoard ? new Range(3_000, 4_000, 4_000) : new Range(1_500, 1_500, 2_000);
            case SETTLE -> new Range(0.5, 1, 2);
            case HOST_POLL -> isOldHost ? new Range(200, 500, 1_500) : new Range(100, 300, 1_000);
            case COPY_RATE -> isOldHost ? new Range(82, 82, 267) : new Range(300, 600, 1_000);
            case SOCKET_PIO -> onlyFor(system.mode() == Mode.SOCKETS && hasDma(system), 0, 1, 1);
            case SOCKET_CALL -> onlyFor(system.mode() == Mode.SOCKETS, 0, 0, 1);
            case RECYCLE_COPY -> new Range(0, 1, 1);
            case RECYCLE_HIDDEN -> new Range(0, 0, 1);
            case QUEUE -> new Range(0.125, 0.25, 0.5);
            case DELIVERY_RATE -> deliveryRate(system);
            case DELIVERY_START -> onlyFor(system.pciBits() == PCI_BITS_WIDE, 0.5, 1, 1.5);
            case PROCESSOR -> new Range(0.9, 1, 1.2);
            case ENGINES -> new Range(1, 1, 1.1);
        };
    }

    private static Range pioRate(final ModelParameters parameters)
    {
        final int known = parameters.host().pioBytesPerUs(parameters.pciBits());
        return known == HostTiming.UNKNOWN ?
            new Range(PIO_RATE_LOW, PIO_RATE_READ, PIO_RATE_HIGH) : Range.exactly(known);
    }

    private static Range deliveryRate(final ModelParameters parameters)
    {
        final LanaiTiming timing = parameters.ni().timing().withPciBits(parameters.pciBits());
        final double injection = parameters.host().dmaBytesPerUs(parameters.pciBits());
        return new Range(Math.min(1, injection / timing.pciCurve().bytesPerUs()), 1, 1);
    }

    /** Whether segments are long enough for a DMA to be better. */
    private static boolean hasDma(final ModelParameters system)
    {
        return system.forwarding().segmentLength() >= system.host().dmaFromLength(system.pciBits());
    }

    private static Range onlyFor(final boolean isConcerned, final double low, final double central, final double high)
    {
        return isConcerned ? new Range(low, central, high) : Range.exactly(central);
    }
}
