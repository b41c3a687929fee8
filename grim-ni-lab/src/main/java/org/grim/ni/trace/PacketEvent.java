// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

/**
 * Event of a packet in a trace. {@code docs/grim.lua} names the same codes; a code keeps its meaning for good, because
 * traces outlive the programs that wrote them.
 */
public enum PacketEvent
{
    /** The NI put it on the wire for the first time. */
    SENT(1),
    /** The NI put it on the wire again: after a rollback or a time-out. */
    RESENT(2),
    /** The fabric dropped it. */
    LOST(3),
    /** The fabric made a copy of it. */
    REPEATED(4),
    /** The fabric changed bits of it; the record holds what arrives. */
    CORRUPTED(5),
    /** The fabric cut its end off; the record holds what arrives. */
    TRUNCATED(6),
    /** It reached the NI that it was addressed to, which has yet to judge it. */
    DELIVERED(7),
    /** The fabric let a later packet overtake it. */
    REORDERED(8),
    /** The fabric held it back for longer than its latency. */
    DELAYED(9);

    private final int code;

    PacketEvent(final int code)
    {
        this.code = code;
    }

    /** {@return the number in a trace; 1 to 255} */
    public int code()
    {
        return code;
    }
}
