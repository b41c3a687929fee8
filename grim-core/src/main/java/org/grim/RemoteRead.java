// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Tells when a remote read is complete. Made once by {@link RemoteMemory#newRead()}, used for any number of reads of
 * its endpoint, one at a time. Poll the endpoint meanwhile: refusals and deaths are noticed there, and reads that are
 * longer than the transport moves at once end there.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
public final class RemoteRead
{
    /** Ticket of an operation that nobody waits for. */
    static final int NO_TICKET = 0;
    /** Handles of an endpoint: as many as a ticket can name. */
    static final int COUNT_MAX = 0xFFFF;

    private static final int LAST = 1;
    private static final int USE_MASK = 0xFFFE;
    private static final int INDEX_SHIFT = 16;

    // A list that the link of the read keeps.
    RemoteRead previous;
    RemoteRead next;

    private final RemoteMemory memory;
    private final int number;
    private final AtomicBuffer words;
    private final int wordIndex;
    private final long address;
    private OpenReads reads;
    private RemoteRefusal refusal;
    private int value;
    private boolean isCut;
    private boolean isSeen;

    /**
     * Makes a handle that is not in use.
     *
     * @param memory    of the endpoint.
     * @param number    of the handle, 1 or more.
     * @param words     memory of the library that peers cannot write.
     * @param wordIndex of this handle's word in it.
     * @param address   virtual address of the word.
     */
    RemoteRead(
        final RemoteMemory memory, final int number, final AtomicBuffer words, final int wordIndex, final long address)
    {
        this.memory = memory;
        this.number = number;
        this.words = words;
        this.wordIndex = wordIndex;
        this.address = address;
    }

    /**
     * Looks whether the read has ended. Costs a load.
     *
     * @return true if all bytes are there, or never will be: see {@link #refusal()}; also if there is no read yet.
     */
    public boolean isComplete()
    {
        if (reads != null)
        {
            if (memory.isClosed())
            {
                endNow(RemoteRefusal.PEER_GONE);        // Nobody writes the word any more.
            }
            else if (!isCut && isWritten())
            {
                end();
            }
        }
        return reads == null;
    }

    /**
     * Why the read that has ended was not executed.
     *
     * @return the reason; null if all bytes are there.
     */
    public RemoteRefusal refusal()
    {
        return refusal;
    }

    /** Of an operation's ticket that of its last piece, whose end is the end of the read. */
    static int lastOf(final int ticket)
    {
        return ticket == NO_TICKET ? NO_TICKET : ticket | LAST;
    }

    /** Number of the handle in a ticket. */
    static int numberOf(final int ticket)
    {
        return ticket >>> INDEX_SHIFT;
    }

    /** Checks that it can be used now, and takes a new value for the word. */
    void prepare(final RemoteMemory user)
    {
        if (user != memory)
        {
            throw new IllegalArgumentException("handle of a read belongs to another endpoint: make one by newRead()");
        }
        if (!isComplete())
        {
            throw new IllegalStateException("handle of a read is in use: wait until it is complete, or make another");
        }
        value++;
    }

    long address()
    {
        return address;
    }

    int value()
    {
        return value;
    }

    /** What names this use of the handle: a refusal that comes late finds another use. */
    int ticket()
    {
        return (number << INDEX_SHIFT) | ((value << 1) & USE_MASK);
    }

    /** A read was accepted. */
    void begin(final OpenReads newReads, final boolean newIsCut)
    {
        reads = newReads;
        isCut = newIsCut;
        isSeen = false;
        refusal = null;
        newReads.add(this, newIsCut);
    }

    /** A piece of a read was refused. */
    void onRefused(final int ticket, final RemoteRefusal reason)
    {
        if (reads != null && (ticket & ~LAST) == ticket())
        {
            refusal = refusal == null ? reason : refusal;
            if ((ticket & LAST) != 0)
            {
                end();
            }
        }
    }

    void look()
    {
        isSeen = isCut && isWritten();
    }

    void endIfSeen()
    {
        if (isSeen)
        {
            end();
        }
    }

    void endNow(final RemoteRefusal reason)
    {
        if (refusal == null && (memory.isClosed() || !isWritten()))
        {
            refusal = reason;
        }
        end();
    }

    /** Does what whoever executes the read does after the last byte. */
    void arriveForTest(final int newValue)
    {
        words.putIntRelease(wordIndex, newValue);
    }

    private boolean isWritten()
    {
        // Partner: the release store with which whoever executed the read wrote the word after the last byte.
        return words.getIntAcquire(wordIndex) == value;
    }

    private void end()
    {
        reads.remove(this, isCut);
        reads = null;
        isSeen = false;
    }
}
