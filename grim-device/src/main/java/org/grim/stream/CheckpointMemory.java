// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

/** Bound of all checkpoints that an owner keeps, those that are being fetched among them. Thread: the streams'. */
final class CheckpointMemory
{
    private static final long LENGTH_MAX_DEFAULT = 1L << 28;

    private long lengthMax = LENGTH_MAX_DEFAULT;
    private long length;

    void lengthMax(final long newLengthMax)
    {
        if (newLengthMax < 0)
        {
            throw new IllegalArgumentException("checkpoints of length=" + newLengthMax + ": min=0");
        }
        lengthMax = newLengthMax;
    }

    /** Takes bytes, or throws a sentence for the listener. */
    void take(final long taken)
    {
        if (length + taken > lengthMax)
        {
            throw new IllegalArgumentException("checkpoint exceeds the owner's memory: needed=" + (length + taken) +
                " max=" + lengthMax);
        }
        length += taken;
    }

    void give(final long given)
    {
        length -= given;
        assert length >= 0 : length;
    }

    long length()
    {
        return length;
    }
}
