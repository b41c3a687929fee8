// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message in the arrival buffer, as its handler sees it. Valid only inside the handler: afterwards every call throws.
 * <p>Thread: the one that runs the handler. Owns nothing: the bytes are the queue's again when the handler returns.
 */
public interface ActiveMessage
{
    /**
     * Who sent it, with the channel that it was sent from: where a reply goes.
     *
     * @return the same object for the same endpoint.
     */
    EndpointId source();

    /**
     * {@return which endpoint of this node, and which channel, it was sent to: the same object for the same endpoint}
     */
    EndpointId destination();

    /** {@return the handler that runs: its id} */
    HandlerId handler();

    /**
     * One of the four arguments.
     *
     * @param index 0 to 3.
     * @return the argument.
     */
    int argument(int index);

    /**
     * Where the payload lies. Read only from {@link #offset()} for {@link #length()} bytes.
     *
     * @return the arrival buffer.
     */
    DirectBuffer buffer();

    /** {@return first byte of the payload: an index in {@link #buffer()}} */
    int offset();

    /** {@return bytes of the payload; 0 or more} */
    int length();

    /** {@return the payload as a text: a new string, of the bytes read as UTF-8} */
    String text();

    /**
     * Answers the sender without a payload.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @return what became of it: {@link SendStatus#QUEUED} if the way back is full now.
     */
    SendStatus reply(HandlerId replyHandler, int a0);

    /**
     * Answers the sender, on the channel that the message came from.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload; may be this message's own {@link #buffer()}.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @return what became of it: {@link SendStatus#QUEUED} if the way back is full now.
     * @throws GrimException if the overflow queue's ceiling is reached.
     */
    SendStatus reply(
        HandlerId replyHandler, int a0, int a1, int a2, int a3, DirectBuffer source,
        int offset, int length);

    /**
     * What the receiver of an active message runs.
     * <p>Thread: the one that polls the endpoint. A handler may read the message, send and reply (with the overflow
     * queue behind it), and resolve nothing: it must not poll, block, or keep the message.
     */
    @FunctionalInterface
    interface Handler
    {
        /**
         * Takes one message. What it throws goes to the configured error handler; the message counts as consumed.
         *
         * @param message a view that is valid only until this returns.
         */
        void onMessage(ActiveMessage message);
    }
}
