// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;

/**
 * Where arrival queues hand over what they drain.
 * <p>Thread: the message loop's. Implementations never throw.
 */
public interface MessageSink
{
    /**
     * Takes one message in place. Header and payload are the queue's again when this returns.
     *
     * @param header        buffer holding the header; its GRIM id, type and length have been judged.
     * @param headerOffset  first byte of the header.
     * @param payload       buffer holding the payload.
     * @param payloadOffset first byte of the payload; the whole payload has been checked to lie in the buffer.
     * @param payloadLength bytes of the payload, read once from the header.
     */
    void onMessage(
        MutableDirectBuffer header, int headerOffset, MutableDirectBuffer payload, int payloadOffset,
        int payloadLength);

    /**
     * Learns of bytes that a queue refused and passed over.
     *
     * @param reason why.
     * @param queue  that they came through.
     */
    void onReject(RejectReason reason, ArrivalQueue queue);
}
