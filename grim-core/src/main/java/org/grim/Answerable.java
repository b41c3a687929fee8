// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message that is answered without naming a handler, if it is a request
 * ({@link Link#request(HandlerId, String, java.time.Duration, Reply)}). Answer once: later answers are discarded.
 * <p>Thread: as of the message.
 */
public interface Answerable
{
    /**
     * Answers a request with a text. Allocates its bytes.
     *
     * @param text the answer, which the sender has as {@link Reply#text()}.
     * @return outcome, as of {@link #reply(int, int, int, DirectBuffer, int, int)}.
     * @throws IllegalStateException if the message is no request.
     */
    SendStatus reply(String text);

    /**
     * Answers a request: completes the sender's {@link Reply}, unless that has ended before.
     *
     * @param a0     argument 0 of the answer.
     * @param a1     argument 1.
     * @param a2     argument 2.
     * @param source holding the payload; null if the length is 0; may be the message's own buffer.
     * @param offset first byte of the payload.
     * @param length bytes of the payload.
     * @return outcome: {@link SendStatus#QUEUED} if a handler answers and the path back is full now.
     * @throws IllegalStateException if the message is no request.
     * @throws GrimException         if the overflow queue's ceiling is reached, or no path back can be made now.
     */
    SendStatus reply(int a0, int a1, int a2, DirectBuffer source, int offset, int length);
}
