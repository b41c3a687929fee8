// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;

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
     * Most payload bytes of one message on this link.
     *
     * @return bytes.
     */
    int payloadLengthMax();

    /**
     * Sends an active message, copying the payload once, into the next hop.
     *
     * @param handler to run there, 0 to 65,535, from the handler registry.
     * @param a0      argument 0.
     * @param a1      argument 1.
     * @param a2      argument 2.
     * @param a3      argument 3.
     * @param source  holding the payload; may be null if {@code length} is 0. Free for reuse on return.
     * @param offset  first byte of the payload.
     * @param length  bytes of the payload, 0 to {@link #payloadLengthMax()}.
     * @return what became of it.
     * @throws IllegalArgumentException if length or handler is out of range.
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
     * @param length  bytes of the payload, 0 to {@link #payloadLengthMax()}.
     * @param claim   that describes the room if the status is an accepting one.
     * @return what became of it.
     * @throws IllegalArgumentException if length or handler is out of range.
     */
    SendStatus tryClaim(int handler, int a0, int a1, int a2, int a3, int length, FrameClaim claim);
}
