// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;

/**
 * The sends of one link that its hop does not take at once: decides which of them wait and which are refused, keeps
 * those that wait in order, and moves them on. Messages, large ones and remote-memory operations of the link share it,
 * so that none overtakes another.
 * <p>Thread: the endpoint's owner. Owns: the overflow queue.
 */
public final class Backlog
{
    private final EndpointState state;
    private final EndpointId destination;
    private final Hop hop;
    private final int payloadLengthMax;
    private final LinkResources resources;
    private final LinkAccounting accounting;
    private final OverflowQueue overflow;
    private LargeRecords largeRecords;
    private int aheadCount;                 // Records that wait, and the claim that is open.
    private boolean isShut;
    private boolean isClaimOpen;

    /** Says whether a message that the hop has no room for waits, if a handler sends it. */
    enum Waiting
    {
        /** The message waits; if the overflow queue is full, an exception says so. */
        ALWAYS,
        /** The message waits unless the overflow queue is full. */
        IF_ROOM,
        /** The message does not wait: its sender keeps it. */
        NEVER
    }

    /** Moves records that go as several messages. Thread: the endpoint's owner. */
    public interface LargeRecords
    {
        /**
         * Moves the first record, a large message or the place of a stream, as far as there is room. Returns
         * {@link SendStatus#SENT} if it has left the queue; {@link SendStatus#BACK_PRESSURED} if not yet.
         */
        SendStatus move();

        /** {@return messages that the last {@link #move()} sent} */
        int partCount();

        /** Everything that waited was given up. */
        void onGivenUp(SendStatus reason);
    }

    Backlog(
        final LinkResources resources, final EndpointId destination, final Hop hop, final int payloadLengthMax,
        final LinkAccounting accounting)
    {
        this.resources = resources;
        this.destination = destination;
        this.hop = hop;
        this.payloadLengthMax = payloadLengthMax;
        this.accounting = accounting;
        state = resources.state();
        overflow = new OverflowQueue(resources.ceiling(), this::onDepthChanged);
    }

    /**
     * Sets what moves large records, before the first of them is queued.
     *
     * @param newLargeRecords of the same link.
     */
    public void largeRecords(final LargeRecords newLargeRecords)
    {
        largeRecords = newLargeRecords;
    }

    /**
     * Refuses a second thread, and any use while a claim is open.
     *
     * @throws IllegalStateException in both cases.
     */
    public void checkUse()
    {
        state.checkOwner();
        if (isClaimOpen)
        {
            throw new IllegalStateException("a claim on the link to " + destination + " is open: publish or abort it");
        }
    }

    /** Admits nothing from now on, as after the peer has gone. A claim that is open may still end. */
    void shut()
    {
        if (!isShut)
        {
            isShut = true;
            aheadCount++;                   // No send goes past admit() any more.
        }
    }

    /** {@return true after {@link #shut()}} */
    boolean isShut()
    {
        return isShut;
    }

    /** {@return true if no claim is open and nothing waits before a message of now} */
    boolean isFree()
    {
        return aheadCount == 0;
    }

    /** {@return true if the endpoint is open, no claim is open, and nothing waits before a message of now} */
    public boolean canSendNow()
    {
        return isFree() && !state.isClosed();
    }

    /**
     * Admits a send, after it moved what waits if the caller is no handler.
     *
     * @return {@link SendStatus#SENT} if nothing waits before it; {@link SendStatus#QUEUED} if it has to wait;
     *     otherwise why it is refused, which is counted.
     */
    public SendStatus admit()
    {
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (isShut)
        {
            return refused(SendStatus.PEER_GONE);
        }
        final boolean isInHandler = state.isInHandler();
        if (overflow.depth() > 0 && !isInHandler)
        {
            flush();
        }
        if (overflow.depth() == 0)
        {
            return SendStatus.SENT;
        }
        if (hop.isPeerGone())
        {
            return refused(SendStatus.PEER_GONE);
        }
        return isInHandler ? SendStatus.QUEUED : refused(SendStatus.BACK_PRESSURED);
    }

    /**
     * Sends a message that the hop can take, behind what waits.
     *
     * @param waiting     what to do while there is no room.
     * @param wordOne     of the header, as the words that follow.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @return the outcome.
     */
    SendStatus send(
        final Waiting waiting, final int wordOne, final long extentWords, final long arguments01,
        final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        final SendStatus ahead = admit();
        if (ahead != SendStatus.SENT)
        {
            return ahead == SendStatus.QUEUED ?
                queue(waiting, wordOne, extentWords, arguments01, arguments23, source, offset, length) : ahead;
        }
        final SendStatus status = hop.trySend(wordOne, extentWords, arguments01, arguments23, source, offset, length);
        if (status != SendStatus.SENT)
        {
            return onRefused(status, waiting, wordOne, extentWords, arguments01, arguments23, source, offset, length);
        }
        accounting.accepted(length);
        return status;
    }

    /** Decides about a message that the hop has refused, as {@link #send} does about others. */
    SendStatus onRefused(
        final SendStatus status, final Waiting waiting, final int wordOne, final long extentWords,
        final long arguments01, final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        refused(status);
        return status == SendStatus.BACK_PRESSURED && state.isInHandler() ?
            queue(waiting, wordOne, extentWords, arguments01, arguments23, source, offset, length) : status;
    }

    private SendStatus queue(
        final Waiting waiting, final int wordOne, final long extentWords, final long arguments01,
        final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        if (waiting == Waiting.NEVER || (waiting == Waiting.IF_ROOM && !overflow.canTake(length)))
        {
            return SendStatus.BACK_PRESSURED;
        }
        overflow.put(wordOne, extentWords, arguments01, arguments23, source, offset, length);
        accounting.accepted(length);
        return SendStatus.QUEUED;
    }

    /** Claims room in the hop, or, in a handler, behind what waits. Returns the outcome. */
    SendStatus claim(final int length, final HopClaim claim)
    {
        SendStatus status = admit();
        if (status == SendStatus.SENT)
        {
            status = hop.tryClaim(length, claim);
            if (status != SendStatus.SENT)
            {
                refused(status);
                status = status == SendStatus.BACK_PRESSURED && state.isInHandler() ? SendStatus.QUEUED : status;
            }
        }
        return status == SendStatus.QUEUED ? overflow.claim(length, claim) : status;
    }

    /** Notes a claim that the application got. */
    public void claimBegun()
    {
        assert !isClaimOpen;
        isClaimOpen = true;
        aheadCount++;
    }

    /**
     * Notes that the application ends its claim, which may be one that this link never gave.
     *
     * @throws IllegalStateException if no claim is open.
     */
    public void claimEnds()
    {
        if (!isClaimOpen)
        {
            throw new IllegalStateException("no claim on the link to " + destination + " is open");
        }
        isClaimOpen = false;
        aheadCount--;
    }

    /** {@return true between a claim and its end} */
    public boolean isClaimOpen()
    {
        return isClaimOpen;
    }

    /** {@return what waits} */
    public OverflowQueue overflow()
    {
        return overflow;
    }

    /**
     * Counts a refusal, and notes if it is one for good.
     *
     * @param status of the send.
     * @return the same.
     */
    public SendStatus refused(final SendStatus status)
    {
        accounting.refused(status);
        if (status == SendStatus.BACK_PRESSURED)
        {
            resources.probe().onBackPressure();
        }
        return status;
    }

    /**
     * Moves what waits to the next hop, in order, as far as there is room. Returns the number of messages, operations
     * and parts that were moved.
     */
    public int flush()
    {
        int count = 0;
        while (overflow.depth() > 0 && !isClaimOpen && !state.isClosed())
        {
            final boolean isLarge = overflow.isFirstLarge(payloadLengthMax);
            final SendStatus status = isLarge ? largeRecords.move() : overflow.tryMove(hop);
            count += isLarge ? largeRecords.partCount() : 0;
            if (status == SendStatus.BACK_PRESSURED)
            {
                break;
            }
            if (status != SendStatus.SENT)
            {
                return count + giveUp(status);
            }
            count++;
        }
        return count;
    }

    /**
     * Discards what waits.
     *
     * @param reason why nothing can be sent any more.
     * @return records discarded.
     */
    public int giveUp(final SendStatus reason)
    {
        final int depth = overflow.depth();
        accounting.gaveUp(overflow.discard());
        largeRecords.onGivenUp(reason);
        return depth;
    }

    private void onDepthChanged(final int change)
    {
        aheadCount += change;
        assert aheadCount == overflow.depth() + (isClaimOpen ? 1 : 0) + (isShut ? 1 : 0);
        accounting.overflowed(change);
        state.overflowed(change);
        resources.countOverflow();
    }
}
