// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * What the receiver of a message runs that it takes piece by piece, while it arrives. Streams of several senders, and
 * of several links of one sender, interleave: {@link ArrivingStream} tells them apart, and keeps what the handler
 * attaches.
 * <p>Thread: the one that polls the endpoint. A handler may send and reply, and must not poll or block, nor keep a
 * piece's buffer. If a method throws, that goes to the configured error handler, and the handler sees no more of the
 * stream: the message counts as consumed.
 */
public interface StreamHandler
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
