// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * A wait that a node has reported ({@link Grim#reportWait}), until it is closed.
 * <p>Thread: any.
 */
public interface LongWait extends AutoCloseable
{
    /** Most waits of a node that are shown at a time. */
    int COUNT_MAX = 16;
    /** Most characters that are shown of each. */
    int LENGTH_MAX = 300;

    /**
     * Says what is waited for now. The wait lasts as long as before.
     *
     * @param what as for {@link Grim#reportWait}.
     * @param node as for {@link Grim#reportWait}.
     * @throws NullPointerException if the text is null.
     */
    void update(String what, int node);

    /** The wait has ended: it is shown no longer. Does nothing the second time, and after the node has left. */
    @Override
    void close();
}
