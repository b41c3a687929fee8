// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.time.Duration;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * Endpoint.Sender's view of the path to one endpoint on one logical channel. Messages of one link arrive once, in
 * order.
 * <p>Thread: the owner of the endpoint that made it; {@link SharedLink} for several threads.
 * <p>Owns: nothing; claimed room belongs to the caller until {@link FrameClaim#publish()}.
 * <p>Bounds: never blocks; allocates nothing after the first messages.
 */
public interface Link extends Endpoint.Sender
{
    /**
     * Sends an active message, and polls while the next hop is full, so that two nodes that send to each other both
     * advance. Not for handlers.
     *
     * @param handler      to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @param idleStrategy between polls that found nothing.
     * @return anything but {@link SendStatus#BACK_PRESSURED}.
     */
    SendStatus sendBlocking(
        HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer source, int offset, int length,
        IdleStrategy idleStrategy);

    /**
     * Sends the whole of several buffers as one message, gathered by one copy into the next hop: wrap the parts of
     * longer ones. Allocates nothing if the caller keeps the array.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param pieces  of the payload, in order; free for reuse on return.
     * @return what became of it.
     * @throws IllegalArgumentException if all together are too long.
     */
    SendStatus send(HandlerId handler, int a0, int a1, int a2, int a3, DirectBuffer... pieces);

    /**
     * Sends a text as a request; see
     * {@link #request(HandlerId, int, int, int, DirectBuffer, int, int, Duration, Reply)}. Allocates its bytes.
     *
     * @param handler to run there.
     * @param text    to send, in UTF-8.
     * @param timeout longest time until the answer.
     * @param reply   not in use; made by this endpoint.
     * @return what became of it.
     */
    SendStatus request(HandlerId handler, String text, Duration timeout, Reply reply);

    /**
     * Sends a request: a message that its handler answers by {@link Answerable#reply(String)}, at once or, if it
     * {@linkplain ActiveMessage#keep() keeps} it, later. If the status is an accepting one, the request ends once,
     * while this endpoint polls: the reply has the answer, or says why there is none. A time-out is noticed up to 50 ms
     * late while the endpoint sleeps. Argument 3 is the request's own: its correlation.
     *
     * @param handler to run there.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param source  holding the payload; may be null if {@code length} is 0. Free for reuse on return.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, as for a send.
     * @param timeout longest time until the answer, from now on; 0 or more.
     * @param reply   not in use; made by this endpoint.
     * @return what became of it; if it was not accepted, the reply has no request.
     * @throws IllegalStateException    if the reply is in use.
     * @throws IllegalArgumentException if the length is out of range, or the reply is another endpoint's.
     */
    SendStatus request(
        HandlerId handler, int a0, int a1, int a2, DirectBuffer source, int offset, int length, Duration timeout,
        Reply reply);

    /**
     * Claims room in the next hop, to be filled without a copy. After {@link SendStatus#SENT} or
     * {@link SendStatus#QUEUED} the claim must be published or aborted before this link is used again. The four
     * arguments are 0 unless {@link FrameClaim#arguments} sets them.
     *
     * @param handler to run there.
     * @param length  bytes of the payload, as for a send.
     * @param claim   that describes the room if the status is an accepting one.
     * @return what became of it.
     * @throws IllegalArgumentException if the length is out of range.
     */
    SendStatus tryClaim(HandlerId handler, int length, FrameClaim claim);

    /**
     * Begins a message that is added piece by piece. In a handler it takes its turn behind what waits. It may be longer
     * than {@code grim.message.length-max} and the memory for reassembly if its handler takes a stream: no memory is
     * reserved. Another handler's node refuses one above its own {@code length-max}, and the stream ends as
     * {@link SendStatus#CLOSED}.
     *
     * @param handler     to run there.
     * @param a0          argument 0.
     * @param a1          argument 1.
     * @param a2          argument 2.
     * @param a3          argument 3.
     * @param totalLength bytes of all pieces, 0 or more.
     * @param stream      not open; opened if the status is an accepting one.
     * @return {@link SendStatus#SENT} if it is open; otherwise why not.
     * @throws IllegalArgumentException if the length is negative.
     */
    SendStatus tryOpenStream(
        HandlerId handler, int a0, int a1, int a2, int a3, long totalLength, MessageStream stream);
}
