// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message in the arrival buffer, as its handler sees it. Valid only inside the handler: afterwards every call throws;
 * {@link #keep()} keeps a message for longer.
 * <p>Thread: the one that runs the handler. Owns nothing: the bytes are the queue's again when the handler returns.
 */
public interface ActiveMessage extends Answerable
{
    /**
     * Returns the sender, with the channel that it sent from: the destination of a reply.
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
     * Keeps this message beyond the handler's return, until it is released: in any order, also when the sender is gone.
     * It is copied into memory of the endpoint, on every transport: a kept message holds up neither its sender nor the
     * messages behind it. The endpoint has {@code grim.message.kept-length} bytes for all of them. Allocates nothing
     * once as many messages as ever were kept at a time.
     *
     * @return the kept message; null if there is no room for it now, which is counted. Then the sender may be asked, by
     *     a reply, to send it again.
     * @throws GrimException         if the system has no memory.
     * @throws IllegalStateException if the endpoint was closed by this handler.
     */
    KeptMessage keep();

    /**
     * Answers the sender with a text. Allocates its bytes.
     *
     * @param replyHandler to run there.
     * @param text         to send, in UTF-8.
     * @return outcome: {@link SendStatus#QUEUED} if the path back is full now.
     */
    SendStatus reply(HandlerId replyHandler, String text);

    /**
     * Answers the sender without a payload.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @return outcome: {@link SendStatus#QUEUED} if the path back is full now.
     */
    SendStatus reply(HandlerId replyHandler, int a0);

    /**
     * Answers the sender, on the channel that the message came from, in order with what is sent from the same channel
     * to the same endpoint. If the sender's node has gone, the answer goes to the next owner of the number if there is
     * one, else gets {@link SendStatus#PEER_GONE}.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload; may be this message's own {@link #buffer()}.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @return outcome: {@link SendStatus#QUEUED} if the path back is full now.
     * @throws GrimException if the overflow queue's ceiling is reached, or no path back can be made now: the sender has
     *     no receive queue for one more, or the system of this host has no memory for a path.
     */
    SendStatus reply(
        HandlerId replyHandler, int a0, int a1, int a2, int a3, DirectBuffer source,
        int offset, int length);

    /**
     * Function that the receiver of an active message runs.
     * <p>Thread: the one that polls the endpoint. A handler may read the message, send and reply (with the overflow
     * queue behind it), {@link #keep() keep} it, and resolve nothing: it must not poll, block, or use the view later.
     */
    @FunctionalInterface
    interface Handler
    {
        /**
         * Takes one message. Its exceptions go to the configured error handler; the message counts as consumed.
         *
         * @param message a view that is valid only until this returns.
         */
        void onMessage(ActiveMessage message);
    }

    /**
     * A message that a {@link Stream.Handler} takes piece by piece. Valid from its beginning to its end.
     * <p>Thread: the one that runs the handler.
     */
    interface Stream extends Answerable
    {
        /**
         * Returns the sender, with the channel that it sends from: the destination of a reply.
         *
         * @return the same object for the same endpoint.
         */
        EndpointId source();

        /**
         * {@return which endpoint of this node, and which channel, it is sent to: the same object for the same
         *     endpoint}
         */
        EndpointId destination();

        /** {@return the handler that runs: its id} */
        HandlerId handler();

        /** {@return bytes of the message; 0 or more} */
        long totalLength();

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
         * Function for a message that the receiver takes piece by piece, while it arrives. Streams of several senders,
         * and of several links of one sender, interleave: {@link Stream} distinguishes them, and keeps an attachment of
         * the handler.
         * <p>Thread: the one that polls the endpoint. A handler may send and reply, and must not poll or block, nor
         * keep a piece's buffer. If a method throws, that goes to the configured error handler, and the handler sees no
         * more of the stream: the message counts as consumed.
         */
        interface Handler
        {
            /**
             * A message begins.
             *
             * @param stream that it is; the same object until its end.
             */
            void onBegin(Stream stream);

            /**
             * Takes the next bytes. The pieces do not correspond to the sender's pieces.
             *
             * @param stream   that they belong to.
             * @param buffer   holding them until this returns.
             * @param offset   first byte.
             * @param length   bytes, 1 or more.
             * @param position of the first byte in the message.
             */
            void onPiece(Stream stream, DirectBuffer buffer, int offset, int length, long position);

            /**
             * All bytes were there.
             *
             * @param stream that has ended; its object is another message's when this returns.
             */
            void onEnd(Stream stream);

            /**
             * Reports that the sender gave the message up, died, or lost the path: nothing more will come.
             *
             * @param stream that has ended; its object is another message's when this returns.
             */
            void onAbort(Stream stream);
        }
    }
}
