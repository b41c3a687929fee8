// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/** The measurements. The order is that of the numbers in {@code collectives.c}. */
enum Collective
{
    BARRIER("barrier", 0),
    ALL_REDUCE_SHORT("allReduce", Long.BYTES),
    ALL_REDUCE_LONG("allReduce", 1 << 20),
    BROADCAST("broadcast", 1 << 20),
    /** The cost for the sender, beside {@link #SEND}; nobody polls meanwhile. */
    MULTICAST("multicast", 32),
    /** Of one message to one member, which does not poll meanwhile. */
    SEND("send", 32),
    /** The same as {@link #MULTICAST} while the members that have a CPU poll, beside {@link #SEND_POLLED}. */
    MULTICAST_POLLED("multicast, polled", 32),
    /** The same as {@link #SEND} while the members that have a CPU poll. */
    SEND_POLLED("send, polled", 32);

    /** Bytes of the longest one. */
    static final int LENGTH_MAX = 1 << 20;

    private static final int SHORT_LENGTH_MAX = 32;

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
        return compareTo(MULTICAST) >= 0;
    }

    /** Whether the members poll while one sends. */
    boolean isPolled()
    {
        return compareTo(MULTICAST_POLLED) >= 0;
    }

    /** Whether each message goes to all. */
    boolean isMulticast()
    {
        return this == MULTICAST || this == MULTICAST_POLLED;
    }

    /** Of a multicast: the send beside which it is measured. */
    Collective send()
    {
        return isPolled() ? SEND_POLLED : SEND;
    }

    /** Whether an operation takes one message from one member to another. */
    boolean isShort()
    {
        return length <= SHORT_LENGTH_MAX;
    }

    /** Bytes of each member. */
    int length()
    {
        return length;
    }
}
