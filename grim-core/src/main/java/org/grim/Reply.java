// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * Completion of a request. {@link Endpoint#newReply()} makes one; it serves any number of requests of that endpoint,
 * one at a time ({@link Link#request(HandlerId, String, java.time.Duration, Reply)}). Every request ends: by its
 * answer, its time-out, or the end of the peer or of this endpoint, whichever comes first; a later answer is discarded.
 * <p>Thread: the endpoint's owner sends the request and completes this while it polls; any thread may ask and wait. The
 * answer stays readable until the next request.
 * <p>Owns: a copy of the answer's payload. Allocates nothing once an answer of the same length has come.
 */
public interface Reply
{
    /**
     * Looks whether the request has ended. Costs a load.
     *
     * @return true if it has, also if there was no request yet.
     */
    boolean isComplete();

    /** {@return the outcome of the last request so far} */
    Outcome outcome();

    /**
     * One of the three arguments of the answer.
     *
     * @param index 0 to 2.
     * @return the argument.
     * @throws IllegalStateException if there is no answer.
     */
    int argument(int index);

    /**
     * Returns the payload of the answer: a copy, from index 0 for {@link #length()} bytes.
     *
     * @return the same buffer each time.
     * @throws IllegalStateException if there is no answer.
     */
    DirectBuffer buffer();

    /**
     * Returns the length of the answer's payload.
     *
     * @return bytes, 0 or more.
     * @throws IllegalStateException if there is no answer.
     */
    int length();

    /**
     * Returns the payload of the answer as a text.
     *
     * @return a new string, of the bytes read as UTF-8.
     * @throws IllegalStateException if there is no answer.
     */
    String text();

    /**
     * Waits until the request has ended; the time-out bounds the wait. Polls meanwhile if the caller owns the endpoint.
     *
     * @return this.
     * @throws IllegalStateException inside a handler.
     */
    Reply await();

    /** Outcome of a request. */
    enum Outcome
    {
        /** There was no request yet. */
        NONE,
        /** The request was sent, and has no answer yet. */
        WAITING,
        /** The answer is there. */
        ANSWERED,
        /** No answer came in time. The handler may have run all the same. */
        TIMED_OUT,
        /** The peer or the path to it has gone. The handler may have run all the same. */
        PEER_GONE,
        /** This endpoint was closed, or its node has left. */
        CLOSED
    }
}
