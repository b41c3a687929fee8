// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.event;

/** Why a packet from the wire was dropped. Each has a counter. */
public enum DropReason
{
    /** It is no message of GRIM, or its header contradicts itself. */
    MALFORMED(0),
    /** It names a node that this NI does not serve, or a source that has no NI. */
    UNKNOWN_ENDPOINT(1),
    /** Its sender has not shown that it knows this NI's epoch. */
    NOT_SYNCHRONISED(2),
    /** It announces an epoch that is past. */
    STALE_EPOCH(3),
    /** Its sender uses another version of the layout. */
    OTHER_VERSION(4),
    /** One before it was refused or lost. */
    LATER(5),
    /** It is a copy of something accepted. */
    COPY(6),
    /** The destination has no room. */
    NO_ROOM(7),
    /** It ended before its announced length. */
    CUT(8),
    /** It answers nothing that is in flight. */
    STALE_ANSWER(9);

    private static final DropReason[] VALUES = values();

    private final int code;

    DropReason(final int code)
    {
        this.code = code;
    }

    /** {@return key of the reason's counter; 0 to {@link #count()} - 1} */
    public int code()
    {
        return code;
    }

    /** {@return how many reasons there are} */
    public static int count()
    {
        return VALUES.length;
    }
}
