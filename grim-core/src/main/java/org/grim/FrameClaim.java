// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.MutableDirectBuffer;

/**
 * Room in the next hop between claim and publish. The application has one made by {@link Endpoint#newClaim()}, gives it
 * to {@link Link#tryClaim}, fills the payload and then calls {@link #publish()} or {@link #abort()}; it can be used
 * again afterwards.
 * <p>Thread: the one that claimed. Owns nothing: the room belongs to the claimer until it is published or aborted.
 */
public interface FrameClaim
{
    /** {@return where the payload goes: the buffer; write only from {@link #offset()} for {@link #length()} bytes} */
    MutableDirectBuffer buffer();

    /** {@return first byte of the payload: an index in {@link #buffer()}} */
    int offset();

    /** {@return bytes of the payload; as claimed} */
    int length();

    /**
     * Sets the message's arguments, which are 0 otherwise. To be called before publishing.
     *
     * @param a0 argument 0.
     * @param a1 argument 1.
     * @param a2 argument 2.
     * @param a3 argument 3.
     * @return this.
     */
    FrameClaim arguments(int a0, int a1, int a2, int a3);

    /**
     * Makes the message visible: one release store.
     *
     * @throws IllegalStateException if the claim is not open, or the node has left meanwhile: there is no message then;
     *     or if another thread owns the link: then nothing has happened.
     */
    void publish();

    /** Gives the room back; the receiver never learns of it. */
    void abort();

    /** {@return whether the claim still has to be ended; true between a successful claim and its end} */
    boolean isOpen();
}
