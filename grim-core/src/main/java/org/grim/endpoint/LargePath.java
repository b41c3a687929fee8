// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.transport.HopClaim;

/**
 * The part of a link that sends messages above the MTU, and streams.
 * <p>Thread: the endpoint's owner.
 */
public interface LargePath
{
    /**
     * Returns whether a message can be read in place if nothing is ahead of it.
     *
     * @param length of the payload, above the MTU or not.
     * @return true if it can.
     */
    boolean canGoInPlace(int length);

    /**
     * Sends a message that is above the MTU, or long enough to be read in place.
     *
     * @param handler     to run there.
     * @param arguments01 words 4 and 5 of the header.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @return the outcome.
     */
    SendStatus send(int handler, long arguments01, long arguments23, DirectBuffer source, int offset, int length);

    /**
     * Sends a message, and polls while there is no room for it.
     *
     * @param handler      to run there.
     * @param arguments01  words 4 and 5 of the header.
     * @param arguments23  words 6 and 7.
     * @param source       holding the payload.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @param poll         of the endpoint.
     * @param idleStrategy between polls that found nothing.
     * @return anything but {@link SendStatus#BACK_PRESSURED}.
     */
    SendStatus sendBlocking(
        int handler, long arguments01, long arguments23, DirectBuffer source, int offset, int length, IntSupplier poll,
        IdleStrategy idleStrategy);

    /**
     * Claims room for a message.
     *
     * @param handler     to run there.
     * @param length      bytes of the payload.
     * @param claim       that describes the room if the status is an accepting one.
     * @return the outcome.
     */
    SendStatus claim(int handler, int length, HopClaim claim);

    /**
     * Begins a message that is added piece by piece.
     *
     * @param handler     to run there.
     * @param arguments01 words 4 and 5 of the header.
     * @param arguments23 words 6 and 7.
     * @param totalLength bytes of all pieces.
     * @param stream      not open.
     * @return {@link SendStatus#SENT} if it is open.
     */
    SendStatus tryOpenStream(
        int handler, long arguments01, long arguments23, long totalLength, MessageStream stream);

    /** Aborts the stream that is open, if there is one. */
    void abortStream();

    /** The receiver is gone: it reads nothing any more. */
    void onPeerGone();

    /**
     * The receiver answered a request.
     *
     * @param transfer name of the transfer.
     * @param verdict  of the receiver.
     * @return false if nobody had asked that.
     */
    boolean onVerdict(long transfer, int verdict);

    /** The receiver cannot look at a message in place. Returns false if there is no such message. */
    boolean onNotInPlace(int incarnation, int sequence);

    /** The hop is no more: claims keep its memory no longer. */
    void forget();
}
