// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import org.agrona.DirectBuffer;

/** Takes results at the sink of a connection, in order. Thread: the one that polls the streams. */
@FunctionalInterface
public interface SinkHandler
{
    /**
     * Takes the result of an item. An exception makes the item a failed one.
     *
     * @param sequence of the item, from 1.
     * @param buffer   holding the result until this returns.
     * @param offset   first byte.
     * @param length   bytes.
     */
    void onItem(long sequence, DirectBuffer buffer, int offset, int length);

    /**
     * A stage has failed on an item.
     *
     * @param sequence of the item.
     * @param reason   a sentence.
     */
    default void onFailed(final long sequence, final String reason)
    {
        // The owner learns it, too.
    }

    /**
     * Items will not come.
     *
     * @param first sequence.
     * @param last  sequence.
     */
    default void onLost(final long first, final long last)
    {
        // The owner learns it, too.
    }

    /** The owner has closed the connection, or is gone. */
    default void onEnd()
    {
        // Nothing is held for it.
    }
}
