// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * What a {@link Link} and a {@link SharedLink} have in common: they send whole messages to one endpoint.
 * <p>Thread: as the link's. Never blocks; but for texts, allocates nothing after the first messages.
 */
public interface Sender
{
    /** {@return where the messages go: the name of the endpoint} */
    EndpointId destination();

    /**
     * Most payload bytes that go in one piece on this link: its MTU. A longer message, up to
     * {@code grim.message.length-max}, is as welcome; it costs more, and the receiver has to have room for it.
     *
     * @return bytes.
     */
    int payloadLengthMax();

    /**
     * Sends a payload; see {@link #send(HandlerId, int, int, int, int, DirectBuffer, int, int)}.
     *
     * @param handler to run there.
     * @param source  holding the payload; free for reuse on return.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@code grim.message.length-max}.
     * @return what became of it.
     */
    SendStatus send(HandlerId handler, DirectBuffer source, int offset, int length);

    /**
     * Sends four arguments without a payload.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @return what became of it.
     */
    SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3);

    /**
     * Sends a text, which the receiver has as {@link ActiveMessage#text()}. Allocates its bytes.
     *
     * @param handler to run there.
     * @param text    to send, in UTF-8.
     * @return what became of it.
     */
    SendStatus send(HandlerId handler, String text);

    /**
     * Sends an active message, copying the payload once, into the next hop. A payload above the MTU is copied to where
     * the receiver reads it in place, if both sides share memory; else to the overflow queue
     * ({@link SendStatus#QUEUED}), from where it leaves in parts while the endpoint polls; all of it or nothing.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload; may be null if {@code length} is 0. Free for reuse on return.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@code grim.message.length-max}.
     * @return what became of it.
     * @throws IllegalArgumentException  if the length is out of range.
     * @throws IllegalStateException     if the handler has no number yet.
     * @throws IndexOutOfBoundsException if the payload does not lie within its buffer; nothing has happened.
     * @throws org.grim.GrimException   if a long payload is above what the overflow queue can ever hold, or, in a
     *                                  handler, holds now: {@code sendBlocking} and streams do not need it.
     */
    SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length);
}
