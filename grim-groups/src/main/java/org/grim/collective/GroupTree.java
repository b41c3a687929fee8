// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.GrimException;
import org.grim.wire.MulticastFormat;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The tree of forwarders by which a group's multicasts go in one of its epochs.
 * <p>Thread: any; immutable.
 *
 * @param rosterEpoch of the group.
 * @param number      of the tree; 0 if multicasts go straight to members from this epoch on.
 * @param epoch       of the tree.
 * @param root        number of the node that is its root.
 */
record GroupTree(int rosterEpoch, int number, int epoch, int root)
{
    /** Bytes in a message. */
    static final int LENGTH = Integer.BYTES * 4;

    /** No tree yet. */
    static final GroupTree NONE = new GroupTree(0, 0, 0, 0);

    static GroupTree straight(final int rosterEpoch)
    {
        return new GroupTree(rosterEpoch, 0, 0, 0);
    }

    static GroupTree readFrom(final DirectBuffer source, final int offset, final int length)
    {
        if (length != LENGTH)
        {
            throw new GrimException(BAD_DATA, "tree of a group in bytes=" + length + " is not of " + LENGTH);
        }
        final int number = source.getInt(offset + Integer.BYTES);
        if (number < 0 || number > MulticastFormat.TREE_MAX)
        {
            throw new GrimException(BAD_DATA, "tree number=" + number + " is outside 0 to " + MulticastFormat.TREE_MAX);
        }
        return new GroupTree(source.getInt(offset), number,
            source.getInt(offset + Integer.BYTES * 2), source.getInt(offset + Integer.BYTES * 3));
    }

    void writeTo(final MutableDirectBuffer target, final int offset)
    {
        target.putInt(offset, rosterEpoch);
        target.putInt(offset + Integer.BYTES, number);
        target.putInt(offset + Integer.BYTES * 2, epoch);
        target.putInt(offset + Integer.BYTES * 3, root);
    }

    boolean isStraight()
    {
        return rosterEpoch > 0 && number == 0;
    }

    boolean isTree()
    {
        return number > 0;
    }
}
