// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.buffer.AtomicWord;
import org.grim.endpoint.EndpointState;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * A handle of reads or atomic operations, with a word in registered memory that the executor of the operation writes
 * last, behind the result of an atomic one.
 * <p>Thread: the endpoint's owner.
 */
final class ReadHandle implements RemoteMemory.Atomic
{
    /** Ticket of an operation that nobody waits for. */
    static final int NO_TICKET = 0;
    /** Handles of an endpoint: as many as a ticket can name. */
    static final int COUNT_MAX = 0xFFFF;

    private static final int RESULT_OFFSET = SIZE_OF_LONG;          // From the word.
    private static final int LAST = 1;
    private static final int USE_MASK = 0xFFFE;
    private static final int INDEX_SHIFT = 16;

    // A list that the link of the read keeps.
    ReadHandle previous;
    ReadHandle next;

    private final EndpointState state;
    private final int number;
    private final AtomicBuffer words;
    private final int wordIndex;
    private final long address;
    private OpenReads reads;
    private RemoteRefusal refusal;
    private int value;
    private long result;
    private int resultLength;                                       // 0 for a read.
    private boolean isCut;
    private boolean isSeen;

    /**
     * Makes a handle that is not in use.
     *
     * @param state     of the endpoint.
     * @param number    of the handle, 1 or more.
     * @param words     memory of the library that peers cannot write.
     * @param wordIndex of this handle's word in it.
     * @param address   virtual address of the word.
     */
    ReadHandle(
        final EndpointState state, final int number, final AtomicBuffer words, final int wordIndex, final long address)
    {
        this.state = state;
        this.number = number;
        this.words = words;
        this.wordIndex = wordIndex;
        this.address = address;
    }

    @Override
    public boolean isComplete()
    {
        if (reads != null)
        {
            if (state.isClosed())
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

    @Override
    public RemoteRefusal refusal()
    {
        return refusal;
    }

    @Override
    public long previous()
    {
        if (!isComplete() || refusal != null || resultLength == 0)
        {
            throw new IllegalStateException("atomic operation is not complete, or was refused: refusal=" + refusal);
        }
        return result;
    }

    /** Returns the ticket of an operation's last piece, whose end is the end of the read. */
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
    void prepare()
    {
        if (!isComplete())
        {
            throw new IllegalStateException("handle of a read is in use: wait until it is complete, or make another");
        }
        value++;
    }

    boolean isOf(final EndpointState endpoint)
    {
        return state == endpoint;
    }

    long address()
    {
        return address;
    }

    /** Where the result of an atomic operation goes. */
    long resultAddress()
    {
        return address + RESULT_OFFSET;
    }

    int value()
    {
        return value;
    }

    /** Returns the name of this use of the handle: a refusal that comes late finds another use. */
    int ticket()
    {
        return (number << INDEX_SHIFT) | ((value << 1) & USE_MASK);
    }

    /** A read was accepted. */
    void begin(final OpenReads newReads, final boolean newIsCut)
    {
        begin(newReads, newIsCut, 0);
    }

    /** An atomic operation was accepted. */
    void beginAtomic(final OpenReads newReads, final int newResultLength)
    {
        begin(newReads, false, newResultLength);
    }

    private void begin(final OpenReads newReads, final boolean newIsCut, final int newResultLength)
    {
        reads = newReads;
        resultLength = newResultLength;
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
        if (refusal == null && (state.isClosed() || !isWritten()))
        {
            refusal = reason;
        }
        end();
    }

    /** Writes the word, as the executor of the read does after the last byte. */
    void arriveForTest(final int newValue)
    {
        words.putIntRelease(wordIndex, newValue);
    }

    private boolean isWritten()
    {
        // Partner: the release store with which the read's executor wrote the word after the last byte.
        return words.getIntAcquire(wordIndex) == value;
    }

    private void end()
    {
        if (resultLength != 0 && refusal == null)
        {
            // Not at a later query: the memory of a node that has left by then may be gone.
            result = AtomicWord.result(words, wordIndex + RESULT_OFFSET, resultLength);
        }
        reads.remove(this, isCut);
        reads = null;
        isSeen = false;
    }
}
