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
     * A checkpoint of a stage's pages is complete.
     *
     * @param stage      index of it.
     * @param checkpoint account of it.
     */
    default void onCheckpoint(final int stage, final Checkpoint checkpoint)
    {
        // Connection.checkpoint has it.
    }

    /**
     * A checkpoint has failed: the one before stays, and another one is tried after as many items.
     *
     * @param stage  index of it.
     * @param reason a sentence.
     */
    default void onCheckpointFailed(final int stage, final String reason)
    {
        // The one before stays.
    }

    /**
     * The pages of a stage, whose device is gone, were written to another one as the last checkpoint has them. Later
     * items have not changed them, also those that were delivered.
     *
     * @param stage    index of it.
     * @param sequence last item whose effects the pages have; 0: they are all zeros, or as they were before any item.
     */
    default void onRestored(final int stage, final long sequence)
    {
        // The accounts say nothing of pages.
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
