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
     * Takes one message in place. Its bytes are the queue's again when this returns.
     *
     * @param first         words 0 and 1 of the header, as they were judged.
     * @param second        words 2 and 3 of the header.
     * @param buffer        holding header and payload.
     * @param headerOffset  first byte of the header.
     * @param payloadOffset first byte of the payload; all of it has been checked to lie where payloads of the queue do.
     * @param payloadLength bytes of the payload.
     */
    void onMessage(
        long first, long second, MutableDirectBuffer buffer, int headerOffset, int payloadOffset, int payloadLength);

    /**
     * Learns of bytes that a queue refused and passed over.
     *
     * @param reason why.
     * @param queue  that they came through.
     */
    void onReject(RejectReason reason, ArrivalQueue queue);
}
