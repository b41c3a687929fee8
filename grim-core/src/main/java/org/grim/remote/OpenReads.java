// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.grim.RemoteRefusal;

/**
 * The reads of one link that have not ended, as a list through their handles.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
final class OpenReads
{
    private ReadHandle first;
    private int cutCount;

    void add(final ReadHandle read, final boolean isCut)
    {
        read.previous = null;
        read.next = first;
        if (first != null)
        {
            first.previous = read;
        }
        first = read;
        cutCount += isCut ? 1 : 0;
    }

    void remove(final ReadHandle read, final boolean isCut)
    {
        if (read.previous == null)
        {
            first = read.next;
        }
        else
        {
            read.previous.next = read.next;
        }
        if (read.next != null)
        {
            read.next.previous = read.previous;
        }
        read.previous = null;
        read.next = null;
        cutCount -= isCut ? 1 : 0;
    }

    /** Returns whether reads of several operations wait, which end only at a look. */
    boolean hasCut()
    {
        return cutCount > 0;
    }

    /** Notes which reads of several operations have their last bytes; what is refused of them is known by now. */
    void look()
    {
        for (ReadHandle read = cutCount == 0 ? null : first; read != null; read = read.next)
        {
            read.look();
        }
    }

    /** Ends those that {@link #look()} found. */
    void endSeen()
    {
        ReadHandle read = cutCount == 0 ? null : first;
        while (read != null)
        {
            final ReadHandle next = read.next;
            read.endIfSeen();
            read = next;
        }
    }

    /** Ends all; those that are not complete with a reason. */
    void end(final RemoteRefusal reason)
    {
        while (first != null)
        {
            first.endNow(reason);
        }
    }
}
