// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import org.agrona.DirectBuffer;

/**
 * One side of a path for messages between two processes. Both sides have a queue in and a queue out. Constructors
 * of the first process make the files; those of the second open them.
 * <p>Thread: the measuring one. Nothing is allocated between {@link #prepare} and the end of a cell.
 */
public interface Peer extends AutoCloseable
{
    /** Finds the other side; most have nothing but their file. */
    default void connect()
    {
        // The file is all there is.
    }

    /** {@return the other end, for a thread of this process; null if another process has it} */
    default Peer other(final MessageReceiver receiver)
    {
        return null;
    }

    /** Called before each cell. */
    default void prepare(final Cell cell)
    {
        // Every size is treated alike.
    }

    /** Sends one message; the source is free for reuse afterwards. Returns false if there is no room now. */
    boolean trySend(DirectBuffer source, int offset, int length);

    /**
     * Delivers what has come to the receiver that the constructor was given. Returns the number of pieces of work; 0 if
     * there was nothing.
     */
    int poll();

    /** Keeps the connection alive while others are measured. */
    default void idle()
    {
        // Nothing to keep alive.
    }

    @Override
    default void close()
    {
        // Nothing but memory.
    }
}
