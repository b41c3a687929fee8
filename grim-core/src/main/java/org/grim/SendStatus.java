// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Outcome of a send. Only {@link #SENT} and {@link #QUEUED} mean that the message was accepted; all others mean that
 * nothing has happened, and that the caller's buffer is untouched.
 */
public enum SendStatus
{
    /** Accepted: the message stands in the next hop. The caller's buffer is free for reuse. */
    SENT,

    /**
     * Accepted into the endpoint's overflow queue, because the next hop was full and the caller is a handler, or
     * because the message is above the MTU and has to wait for its receiver's consent. It leaves the overflow queue in
     * order while the endpoint polls. The caller's buffer is free for reuse.
     */
    QUEUED,

    /**
     * Not accepted: the next hop has no room now, or the cluster does not know the handler's name yet. Poll, so that
     * the peer's messages to us do not block it, and retry.
     */
    BACK_PRESSURED,

    /**
     * Not accepted: another thread is inside this {@link SharedLink}, also after a short spin. Retry soon; no poll is
     * needed for it.
     */
    BUSY,

    /** Not accepted: the destination's process has left or died. A retry fails until a new link is made. */
    PEER_GONE,

    /**
     * Not accepted: this endpoint is closed, or the peer stopped the channel after corrupt bytes, or, of a stream, the
     * peer cannot take the message. No retry succeeds.
     */
    CLOSED;

    /** {@return whether the message was taken; true for {@link #SENT} and {@link #QUEUED}} */
    public boolean isAccepted()
    {
        return this == SENT || this == QUEUED;
    }
}
