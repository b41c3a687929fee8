// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

/** Fault that a peer, or its death, causes on a wire. Each is counted and harms no other NI. */
public enum WireFault
{
    /** A packet was swallowed: its destination is gone, or was never there. */
    UNREACHABLE(0),
    /** A packet was swallowed: the ring to its destination could not be made. */
    NO_RING(1),
    /** A packet was swallowed: one side of the wire to its destination was stopped for corrupt bytes. */
    STOPPED(2),
    /** A sender called whose ring is missing, truncated or foreign. */
    BAD_FILE(3),
    /** A ring was stopped: its producer's position cannot be. */
    BAD_POSITION(4),
    /** A ring was stopped: the length of a packet cannot be. */
    BAD_LENGTH(5),
    /** A ring was stopped: a packet was cut where it cannot be. */
    BAD_CUT(6);

    private static final int COUNT = values().length;

    private final int code;

    WireFault(final int code)
    {
        this.code = code;
    }

    static int count()
    {
        return COUNT;
    }

    int code()
    {
        return code;
    }
}
