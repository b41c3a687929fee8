// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.SendStatus;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

/**
 * What a transport gives for one way to one endpoint: the next hop's bounded buffer, seen by its sender. A link stands
 * on it and adds the header, order with the overflow queue, and counters.
 * <p>Thread: the link's owner only. Never blocks, never allocates.
 */
public interface Hop extends HopClaim.Publisher
{
    /** Bytes of a header. */
    int HEADER_LENGTH = MessageHeader.LENGTH;
    /** Most payload bytes of one message, the MTU of the message format. */
    int PAYLOAD_LENGTH_MAX = MessageHeader.PAYLOAD_LENGTH_MAX;

    /**
     * Returns whether a message counts as one of the application's: parts of long messages but the last do not.
     *
     * @param buffer       holding the message.
     * @param headerOffset first byte of the header.
     * @return true for what {@link #unknownCount()} and {@link #undeliveredCount()} count.
     */
    static boolean isCounted(final DirectBuffer buffer, final int headerOffset)
    {
        return isCounted(MessageHeader.second(buffer.getLong(headerOffset + MessageHeader.EXTENT_OFFSET)));
    }

    /**
     * The same of a message whose header is at hand.
     *
     * @param extentWords words 2 and 3 of the header.
     * @return true for what {@link #unknownCount()} and {@link #undeliveredCount()} count.
     */
    static boolean isCounted(final long extentWords)
    {
        return !LargeMessageIds.isPart(MessageHeader.handler(extentWords));
    }

    /**
     * Claims room for a header and a payload. At most one claim of a hop is open at a time.
     *
     * @param payloadLength bytes, 0 to {@link #payloadLengthMax()}; the link has checked it.
     * @param claim         that describes the room, untouched unless {@link SendStatus#SENT} is returned.
     * @return {@link SendStatus#SENT} if room was claimed; otherwise why not, and nothing has happened.
     */
    SendStatus tryClaim(int payloadLength, HopClaim claim);

    /**
     * Sends a message of a hop that has no shorter step for it: claims room, fills it and publishes.
     *
     * @param hop         to send by.
     * @param claim       to work with, not open.
     * @param wordOne     of the header, as the words that follow.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @return as {@link #trySend}.
     * @throws IndexOutOfBoundsException if the payload is not inside its source; nothing has happened then.
     */
    static SendStatus sendByClaim(
        final Hop hop, final HopClaim claim, final int wordOne, final long extentWords, final long arguments01,
        final long arguments23, final DirectBuffer source, final int offset, final int length)
    {
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        }
        final SendStatus status = hop.tryClaim(length, claim);
        if (status == SendStatus.SENT)
        {
            MessageHeader.write(
                claim.buffer(), claim.headerOffset(), wordOne, extentWords, arguments01, arguments23);
            if (length > 0)
            {
                claim.buffer().putBytes(claim.offset(), source, offset, length);
            }
            claim.publish();
        }
        return status;
    }

    /**
     * Sends a whole message in one step. The link has checked the length. A hop that has no shorter step calls {@link
     * #sendByClaim}.
     *
     * @param wordOne     of the header, as the words that follow.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload, 0 to {@link #payloadLengthMax()}.
     * @return {@link SendStatus#SENT} if the message was published; otherwise why not, and nothing has happened.
     * @throws IndexOutOfBoundsException if the payload is not inside its source; nothing has happened then.
     */
    SendStatus trySend(
        int wordOne, long extentWords, long arguments01, long arguments23, DirectBuffer source, int offset, int length);

    /** {@return most payload bytes of one message; bytes, at most the MTU of the message format} */
    int payloadLengthMax();

    /**
     * Returns whether this path leads nowhere any more: the peer that it was made to, or a hop of it, left or died.
     *
     * @return true from then on, also when a new incarnation is up.
     */
    boolean isPeerGone();

    /**
     * Messages that were published and of which it is not known that the peer took them out of the next hop. Parts of
     * long messages are none, but for the final one (built-in handlers 5, 6, 8, 9 and 11).
     *
     * @return the count; exact as soon as the peer is gone.
     */
    long unknownCount();

    /**
     * Messages that were published and certainly did not arrive; parts as for {@link #unknownCount()}.
     *
     * @return the count, as it was when {@link #unknownCount()} was called last: so that each message is in one of the
     *     two. 0 where a published message is the peer's at once.
     */
    default long undeliveredCount()
    {
        return 0;
    }

    /**
     * Wakes the receiver if it sleeps, as a message does: something else that it waits for was stored in its memory
     * before this call.
     */
    default void wakeReceiver()
    {
        // A receiver that never sleeps, or notices by itself.
    }

    /**
     * Returns whether the peer, which is gone, may have said more about what it read than has come by now. For a short
     * time only.
     *
     * @return false if the counts are as exact as they become.
     */
    default boolean isAccountComing()
    {
        return false;
    }

    /**
     * The application gets claims of this hop from now on. It may keep their buffer, so the memory behind it must stay
     * mapped for as long as that can be reached.
     */
    default void lent()
    {
        // A hop whose memory is never unmapped by hand has nothing to note.
    }

    /**
     * Has a hop through which nothing has passed for long give back what it takes while it lasts. It goes on: the next
     * {@link #tryClaim} takes it again, and may be back-pressured until then. Called now and then, while no claim is
     * open.
     */
    default void releaseIfIdle()
    {
        // A hop that takes nothing while it is silent has nothing to give back.
    }

    /**
     * Closes this hop. Published messages are still delivered. Of the other methods only {@link #trySend} and
     * {@link #tryClaim} may be called afterwards, if the peer was gone: they say so, and touch no memory of the peer.
     */
    void close();
}
