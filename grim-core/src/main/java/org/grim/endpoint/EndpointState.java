// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.EndpointId;

/**
 * State that the parts of an endpoint share: its name and owner, whether it is open, whether a handler runs, and how
 * much work is pending.
 * <p>Thread: the owner; {@link #close} and the queries of owner and closing any.
 */
public final class EndpointState
{
    /** The error text of late calls when the node has left. */
    public static final String LEFT = "this node has left the cluster";

    private final EndpointId id;
    private volatile Thread owner;
    private volatile boolean isClosed;
    private volatile Thread gate;           // The owner, as long as the endpoint is open.
    private String reasonClosed;            // Before isClosed.
    private boolean isInHandler;
    private boolean isPolling;
    private boolean isLastOfPoll;
    private int overflowDepth;
    private int noticeCount;
    private boolean isRefusalDue;
    private int pendingCount;

    /**
     * An open endpoint without an owner.
     *
     * @param id of the endpoint on its first channel.
     */
    public EndpointState(final EndpointId id)
    {
        this.id = id;
    }

    /** {@return name of the endpoint on its first channel} */
    public EndpointId id()
    {
        return id;
    }

    /**
     * Makes a thread the owner.
     *
     * @param newOwner that uses the endpoint from now on; null for the next thread that does.
     */
    public synchronized void owner(final Thread newOwner)
    {
        owner = newOwner;
        gate = isClosed ? null : newOwner;
    }

    /** {@return the owner; null if there is none} */
    public Thread owner()
    {
        return owner;
    }

    /** {@return true if the owner is another thread than the caller's} */
    public boolean isOwnedByAnother()
    {
        final Thread current = owner;
        return current != null && current != Thread.currentThread();
    }

    /**
     * Refuses a second thread. The first caller becomes the owner. After closing no thread is refused: one that calls
     * learns that the endpoint is closed.
     *
     * @throws IllegalStateException if another thread owns the endpoint.
     */
    public void checkOwner()
    {
        if (owner != Thread.currentThread())
        {
            takeOwnership();
        }
    }

    /**
     * Accepts nothing from now on. Does nothing the second time.
     *
     * @param reason for the errors of late calls.
     */
    public synchronized void close(final String reason)
    {
        if (!isClosed)
        {
            reasonClosed = reason;
            isClosed = true;
            gate = null;
        }
    }

    /** {@return true if the caller's thread owns the endpoint, and it is open: one look for both} */
    public boolean isOpenToCaller()
    {
        return gate == Thread.currentThread();
    }

    /** {@return true after {@link #close}} */
    public boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Refuses what has no other answer after the endpoint was closed, or its node left.
     *
     * @throws IllegalStateException if it was.
     */
    public void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(reasonClosed);
        }
    }

    /** {@return true while a handler runs} */
    public boolean isInHandler()
    {
        return isInHandler;
    }

    /**
     * Refuses what handlers may not do.
     *
     * @param verb for the error's text.
     * @throws IllegalStateException inside a handler.
     */
    public void requireOutsideHandler(final String verb)
    {
        if (isInHandler)
        {
            throw new IllegalStateException(verb + " called inside a handler: handlers may send, not poll or block");
        }
    }

    /**
     * The owner begins a poll, unless the endpoint was closed. Plain stores: the thread that closes it makes a fence of
     * its own before it asks {@link #isPolling()}. Returns false if it was closed.
     */
    public boolean tryBeginPoll()
    {
        isPolling = true;               // Before the gate is looked at: one of the two sees the other.
        if (isOpenToCaller())
        {
            return true;
        }
        isPolling = false;
        return false;
    }

    /** The poll has ended. */
    public void pollEnded()
    {
        isPolling = false;
    }

    /** {@return true while the owner polls: it may hand over messages} */
    public boolean isPolling()
    {
        return isPolling;
    }

    /** A handler begins or ends. */
    void inHandler(final boolean isInside)
    {
        isInHandler = isInside;
        if (isInside)
        {
            isLastOfPoll = false;
        }
    }

    /** A handler has ended what the caller of the poll may wait for: the poll returns before the next message. */
    public void endPoll()
    {
        isLastOfPoll = true;
    }

    /** {@return true if the handler that ran last has ended the poll} */
    public boolean isLastOfPoll()
    {
        return isLastOfPoll;
    }

    /** Counts messages and operations that entered overflow queues, or left them. */
    void overflowed(final int change)
    {
        overflowDepth += change;
        pendingCount += change;
        assert overflowDepth >= 0 && pendingCount >= overflowDepth;
    }

    /**
     * Counts answers to peers that wait for room.
     *
     * @param change how many more.
     */
    public void noticesWaiting(final int change)
    {
        noticeCount += change;
        pendingCount += change;
        assert noticeCount >= 0 && pendingCount >= noticeCount;
    }

    /** Remote-memory operations were accepted, or refusals wait to be reported. */
    public void refusalsDue()
    {
        if (!isRefusalDue)
        {
            isRefusalDue = true;
            pendingCount++;
        }
    }

    /** All refusals that are due are being reported. */
    public void refusalsTaken()
    {
        if (isRefusalDue)
        {
            isRefusalDue = false;
            pendingCount--;
            assert pendingCount >= overflowDepth + noticeCount;
        }
    }

    /** {@return false if nothing is pending} */
    public boolean hasPendingWork()
    {
        return pendingCount != 0;
    }

    /** {@return true if answers to peers wait for room} */
    public boolean hasNoticesWaiting()
    {
        return noticeCount > 0;
    }

    /** {@return true if refusals may have to be reported} */
    public boolean isRefusalDue()
    {
        return isRefusalDue;
    }

    /** {@return messages and operations in the overflow queues} */
    public int overflowDepth()
    {
        return overflowDepth;
    }

    private void takeOwnership()
    {
        final Thread current = Thread.currentThread();
        final Thread other = owner;
        if (isClosed)
        {
            return;
        }
        if (other != null)
        {
            throw new IllegalStateException("thread=" + current.getName() + " used " + id + " of thread=" +
                other.getName() + ": " + (id.channel() == 0 ? "run it there by Grim.execute, " : "") +
                "open an endpoint of its own, or a shared link");
        }
        owner(current);
    }
}
