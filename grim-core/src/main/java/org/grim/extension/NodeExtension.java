// SPDX-License-Identifier: Apache-2.0
package org.grim.extension;

/**
 * Part of a node that a module has added.
 * <p>Thread: the host endpoint's owner, unless a method says otherwise.
 */
public interface NodeExtension extends AutoCloseable
{
    /** First of the built-in handlers that extensions bind; those below {@link #ABSENT} are theirs, too. */
    int HANDLER_MIN = 12;

    /**
     * Built-in handler of a node's answer to messages for an extension that it does not have. An extension that waits
     * for answers binds it.
     */
    int ABSENT = 15;

    /**
     * Finds what this part offers to applications. Thread: any.
     *
     * @param type that {@link org.grim.Grim#extension} asks for.
     * @param <T>  the same.
     * @return the object; null if this part does not offer it.
     */
    <T> T extension(Class<T> type);

    /**
     * Does what is due. Called by the host endpoint's loop, often.
     *
     * @param nowNs of {@link System#nanoTime()}.
     * @return pieces of work done.
     */
    int step(long nowNs);

    /**
     * Notes that the host endpoint is about to sleep, or wakes.
     *
     * @param bell number of its doorbell; -1 for awake.
     */
    void asleep(int bell);

    /** Ends what is open, before the host endpoint's links end. Not called if another thread owns the endpoint. */
    void leave();

    /** Gives memory and files back, after all endpoints have ended. Thread: any. */
    @Override
    void close();
}
