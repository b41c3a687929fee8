// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message that its handler {@linkplain ActiveMessage#keep() kept}, until it is released. Every call but
 * {@link #release()} throws an {@link IllegalStateException} afterwards, and after the endpoint was closed.
 * <p>Thread: the endpoint's owner. Others may read the payload in {@link #buffer()} until the release.
 * <p>Owns: its room in the endpoint's memory for kept messages. The object is used again for other messages: after the
 * release no reference to it may stay.
 */
public interface KeptMessage extends Answerable
{
    /**
     * Returns the sender, with the channel that it sent from: the destination of an answer.
     *
     * @return the same object for the same endpoint.
     */
    EndpointId source();

    /**
     * {@return which endpoint of this node, and which channel, it was sent to: the same object for the same endpoint}
     */
    EndpointId destination();

    /** {@return the handler that kept it: its id} */
    HandlerId handler();

    /**
     * One of the four arguments.
     *
     * @param index 0 to 3.
     * @return the argument.
     */
    int argument(int index);

    /**
     * Where the payload lies. Read only from {@link #offset()} for {@link #length()} bytes: other kept messages lie
     * beside it.
     *
     * @return the memory of kept messages; mapped for as long as it can be reached.
     */
    DirectBuffer buffer();

    /** {@return first byte of the payload: an index in {@link #buffer()}} */
    int offset();

    /** {@return bytes of the payload; 0 or more} */
    int length();

    /**
     * Gives the room back; others' bytes may stand there at once. Does nothing when the endpoint is closed, which gave
     * back all.
     *
     * @throws IllegalStateException if it was released before, as long as the object serves no other message.
     */
    void release();
}
