// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.Locale;

import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.ni.timing.LanaiTiming;

/**
 * What the table of costs does not say, says roughly, or says twice; with the range that can be argued for. Nothing
 * here was chosen by an end-to-end figure. The sources are explained in {@code grim-ni-lab/docs/model.md}.
 */
public enum Assumption
{
    /** One write by the host's processor to the board. */
    PIO_WRITE("ns", "table: a PIO write costs about 2 us"),
    /** Such writes for an injection, beside the burst of the message itself: that of the queue's back pointer. */
    CONTROL_WRITES("count", "argued: the back pointer; less if posted, two with a flush of the burst"),
    /** Programmed I/O of a burst. */
    PIO_RATE("MB/s", "missing for p3-550, argued from the bursts of p4-1700: 32 bytes at a time instead of 64"),
    /** Share of the set-up time of a DMA injection that its size of crossing with PIO implies. */
    DMA_SETUP("share", "table: PIO below about 10 KB, DMA from about 8 KB, as the sizes where both cost the same"),
    /** Whether the host waits for the end of a DMA injection before it prepares the next one: 1 or 0. */
    HOST_WAITS("0/1", "argued: the sizes of crossing were measured one injection after the other"),
    /** Whether each fragment of a message costs that set-up again, and not only the first: 1 or 0. */
    DMA_SETUP_REPEATS("0/1", "argued: the pages of a message are locked once, and the best rates include the rest"),
    /** The least transfer between board and link. */
    SAN_LEAST("ns", "table; on the LANai 9 it contradicts the half length, which wants 1.7 us"),
    /** Where a bare transfer to the link reaches half of its bandwidth. */
    SAN_HALF_LENGTH("B", "table: 256 B; the ends take the least transfer for the start-up time, or for all of it"),
    /** What the receiving engine adds, as a share of the least transfer. */
    RECEIVE_DMA("share", "argued: both engines move the same bytes at the same time; at worst one after the other"),
    /** From one board to the other. */
    WIRE("ns", "missing: one switch and some metres of cable"),
    /** Share of a scan after which the program notices an arrival or the end of a transfer. */
    NOTICE("share", "missing: the rows are taken to include it; half a scan if they do not"),
    /** Share of decoding that overlaps the arrival of the shortest message, too. */
    DECODE_HIDDEN("share", "table: overlaps the arrival; of the shortest message nothing is left to arrive"),
    /** Whether the answer is made before the pointer is advanced: 1 or 0. */
    ANSWER_FIRST("0/1", "table: made after the host DMA is started; the pointer's rows follow"),
    /** Settling an answer, as a share of decoding a header. */
    SETTLE("share", "missing: two words to read and a token to look up"),
    /** From the word in memory to the handler's first instruction. */
    HOST_POLL("ns", "missing: a cache miss, a turn of the polling loop, the call of the handler"),
    /** Fragments that a board can hold on their way in. */
    RECEIVE_BUFFERS("count", "missing: two, for one would let nothing overlap"),
    /** Share of the board's memory that the channel's queue has. */
    QUEUE("share", "missing"),
    /** Rate of deliveries as a share of the table's rows. */
    DELIVERY_RATE("share", "table; at worst the host's memory takes no more than it gives to DMA injection"),
    /** How much longer the processor takes than its rows say. */
    PROCESSOR("factor", "table, rounded to half a microsecond; at worst its engines keep it from its memory"),
    /** How much longer transfers take than their rows say. */
    ENGINES("factor", "missing: engines share the board's memory, which is taken to be fast enough"),
    /** Whether the next header is prepared while the last message still leaves: 1 or 0. */
    PREPARES_AHEAD("0/1", "our control program looks for the next message when the engine is idle"),
    /** Share of the capacity check that a remote-memory write needs. */
    RM_CAPACITY_CHECK("share", "argued: memory is always there"),
    /** Whether each page of an RM-V write is looked up, and not only the first: 1 or 0. */
    PAGE_LOOKUPS("0/1", "argued: the cache holds pages"),
    /** Whether a notification word's address is looked up for RM-P, too: 1 or 0. */
    NOTIFICATION_LOOKUP("0/1", "table: one row for both modes");

    private static final double PIO_RATE_ARGUED = 83;
    private static final double PIO_RATE_LOW = 51;
    private static final double PIO_RATE_HIGH = 106;

    private final String unit;
    private final String source;

    Assumption(final String unit, final String source)
    {
        this.unit = unit;
        this.source = source;
    }

    /**
     * What its value is measured in.
     *
     * @return a unit for people.
     */
    public String unit()
    {
        return unit;
    }

    /**
     * Where its value comes from.
     *
     * @return a row of the table, an argument, or that it is missing.
     */
    public String source()
    {
        return source;
    }

    /**
     * Its name for people.
     *
     * @return lower case, with hyphens.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * What it may be.
     *
     * @param system that is modelled.
     * @return the range; closed where the system does not hang on it.
     */
    public Range range(final ModelParameters system)
    {
        final boolean isOldHost = system.host() == HostTiming.P3_550;
        final boolean isOldBoard = system.ni() == LanaiModel.LANAI_4;
        final double leastNs = system.ni().timing().sanDmaMinimumNs();
        return switch (this)
        {
            case PIO_WRITE -> new Range(1_500, system.host().pioWriteNs(), 2_500);
            case CONTROL_WRITES -> new Range(0.5, 1, 2);
            case PIO_RATE -> pioRate(system);
            case DMA_SETUP -> new Range(isOldHost ? 0.75 : 0.1, 1, 1.25);
            case HOST_WAITS -> new Range(0, 1, 1);
            case DMA_SETUP_REPEATS -> new Range(0, 0, 1);
            case SAN_LEAST -> new Range(leastNs, leastNs, isOldBoard ? leastNs : 1_718);
            case SAN_HALF_LENGTH -> isOldBoard ? new Range(198, 256, 396) : new Range(149, 256, 256);
            case RECEIVE_DMA -> new Range(0, 0, 1);
            case WIRE -> new Range(200, 500, 1_000);
            case NOTICE -> new Range(0, 0, 0.5);
            case DECODE_HIDDEN -> new Range(0, 0, 1);
            case ANSWER_FIRST -> new Range(0, 1, 1);
            case SETTLE -> new Range(0.5, 1, 2);
            case HOST_POLL -> isOldHost ? new Range(200, 500, 1_500) : new Range(100, 300, 1_000);
            case RECEIVE_BUFFERS -> new Range(2, 2, 4);
            case QUEUE -> new Range(0.125, 0.25, 0.5);
            case DELIVERY_RATE -> deliveryRate(system);
            case PROCESSOR -> new Range(0.9, 1, 1.2);
            case ENGINES -> new Range(1, 1, 1.1);
            case PREPARES_AHEAD -> new Range(0, 0, 1);
            case RM_CAPACITY_CHECK -> onlyFor(system.mode() != Mode.AM, 0, 0, 1);
            case PAGE_LOOKUPS -> onlyFor(system.mode() == Mode.RM_V, 0, 1, 1);
            case NOTIFICATION_LOOKUP -> onlyFor(system.mode() == Mode.RM_P, 0, 1, 1);
        };
    }

    private static Range pioRate(final ModelParameters parameters)
    {
        final int known = parameters.host().pioBytesPerUs(parameters.pciBits());
        return known == HostTiming.UNKNOWN ?
            new Range(PIO_RATE_LOW, PIO_RATE_ARGUED, PIO_RATE_HIGH) : Range.exactly(known);
    }

    private static Range deliveryRate(final ModelParameters parameters)
    {
        final LanaiTiming timing = parameters.ni().timing().withPciBits(parameters.pciBits());
        final double injection = parameters.host().dmaBytesPerUs(parameters.pciBits());
        return new Range(Math.min(1, injection / timing.pciCurve().bytesPerUs()), 1, 1);
    }

    private static Range onlyFor(final boolean isConcerned, final double low, final double central, final double high)
    {
        return isConcerned ? new Range(low, central, high) : Range.exactly(central);
    }
}
