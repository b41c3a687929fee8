// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.util.List;

/** The operations. The order is that of the numbers in {@code collectives.c}. */
public enum MpiOperation
{
    /** Half of a round trip. */
    LATENCY("latency"),
    /** Sends one after the other; each window is answered. */
    RATE("rate"),
    ALL_REDUCE("allReduce"),
    BROADCAST("broadcast"),
    /** With so many bytes for each. */
    ALL_TO_ALL("allToAll"),
    /** As the first, of direct buffers. */
    LATENCY_DIRECT("latency, direct");

    /** Most bytes. */
    static final int LENGTH_MAX = 1 << 20;

    private static final int FIRST_NUMBER = 8;

    private final String label;

    MpiOperation(final String label)
    {
        this.label = label;
    }

    /** {@return its name for people} */
    public String label()
    {
        return label;
    }

    /** {@return the lengths that are measured} */
    public List<Integer> lengths()
    {
        return switch (this)
        {
            case LATENCY -> List.of(8, 32, 256, 4_096, 65_536, 1 << 20);
            case RATE -> List.of(8, 4_096, 65_536, 1 << 20);
            case LATENCY_DIRECT -> List.of(65_536, 1 << 20);
            default -> List.of(8, 65_536);
        };
    }

    /** By which members know it. */
    @SuppressWarnings("EnumOrdinal")        // All members run the same classes.
    int number()
    {
        return FIRST_NUMBER + ordinal();
    }

    static MpiOperation of(final int number)
    {
        return values()[number - FIRST_NUMBER];
    }
}
