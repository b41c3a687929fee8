// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/** What is measured. The order is that of the numbers in {@code collectives.c}. */
enum Collective
{
    BARRIER("barrier", 0),
    ALL_REDUCE_SHORT("allReduce", Long.BYTES),
    ALL_REDUCE_LONG("allReduce", 1 << 20),
    BROADCAST("broadcast", 1 << 20);

    /** Bytes of the longest one. */
    static final int LENGTH_MAX = 1 << 20;

    private final String label;
    private final int length;

    Collective(final String label, final int length)
    {
        this.label = label;
        this.length = length;
    }

    /** The operation, as the API calls it. */
    String label()
    {
        return label;
    }

    /** Bytes of each member. */
    int length()
    {
        return length;
    }
}
