// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.MutableDirectBuffer;
import org.grim.FrameClaim;

/**
 * A claim as hops and links see it: the description of the room, and the two who end it. A hop fills it in
 * {@link Hop#tryClaim}.
 * <p>Thread: the one that claimed. Owns nothing: the room belongs to the claimer until it is published or aborted.
 */
public final class HopClaim implements FrameClaim
{
    private Publisher publisher;
    private Publisher lender;
    private MutableDirectBuffer buffer;
    private int headerOffset;
    private int offset;
    private int length;
    private long position;
    private long arguments01;
    private long arguments23;
    private boolean isOpen;

    /** Makes a claim that is not open. */
    public HopClaim()
    {
        // Everything is set when room is claimed.
    }

    /** The object that completes a claim: the hop that gave the room, or the link that lends it to an application. */
    public interface Publisher
    {
        /**
         * Makes the message visible to the receiver.
         *
         * @param claim made by this publisher and not yet ended.
         */
        void publish(HopClaim claim);

        /**
         * Gives the room back unused.
         *
         * @param claim made by this publisher and not yet ended.
         */
        void abort(HopClaim claim);

        /**
         * Refuses a thread that may not end the claim, which stays open.
         *
         * @throws IllegalStateException if the caller's is such a thread.
         */
        default void checkThread()
        {
            // Claims that applications do not get are ended by those who claimed.
        }
    }

    /**
     * For transports: describes the room that was claimed.
     *
     * @param newPublisher     that will complete it.
     * @param newBuffer        holding header and payload.
     * @param newHeaderOffset  first byte of the header.
     * @param newPayloadOffset first byte of the payload.
     * @param newLength        bytes of the payload.
     * @param newPosition      the publisher's own, given back by {@link #position()}.
     */
    public void claimed(
        final Publisher newPublisher, final MutableDirectBuffer newBuffer, final int newHeaderOffset,
        final int newPayloadOffset, final int newLength, final long newPosition)
    {
        // Storing a reference costs a collector's barrier: only when it changes.
        if (publisher != newPublisher)
        {
            publisher = newPublisher;
        }
        if (buffer != newBuffer)
        {
            buffer = newBuffer;
        }
        headerOffset = newHeaderOffset;
        offset = newPayloadOffset;
        length = newLength;
        position = newPosition;
        arguments01 = 0;
        arguments23 = 0;
        isOpen = true;
    }

    /**
     * For links: has the application end this claim through another publisher, which ends it at the one that gave the
     * room. It holds from then on for all claims that this object describes.
     *
     * @param newLender that the application's calls go to.
     */
    public void lend(final Publisher newLender)
    {
        if (lender != newLender)
        {
            lender = newLender;
        }
    }

    /** For lenders: makes the message visible. */
    public void publishRoom()
    {
        publisher.publish(this);
    }

    /** For lenders: gives the room back. */
    public void abortRoom()
    {
        publisher.abort(this);
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return offset;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public HopClaim arguments(final int a0, final int a1, final int a2, final int a3)
    {
        arguments01 = (long)a0 << Integer.SIZE | Integer.toUnsignedLong(a1);
        arguments23 = (long)a2 << Integer.SIZE | Integer.toUnsignedLong(a3);
        return this;
    }

    /**
     * For links: the first two arguments.
     *
     * @return argument 0 in the upper half, argument 1 in the lower one.
     */
    public long arguments01()
    {
        return arguments01;
    }

    /**
     * For links: the last two arguments.
     *
     * @return argument 2 in the upper half, argument 3 in the lower one.
     */
    public long arguments23()
    {
        return arguments23;
    }

    @Override
    public void publish()
    {
        end().publish(this);
    }

    @Override
    public void abort()
    {
        end().abort(this);
    }

    @Override
    public boolean isOpen()
    {
        return isOpen;
    }

    /**
     * For links: first byte of the header.
     *
     * @return an index in {@link #buffer()}.
     */
    public int headerOffset()
    {
        return headerOffset;
    }

    /**
     * For transports: what {@link #claimed} was given.
     *
     * @return the publisher's own number.
     */
    public long position()
    {
        return position;
    }

    /** For links: lets go of the memory that the last claim was of, unless it is open. */
    public void forget()
    {
        if (!isOpen)
        {
            publisher = null;
            lender = null;
            buffer = null;
        }
    }

    private Publisher end()
    {
        if (!isOpen)
        {
            throw new IllegalStateException("claim is not open: it was published, aborted or never made");
        }
        final Publisher ending = lender == null ? publisher : lender;
        ending.checkThread();
        isOpen = false;
        return ending;
    }
}
