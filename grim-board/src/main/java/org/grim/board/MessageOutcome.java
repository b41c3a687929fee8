// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/** Outcome of a message that its NI settled and that was not acknowledged. It stands in the message's word 0. */
public enum MessageOutcome
{
    /** It certainly did not arrive. */
    UNDELIVERED(1),
    /** It left, and its destination went before it answered. */
    UNKNOWN(2),
    /** It arrived and was refused for good. */
    REFUSED(3);

    private static final MessageOutcome[] VALUES = values();

    private final int code;

    MessageOutcome(final int code)
    {
        this.code = code;
    }

    /** {@return what the mark carries; more than 0} */
    public int code()
    {
        return code;
    }

    /** The outcome that a mark carries. Returns null for a number that means nothing. */
    public static MessageOutcome ofCode(final int code)
    {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
