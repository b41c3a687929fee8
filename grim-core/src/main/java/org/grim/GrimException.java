// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Objects;

/**
 * Failure of a set-up outside the caller's control: the operating system refused, a file is not what it should be, a
 * peer does not answer. The message is one sentence that names the value and the limit; {@link #reason()} is for
 * programs.
 */
public final class GrimException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Never null. */
    private final Reason reason;

    /** Reason, for programs. */
    public enum Reason
    {
        /** A live node has the name: choose another. */
        NAME_TAKEN,
        /** There is no live node, device, channel or cluster of this name or number: wait until there is. */
        NOT_FOUND,
        /** The peer was there, but no path leads to it: it has gone, or has no transport in common with this node. */
        UNREACHABLE,
        /** It did not happen in time: try again. */
        TIMED_OUT,
        /** A bound that the message names is reached: poll, give something back, or configure more. */
        NO_ROOM,
        /** This process lacks a flag, jar, transport or device that is needed: start it differently. */
        UNAVAILABLE,
        /** A file, a peer or another program gave what is corrupt, foreign, or of another version. */
        BAD_DATA,
        /** Others convicted this live node, or its cluster's files were removed: close it and join again. */
        FENCED,
        /** The operating system refused a call, which the message and mostly the cause name. */
        SYSTEM_REFUSED
    }

    /**
     * Makes one with a message alone.
     *
     * @param reason  for programs.
     * @param message one sentence, naming value and limit.
     */
    public GrimException(final Reason reason, final String message)
    {
        this(reason, message, null);
    }

    /**
     * Makes one that keeps what caused it.
     *
     * @param reason  for programs.
     * @param message one sentence, naming value and limit.
     * @param cause   what was thrown below; may be null.
     */
    public GrimException(final Reason reason, final String message, final Throwable cause)
    {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** {@return what a program can do something about; never null} */
    public Reason reason()
    {
        return reason;
    }
}
