// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message that is sent piece by piece, after the manner of Fast Messages 2: begun with its total length, gathered
 * from as many buffers as there are, ended. The application has one made by {@link Endpoint#newStream()}, gives it to
 * {@link Link#tryOpenStream}, and can use it again when it has been ended. Nothing of it waits in this process: what
 * the next hop does not take is not taken.
 * <p>The receiver first has to agree, and has to have room if it takes the message as a whole; until then {@link #add}
 * takes nothing. While the stream is open, other messages of the link wait behind it.
 * <p>Thread: the link's. Owns: the link's turn, until it is ended, aborted, or the peer is gone.
 */
public interface MessageStream
{
    /**
     * Adds the next bytes, as many as there is room for now.
     *
     * @param source holding them; free for reuse on return, as far as they were taken.
     * @param offset first byte.
     * @param length bytes.
     * @return bytes that were taken, 0 to {@code length}; if less than all, {@link #status()} says why.
     * @throws IllegalArgumentException if the message would become longer than it was begun with.
     */
    int add(DirectBuffer source, int offset, int length);

    /**
     * Ends the message: the receiver handles it.
     *
     * @return {@link SendStatus#SENT}; {@link SendStatus#BACK_PRESSURED}: poll, and end it again;
     *     {@link SendStatus#PEER_GONE} or {@link SendStatus#CLOSED}: there is no message.
     * @throws IllegalStateException if bytes are missing.
     */
    SendStatus end();

    /** Gives the message up: a handler that takes pieces learns of it, any other one does not run. */
    void abort();

    /**
     * Returns the status of the last {@link #add} or {@link #end}: {@link SendStatus#SENT} if everything was taken,
     * {@link SendStatus#BACK_PRESSURED} if the receiver has not agreed yet or there is no room,
     * {@link SendStatus#PEER_GONE}, or {@link SendStatus#CLOSED} if this side or the receiver gave the message up.
     *
     * @return the status.
     */
    SendStatus status();

    /** {@return whether pieces may be added; false before it is opened, and after its end for any reason} */
    boolean isOpen();

    /** {@return bytes of the message; as begun} */
    long totalLength();

    /** {@return bytes that were taken; 0 to {@link #totalLength()}} */
    long position();
}
