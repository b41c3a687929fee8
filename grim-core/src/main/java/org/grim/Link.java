// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * Sender's view of the way to one endpoint on one logical channel. Messages of one link arrive once, in order.
 * <p>Thread: the owner of the endpoint that made it; {@link SharedLink} for several threads.
 * <p>Owns: nothing; claimed room belongs to the caller until {@link FrameClaim#publish()}.
 * <p>Bounds: never blocks; allocates nothing after the first messages.
 */
public interface Link
{
    /**
     * Where the messages go.
     *
     * @return the name of the endpoint.
     */
    EndpointId destination();

    /**
     * Most payload bytes that go in one piece on this link: its MTU. A longer message, up to
     * {@code grim.message.length-max}, is as welcome; it costs more, and the receiver has to have room for it.
     *
     * @return bytes.
     */
    int payloadLengthMax();

    /**
     * Sends an active message, copying the payload once, into the next hop. A payload above the MTU is copied to where
     * the receiver reads it in place, if both sides share memory; else to the overflow queue
     * ({@link SendStatus#QUEUED}), from where it leaves in parts while the endpoint polls; all of it or nothing.
     *
     * @param handler to run there, 16 to 65,535, from the handler registry.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload; may be null if {@code length} is 0. Free for reuse on return.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@code grim.message.length-max}.
     * @return what became of it.
     * @throws IllegalArgumentException  if length or handler is out of range.
     * @throws IndexOutOfBoundsException if the payload does not lie within its buffer; nothing has happened.
     * @throws org.grim.GrimException   if a long payload is above what the overflow queue can ever hold, or, in a
     *                                  handler, holds now: {@code sendBlocking} and streams do not need it.
     */
    SendStatus send(int handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);

    /**
     * Claims room in the next hop, to be filled without a copy. After {@link SendStatus#SENT} or
     * {@link SendStatus#QUEUED} the claim must be published or aborted before this link is used again.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param length  bytes of the payload, as for {@link #send}.
     * @param claim   that describes the room if the status is an accepting one.
     * @return what became of it.
     * @throws IllegalArgumentException if length or handler is out of range.
     */
    SendStatus tryClaim(int handler, int a0, int a1, int a2, int a3, int length, FrameClaim claim);

    /**
     * Begins a message that is added piece by piece. In a handler it takes its turn behind what waits.
     *
     * @param handler     to run there.
     * @param a0          argument 0.
     * @param a1          argument 1.
     * @param a2          argument 2.
     * @param a3          argument 3.
     * @param totalLength bytes of all pieces, 0 to {@code grim.message.length-max}.
     * @param stream      not open; opened if the status is an accepting one.
     * @return {@link SendStatus#SENT} if it is open; otherwise why not.
     * @throws IllegalArgumentException if length or handler is out of range.
     */
    SendStatus tryOpenStream(
        int handler, int a0, int a1, int a2, int a3, int totalLength, MessageStream stream);
}
