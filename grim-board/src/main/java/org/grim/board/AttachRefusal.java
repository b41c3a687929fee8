// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/** Why a board took no node into a context. The context's reason register shows the code. */
public enum AttachRefusal
{
    /** No region of that generation could be mapped, or it is no region. */
    BAD_REGION(1),
    /** The requested number of channels in a row is not free. */
    NO_CHANNELS(2),
    /** The count of channels is none that a board can have. */
    BAD_CHANNEL_COUNT(3),
    /** The directory does not show the owner joining or up under that incarnation. */
    BAD_OWNER(4);

    private static final AttachRefusal[] VALUES = values();

    private final int code;

    AttachRefusal(final int code)
    {
        this.code = code;
    }

    /** {@return what the reason register shows; more than 0} */
    public int code()
    {
        return code;
    }

    /** The reason that a register shows. Returns null for 0, none, and for a number that means nothing. */
    public static AttachRefusal ofCode(final int code)
    {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
