// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/** Why an NI serves a channel no more: what its host wrote cannot be. The channel's status register shows the code. */
public enum StopReason
{
    /** The arrival queue's set-up is impossible, or outside the context's memory. */
    BAD_ARRIVAL_QUEUE(1),
    /** The receiver's front is behind what was released before, or ahead of what was delivered. */
    BAD_ARRIVAL_FRONT(2),
    /** At start, the pointer in host memory does not fit the receiver's front. */
    BAD_ARRIVAL_POINTER(3),
    /** The back pointer does not lie in the queue. */
    BAD_BACK(4),
    /** The queue holds no valid message, or one that reaches beyond the published position. */
    BAD_HEADER(5),
    /** The filled length exceeds the message. */
    BAD_FILLED(6),
    /** The host asked to pull what the channel's context may not read, or to where the queue does not lie. */
    BAD_PULL(7);

    private static final StopReason[] VALUES = values();

    private final int code;

    StopReason(final int code)
    {
        this.code = code;
    }

    /** {@return what the status register shows; more than 0} */
    public int code()
    {
        return code;
    }

    /**
     * The reason that a status register shows. Returns null for 0, a running channel, and for a number that means
     * nothing.
     */
    public static StopReason ofCode(final int code)
    {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
