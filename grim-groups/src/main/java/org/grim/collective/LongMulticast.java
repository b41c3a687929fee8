// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

/**
 * This node's multicast to one group that is longer than one message: a copy, sent in fragments as there is room. All
 * later multicasts wait for it.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: one message.
 */
final class LongMulticast
{
    private static final int DATA_LENGTH = Multicasts.LENGTH_MAX - Fragments.WORDS_LENGTH;

    private final Fragments fragments;
    private final Sender sender;
    private final int outsideKind;
    private final MutableDirectBuffer fragment = Buffers.wrap(new byte[0]);
    private MutableDirectBuffer copy;       // Null while nothing is being sent.
    private int handler;
    private long arguments01;
    private long arguments23;
    private boolean isOrdered;
    private int number;
    private int sentLength;

    /** Sends a multicast of at most {@link Multicasts#LENGTH_MAX} bytes. */
    @FunctionalInterface
    interface Sender
    {
        SendStatus send(
            int handler, long arguments01, long arguments23, DirectBuffer source, int offset, int length,
            boolean isOrdered);
    }

    /**
     * Nothing to send yet.
     *
     * @param outsideKind {@link Fragments#OUTSIDE} if this node sends as no member; otherwise 0.
     */
    LongMulticast(final Fragments fragments, final int outsideKind, final Sender sender)
    {
        this.outsideKind = outsideKind;
        this.fragments = fragments;
        this.sender = sender;
    }

    boolean isEmpty()
    {
        return copy == null;
    }

    /** Takes a message, of which nothing is sent yet. */
    void begin(
        final int newHandler, final long newArguments01, final long newArguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrderedNow)
    {
        source.boundsCheck(offset, length);
        if (fragment.capacity() == 0)
        {
            fragment.wrap(new byte[Multicasts.LENGTH_MAX]);
        }
        handler = newHandler;
        arguments01 = newArguments01;
        arguments23 = newArguments23;
        isOrdered = isOrderedNow;
        number = fragments.nextNumber();
        sentLength = 0;
        copy = Buffers.wrap(new byte[length]);
        copy.putBytes(0, source, offset, length);
    }

    /** Sends what there is room for; returns how many fragments were sent. */
    int step(final Roster roster)
    {
        int count = 0;
        while (copy != null && trySend(roster))
        {
            count++;
        }
        return count;
    }

    /** Nobody knows what the owner has made of the fragments that it got: another one gets all of them. */
    void onNewOwner()
    {
        if (isOrdered)
        {
            restart();
        }
    }

    /** Nobody knows where the fragments are: all of them are sent, under a new number. */
    void restart()
    {
        if (sentLength > 0)
        {
            number = fragments.nextNumber();
            sentLength = 0;
        }
    }

    /** Gives up the message; returns how many some member lacks. */
    int drop()
    {
        final int count = copy == null ? 0 : 1;
        copy = null;
        return count;
    }

    private boolean trySend(final Roster roster)
    {
        final int length = Math.min(DATA_LENGTH, copy.capacity() - sentLength);
        Fragments.fill(fragment, 0, handler, arguments01, arguments23, copy.capacity(), sentLength,
            outsideKind | (isOrdered ? Fragments.ORDERED : 0));
        fragment.putBytes(Fragments.WORDS_LENGTH, copy, sentLength, length);
        if (!sender.send(GroupTraffic.MULTICAST, Fragments.arguments01(roster), Fragments.arguments23(number), fragment,
            0, Fragments.WORDS_LENGTH + length, isOrdered).isAccepted())
        {
            return false;
        }
        sentLength += length;
        if (sentLength == copy.capacity())
        {
            copy = null;
        }
        return true;
    }
}
