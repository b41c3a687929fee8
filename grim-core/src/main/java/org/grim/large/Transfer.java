// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.BlockAllocator;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.wire.FlowKey;

/**
 * The receiver's side of one transfer, from its beginning to its end; used again for others.
 * <p>Thread: the endpoint's owner. Owns: its block of the reassembly memory, if it has one.
 */
public final class Transfer
{
    private static final int SILENT_COUNT_MIN = 16;

    final AtomicBuffer memory = Buffers.allocate(0);
    long blockOffset;
    long blockLength;
    boolean isGranted;
    boolean isWhole;
    boolean isKept;
    Transfer older;                     // Of the same path, and another incarnation of the sender's node.

    private long flowKey;
    private long transfer;
    private int handler;
    private long totalLength;
    private long position;
    private long positionSeen;
    private int restCount;
    private long positionLooked;
    private int silentCount;
    private EndpointLink answerLink;
    private long arguments01;
    private long arguments23;
    private Object attachment;

    Transfer()
    {
        // begin() sets everything.
    }

    void begin(final long newFlowKey, final BeginWords words)
    {
        flowKey = newFlowKey;
        transfer = words.transfer();
        handler = words.handler();
        totalLength = words.totalLength();
        position = 0;
        positionSeen = -1;
        restCount = 0;
        positionLooked = 0;
        silentCount = 0;
        answerLink = null;
        older = null;
        isGranted = false;
        isWhole = false;
        blockOffset = BlockAllocator.NONE;
        blockLength = 0;
        attachment = null;
    }

    /**
     * Keeps the application's arguments.
     *
     * @param newArguments01 words 4 and 5 of the header.
     * @param newArguments23 words 6 and 7.
     */
    public void arguments(final long newArguments01, final long newArguments23)
    {
        arguments01 = newArguments01;
        arguments23 = newArguments23;
    }

    /** {@return where it comes from and goes to; as {@link FlowKey}} */
    public long flowKey()
    {
        return flowKey;
    }

    /** {@return name that the sender gave; any number; the high word is the incarnation of the sender's node} */
    public long transfer()
    {
        return transfer;
    }

    /** {@return what to run; 0 to 65,535} */
    public int handler()
    {
        return handler;
    }

    /** {@return bytes of the message; 0 or more} */
    public long totalLength()
    {
        return totalLength;
    }

    /** {@return bytes that have come; 0 to {@link #totalLength()}} */
    public long position()
    {
        return position;
    }

    /** {@return incarnation of the sender's node; any number} */
    public int incarnation()
    {
        return incarnationOf(transfer);
    }

    /** {@return the sender's node; 0 to 4,095} */
    public int node()
    {
        return FlowKey.sourceNode(flowKey);
    }

    /**
     * The incarnation in the name of a transfer.
     *
     * @param transfer name.
     * @return any number.
     */
    public static int incarnationOf(final long transfer)
    {
        return (int)(transfer >>> Integer.SIZE);
    }

    /** {@return arguments 0 and 1; words 4 and 5 of the header} */
    public long arguments01()
    {
        return arguments01;
    }

    /** {@return arguments 2 and 3; words 6 and 7 of the header} */
    public long arguments23()
    {
        return arguments23;
    }

    /** {@return what the receiver takes the pieces with; what was attached, or null} */
    public Object attachment()
    {
        return attachment;
    }

    /**
     * Attaches something for the time of the transfer.
     *
     * @param newAttachment what.
     */
    public void attach(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    /** {@return the message, as far as it has come; from index 0: its block} */
    public AtomicBuffer memory()
    {
        return memory;
    }

    /** {@return whether the message is handled as a whole; false for one whose pieces are taken as they come} */
    public boolean hasMemory()
    {
        return isWhole;
    }

    /** {@return whether the receiver said that the bytes may come; false while the request waits} */
    public boolean isGranted()
    {
        return isGranted;
    }

    /** Counts the calls since something has come. Returns 0 the first time. */
    public int restCount()
    {
        restCount = positionSeen == position ? restCount + 1 : 0;
        positionSeen = position;
        return restCount;
    }

    /**
     * Looks whether a grant may have to be said once more: the link that it went over was lost, or nothing has come
     * for long, and then twice as long.
     *
     * @param link from here to the sender, as it is now; null if there is none.
     */
    boolean isGrantDue(final EndpointLink link)
    {
        final EndpointLink before = answerLink;
        answerLink = link;
        silentCount = positionLooked == position ? silentCount + 1 : 0;
        positionLooked = position;
        return (before != null && (before != link || before.isPeerGone())) ||
            (silentCount >= SILENT_COUNT_MIN && Integer.bitCount(silentCount) == 1);
    }

    void advance(final int length)
    {
        position += length;
        assert isGranted && length >= 0 && position <= totalLength : position;
    }
}
