// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.ni.board.Action;

/**
 * Costs of actions and transfers on the original boards. Each constant is a row of the table of costs, with a column
 * for the LANai 4 and one for the LANai 9; nothing here was fitted to an end-to-end measurement. Immutable.
 * <p>Transfers to and from the host cost a start-up time and a time for each byte, which follow from the two lengths
 * that the table gives, and never less than the least PCI transfer. That reaches half of the best bandwidth at about
 * 367 B and 234 B for messages, 381 B and 256 B for remote memory (LANai 4 and 9, 32 bit PCI), and at 538 B and 587 B
 * for the LANai 9 in 64 bit PCI; the table says 256 B for all.
 */
public final class LanaiTiming
{
    /** Method by which a control program finds new messages. */
    public enum Detection
    {
        /** It visits every channel, as the original did. */
        SCAN,
        /** It reads ready bits, at the cost of visiting one channel however many there are. */
        DOORBELL
    }

    private static final int LANAI_4 = 0;
    private static final int LANAI_9 = 1;

    // Detect a new message, 1 / 8 / 16 / 32 channels (scan).
    private static final int[] SCAN_CHANNEL_COUNTS = {1, 8, 16, 32};
    private static final long[][] SCAN_NS = {{1_000, 5_500, 9_000, 18_000}, {500, 1_500, 3_000, 6_000}};
    // Set values in the header.
    private static final long[] SET_HEADER_NS = {2_500, 1_000};
    // Scoreboard entry.
    private static final long[] ENTER_SCOREBOARD_NS = {3_000, 1_000};
    // Decode an incoming header.
    private static final long[] DECODE_HEADER_NS = {2_500, 1_000};
    // Verify sequence.
    private static final long[] VERIFY_SEQUENCE_NS = {2_000, 500};
    // Capacity check.
    private static final long[] CHECK_CAPACITY_NS = {2_000, 500};
    // Make an ACK or NACK.
    private static final long[] MAKE_ANSWER_NS = {4_000, 1_500};
    // DMA 32 B / 64 KiB message to the host.
    private static final int MESSAGE_LENGTH_SMALL = 32;
    private static final long[] MESSAGE_SMALL_NS = {3_000, 2_000};
    private static final long[] MESSAGE_LARGE_NS = {496_000, 494_000};
    // Advance and convert the queue pointer.
    private static final long[] ADVANCE_POINTER_NS = {1_500, 500};
    // DMA the queue pointer to the host.
    private static final long[] POINTER_DMA_NS = {4_000, 1_500};
    // Translation cache hit / miss.
    private static final long[] TRANSLATE_HIT_NS = {3_000, 1_000};
    private static final long[] TRANSLATE_MISS_NS = {10_000, 4_000};
    // DMA an RM payload of 4 B / 64 KiB.
    private static final int REMOTE_LENGTH_SMALL = 4;
    private static final long[] REMOTE_SMALL_NS = {3_000, 2_000};
    private static final long[] REMOTE_LARGE_NS = {514_000, 507_000};
    // DMA the notification word, address cached / not.
    private static final long[] NOTIFICATION_CACHED_NS = {9_000, 4_000};
    private static final long[] NOTIFICATION_UNCACHED_NS = {29_000, 17_000};
    // DMA a translation request; interrupt.
    private static final long[] REQUEST_DMA_NS = {3_000, 1_500};
    private static final long[] INTERRUPT_NS = {6_500, 6_000};
    // Copy within the card, MB/s.
    private static final long[] COPY_BYTES_PER_US = {19, 66};
    // Least PCI DMA; least SAN DMA.
    private static final long[] PCI_DMA_MIN_NS = {2_000, 2_000};
    private static final long[] SAN_DMA_MIN_NS = {3_000, 1_000};
    // PCI, MB/s: 32 bit / 64 bit; the LANai 4 knows 32 bit only.
    private static final int PCI_BITS = 32;
    private static final int PCI_BITS_WIDE = 64;
    private static final long[] PCI_BYTES_PER_US = {131, 132};
    private static final long LANAI_9_PCI_BYTES_PER_US = 132;
    private static final long LANAI_9_PCI_WIDE_BYTES_PER_US = 303;
    // SAN link SAN-1280, MB/s seen (of 160).
    private static final long[] LINK_BYTES_PER_SECOND = {132_000_000, 149_000_000};
    // Half of the best bandwidth is reached at (SAN and PCI alike).
    private static final int HALF_LENGTH = 256;

    private static final int LENGTH_LARGE = 64 * 1024;
    private static final double BYTES_PER_US = 1_000_000;
    private static final double NS_PER_US = 1_000;

    private final int column;
    private final Detection detection;
    private final int pciBits;

    private LanaiTiming(final int column, final Detection detection, final int pciBits)
    {
        this.column = column;
        this.detection = detection;
        this.pciBits = pciBits;
    }

    /** The LANai 4 in 32 bit PCI, scanning. */
    public static LanaiTiming lanai4()
    {
        return new LanaiTiming(LANAI_4, Detection.SCAN, PCI_BITS);
    }

    /** The LANai 9 in 32 bit PCI, scanning. */
    public static LanaiTiming lanai9()
    {
        return new LanaiTiming(LANAI_9, Detection.SCAN, PCI_BITS);
    }

    /** Returns the same board with another method of finding messages. */
    public LanaiTiming withDetection(final Detection other)
    {
        return new LanaiTiming(column, other, pciBits);
    }

    /**
     * The same board in another bus. In 64 bit PCI the time for each byte shrinks as the table's bandwidths grow, and
     * the start-up time stays.
     *
     * @param bits 32, or 64 for a LANai 9.
     */
    public LanaiTiming withPciBits(final int bits)
    {
        if (bits != PCI_BITS && (bits != PCI_BITS_WIDE || column != LANAI_9))
        {
            throw new IllegalArgumentException("PCI bits=" + bits + " is neither 32, nor 64 on a LANai 9");
        }
        return new LanaiTiming(column, detection, bits);
    }

    /**
     * Returns the cost of an action on the board's processor. {@link Action#SETTLE} is not in the table: its work is to
     * read a control message of two words and look up the token that it names, with no copy and no notification, which
     * is the cost of {@link Action#DECODE_HEADER}.
     *
     * @param action       that it does.
     * @param channelCount channels that a scan visits, 1 or more. Between the table's counts the cost is a straight
     *     line, and beyond them the last one goes on.
     * @return nanoseconds.
     */
    public long actionNs(final Action action, final int channelCount)
    {
        return switch (action)
        {
            case DETECT -> detectNs(detection == Detection.DOORBELL ? 1 : channelCount);
            case SET_HEADER -> SET_HEADER_NS[column];
            case ENTER_SCOREBOARD -> ENTER_SCOREBOARD_NS[column];
            case DECODE_HEADER, SETTLE -> DECODE_HEADER_NS[column];
            case VERIFY_SEQUENCE -> VERIFY_SEQUENCE_NS[column];
            case CHECK_CAPACITY -> CHECK_CAPACITY_NS[column];
            case MAKE_ANSWER -> MAKE_ANSWER_NS[column];
            case ADVANCE_POINTER -> ADVANCE_POINTER_NS[column];
            case TRANSLATE_HIT -> TRANSLATE_HIT_NS[column];
            case TRANSLATE_MISS -> TRANSLATE_MISS_NS[column];
        };
    }

    /** DMA of a message to its host. */
    public long hostDmaNs(final int length)
    {
        return transferNs(length, MESSAGE_LENGTH_SMALL, MESSAGE_SMALL_NS[column], MESSAGE_LARGE_NS[column]);
    }

    /** DMA of remote-memory data to or from the host. */
    public long remoteDmaNs(final int length)
    {
        return transferNs(length, REMOTE_LENGTH_SMALL, REMOTE_SMALL_NS[column], REMOTE_LARGE_NS[column]);
    }

    /** DMA of the pointer of an arrival queue to its host; nanoseconds. */
    public long pointerDmaNs()
    {
        return POINTER_DMA_NS[column];
    }

    /** DMA of a notification word, with the search for its address. */
    public long notificationDmaNs(final boolean isCached)
    {
        return isCached ? NOTIFICATION_CACHED_NS[column] : NOTIFICATION_UNCACHED_NS[column];
    }

    /** DMA of a request to the host's driver, for a translation; nanoseconds. */
    public long requestDmaNs()
    {
        return REQUEST_DMA_NS[column];
    }

    /** An interrupt of the host by the board; nanoseconds. */
    public long interruptNs()
    {
        return INTERRUPT_NS[column];
    }

    /**
     * A copy from one place of the board's memory to another; the table gives no start-up time.
     *
     * @param length bytes, 0 or more.
     * @return nanoseconds.
     */
    public long copyNs(final int length)
    {
        return Math.round(length * NS_PER_US / COPY_BYTES_PER_US[column]);
    }

    /** The least time of a transfer between board and host; nanoseconds. */
    public long pciDmaMinimumNs()
    {
        return PCI_DMA_MIN_NS[column];
    }

    /** The least time of a transfer between board and link; nanoseconds. */
    public long sanDmaMinimumNs()
    {
        return SAN_DMA_MIN_NS[column];
    }

    /** Returns the bandwidth of a link. */
    public long linkBytesPerSecond()
    {
        return LINK_BYTES_PER_SECOND[column];
    }

    /**
     * A bare transfer between board and link. For the LANai 9 the least transfer is shorter than the start-up time that
     * the half length asks for; the curve passes through both.
     */
    public TransferCurve sanCurve()
    {
        return new TransferCurve(
            SAN_DMA_MIN_NS[column], (double)LINK_BYTES_PER_SECOND[column] / BYTES_PER_US, HALF_LENGTH);
    }

    /**
     * A bare transfer between board and host. In 64 bit PCI the least transfer takes longer than two times 256 bytes,
     * so that half of the best bandwidth is reached at 303: the table contradicts itself there.
     */
    public TransferCurve pciCurve()
    {
        return new TransferCurve(PCI_DMA_MIN_NS[column],
            pciBits == PCI_BITS ? PCI_BYTES_PER_US[column] : LANAI_9_PCI_WIDE_BYTES_PER_US, HALF_LENGTH);
    }

    private long detectNs(final int channelCount)
    {
        int upper = 1;
        while (upper < SCAN_CHANNEL_COUNTS.length - 1 && channelCount > SCAN_CHANNEL_COUNTS[upper])
        {
            upper++;
        }
        final long[] costs = SCAN_NS[column];
        return onLine(
            channelCount, SCAN_CHANNEL_COUNTS[upper - 1], costs[upper - 1], SCAN_CHANNEL_COUNTS[upper], costs[upper]);
    }

    private long transferNs(final int length, final int smallLength, final long smallNs, final long largeNs)
    {
        // The start-up time is what the line through the two figures has at length 0; a wide bus makes it flatter.
        final long startupNs = onLine(0, smallLength, smallNs, LENGTH_LARGE, largeNs);
        final long narrowNs = onLine(length, smallLength, smallNs, LENGTH_LARGE, largeNs);
        final long ns = pciBits == PCI_BITS ? narrowNs : startupNs +
            (narrowNs - startupNs) * LANAI_9_PCI_BYTES_PER_US / LANAI_9_PCI_WIDE_BYTES_PER_US;
        return Math.max(ns, PCI_DMA_MIN_NS[column]);
    }

    private static long onLine(
        final long at, final long firstAt, final long firstValue, final long secondAt, final long secondValue)
    {
        return firstValue + (secondValue - firstValue) * (at - firstAt) / (secondAt - firstAt);
    }
}
