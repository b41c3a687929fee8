// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

/**
 * Cost of injection on the original hosts, from the table of costs: rates depend on host and bus, not on the board.
 * Immutable.
 */
public enum HostTiming
{
    /** Pentium III, 550 MHz, 32 bit PCI. */
    P3_550("p3-550"),
    /** Pentium 4, 1.7 GHz, 32 and 64 bit PCI. */
    P4_1700("p4-1700");

    /** Instead of a rate that the table does not give. */
    public static final int UNKNOWN = 0;

    private static final int PCI_BITS = 32;
    private static final int PCI_BITS_WIDE = 64;
    private static final Injection P3_NARROW = new Injection(UNKNOWN, 119, 10 * 1024);
    private static final Injection P4_NARROW = new Injection(102, 89, Integer.MAX_VALUE);
    private static final Injection P4_WIDE = new Injection(53, 213, 8 * 1024);
    private static final long PIO_WRITE_NS = 2_000;
    private static final long PIO_READ_NS = 1_000;

    private final String label;

    HostTiming(final String label)
    {
        this.label = label;
    }

    /** A row of the table. */
    private record Injection(int pioBytesPerUs, int dmaBytesPerUs, int dmaFromLength)
    {
    }

    /** Its name for people; {@code p3-550} or {@code p4-1700}. */
    public String label()
    {
        return label;
    }

    /** The bus that a board stood in: the widest that both have. Returns 32 or 64. */
    public int pciBits(final LanaiModel model)
    {
        return this == P3_550 || model == LanaiModel.LANAI_4 ? PCI_BITS : PCI_BITS_WIDE;
    }

    /**
     * Programmed I/O into the board's memory.
     *
     * @param pciBits of the bus.
     * @return bytes per microsecond at best; {@link #UNKNOWN} if the table does not say.
     */
    public int pioBytesPerUs(final int pciBits)
    {
        return injection(pciBits).pioBytesPerUs;
    }

    /**
     * DMA by the board from the host's memory in place.
     *
     * @param pciBits of the bus.
     * @return bytes per microsecond at best.
     */
    public int dmaBytesPerUs(final int pciBits)
    {
        return injection(pciBits).dmaBytesPerUs;
    }

    /**
     * Returns the smallest size for which DMA is faster.
     *
     * @param pciBits of the bus.
     * @return bytes; the largest number if never.
     */
    public int dmaFromLength(final int pciBits)
    {
        return injection(pciBits).dmaFromLength;
    }

    /** One write by the processor to the board, such as that of a queue's pointer; nanoseconds. */
    public long pioWriteNs()
    {
        return PIO_WRITE_NS;
    }

    /** One read by the processor from the board; nanoseconds. */
    public long pioReadNs()
    {
        return PIO_READ_NS;
    }

    private Injection injection(final int pciBits)
    {
        if (pciBits == PCI_BITS)
        {
            return this == P3_550 ? P3_NARROW : P4_NARROW;
        }
        if (pciBits != PCI_BITS_WIDE || this == P3_550)
        {
            throw new IllegalArgumentException("PCI bits=" + pciBits + " is no bus of host=" + label);
        }
        return P4_WIDE;
    }
}
