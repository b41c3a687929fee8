// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message that a {@link ArrivingStream.Handler} takes piece by piece. Valid from its beginning to its end.
 * <p>Thread: the one that runs the handler.
 */
public interface ArrivingStream
{
    /**
     * Who sends it, with the channel that it is sent from: where a reply goes.
     *
     * @return the same object for the same endpoint.
     */
    EndpointId source();

    /**
     * {@return which endpoint of this node, and which channel, it is sent to: the same object for the same endpoint}
     */
    EndpointId destination();

    /** {@return the handler that runs: its id} */
    HandlerId handler();

    /** {@return bytes of the message; 0 or more} */
    int totalLength();

    /**
     * One of the four arguments.
     *
     * @param index 0 to 3.
     * @return the argument.
     */
    int argument(int index);

    /** {@return what the handler attached; null at the beginning} */
    Object attachment();

    /**
     * Keeps something of the handler's until the end: where the pieces go, for example.
     *
     * @param newAttachment what.
     */
    void attach(Object newAttachment);

    /**
     * Answers the sender, on the channel that the message comes from; see {@link ActiveMessage#reply}.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @return what became of it.
     */
    SendStatus reply(
        HandlerId replyHandler, int a0, int a1, int a2, int a3, DirectBuffer source,
        int offset, int length);

    /**
     * What the receiver of a message runs that it takes piece by piece, while it arrives. Streams of several senders,
     * and of several links of one sender, interleave: {@link ArrivingStream} tells them apart, and keeps what the
     * handler attaches.
     * <p>Thread: the one that polls the endpoint. A handler may send and reply, and must not poll or block, nor keep a
     * piece's buffer. If a method throws, that goes to the configured error handler, and the handler sees no more of
     * the stream: the message counts as consumed.
     */
    interface Handler
    {
        /**
         * A message begins.
         *
         * @param stream that it is; the same object until its end.
         */
        void onBegin(ArrivingStream stream);

        /**
         * The next bytes are there. How the message is cut into pieces has nothing to do with how it was sent.
         *
         * @param stream   that they belong to.
         * @param buffer   holding them until this returns.
         * @param offset   first byte.
         * @param length   bytes, 1 or more.
         * @param position of the first byte in the message.
         */
        void onPiece(ArrivingStream stream, DirectBuffer buffer, int offset, int length, int position);

        /**
         * All bytes were there.
         *
         * @param stream that has ended; its object is another message's when this returns.
         */
        void onEnd(ArrivingStream stream);

        /**
         * The sender gave the message up, died, or lost the way: nothing more will come.
         *
         * @param stream that has ended; its object is another message's when this returns.
         */
        void onAbort(ArrivingStream stream);
    }
}
