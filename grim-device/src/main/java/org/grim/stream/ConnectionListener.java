// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

/** Learns at the owner what became of items that were not delivered. Thread: the one that polls the streams. */
public interface ConnectionListener
{
    /**
     * A kernel or the sink's handler has failed on an item.
     *
     * @param sequence of the item, from 1.
     * @param reason   a sentence.
     */
    default void onFailed(final long sequence, final String reason)
    {
        // The accounts count it.
    }

    /**
     * Items were lost with a stage. The sink will never have them.
     *
     * @param first sequence.
     * @param last  sequence.
     */
    default void onLost(final long first, final long last)
    {
        // The accounts count them.
    }

    /**
     * The sink, or an account of it, is gone: it is not known whether it has had these items.
     *
     * @param first sequence.
     * @param last  sequence.
     */
    default void onUnknown(final long first, final long last)
    {
        // The accounts count them.
    }
}
