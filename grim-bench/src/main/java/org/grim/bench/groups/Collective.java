// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/** What is measured. The order is that of the numbers in {@code collectives.c}. */
enum Collective
{
    BARRIER("barrier", 0),
    ALL_REDUCE_SHORT("allReduce", Long.BYTES),
    ALL_REDUCE_LONG("allReduce", 1 << 20),
    BROADCAST("broadcast", 1 << 20),
    /** What it costs the sender, beside {@link #SEND}. */
    MULTICAST("multicast", 32),
    /** Of one message to one member. */
    SEND("send", 32);

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

    /** Whether only the sender's time is measured, and that beside another operation of GRIM. */
    boolean isOneWay()
    {
        return this == MULTICAST || this == SEND;
    }

    /** Bytes of each member. */
    int length()
    {
        return length;
    }
}
