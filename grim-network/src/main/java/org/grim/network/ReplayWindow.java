// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.BitSet;

/**
 * Received sequences among the latest {@value #LENGTH} of a sender. Older ones count as received, and so do those
 * before the first one.
 * <p>Thread: any.
 */
final class ReplayWindow
{
    static final int LENGTH = 4096;

    private final BitSet received = new BitSet(LENGTH);
    private final long first;
    private long last;

    /**
     * Makes a window that has taken nothing.
     *
     * @param first of the sequences that can be taken.
     */
    ReplayWindow(final long first)
    {
        this.first = first;
    }

    /** False: it was taken before, came before the first, or is too old to say. */
    synchronized boolean tryTake(final long sequence)
    {
        if (sequence <= 0 || sequence < first || sequence <= last - LENGTH)
        {
            return false;
        }
        if (sequence > last)
        {
            for (long age = Math.min(sequence - last, LENGTH) - 1; age >= 0; age--)
            {
                received.clear(indexOf(sequence - age));
            }
            last = sequence;
        }
        final boolean isNew = !received.get(indexOf(sequence));
        received.set(indexOf(sequence));
        return isNew;
    }

    private static int indexOf(final long sequence)
    {
        return (int)(sequence % LENGTH);
    }
}
