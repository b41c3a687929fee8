// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.multicast;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.grim.wire.MulticastFormat;

import static org.grim.wire.MulticastFormat.NO_FORWARDER;

/**
 * One epoch of a tree as an NI knows it: its parent, its children and its local subscribers. The tree's NIs, in the
 * order of their numbers, stand in it as in a binary heap: the children of the i-th are those at 2i + 1 and 2i + 2.
 * <p>Thread: the board's stepper. Made when an update comes.
 */
final class Tree
{
    static final int CHILD_COUNT = 2;

    private static final int NOT_FOUND = -1;

    final int epoch;
    final int parent;                   // NO_FORWARDER for the root.
    final boolean isJump;
    final int[] channels;               // Of local subscribers.
    final int[] addresses;
    int ticket;                         // The next one.
    boolean isClosed;
    private final int[] children = {NO_FORWARDER, NO_FORWARDER};

    private Tree(
        final int epoch, final int[] nis, final int position, final boolean isJump, final int[] channels,
        final int[] addresses)
    {
        this.epoch = epoch;
        this.isJump = isJump;
        this.channels = channels;
        this.addresses = addresses;
        parent = position == 0 ? NO_FORWARDER : nis[(position - 1) / CHILD_COUNT];
        for (int i = 0; i < CHILD_COUNT; i++)
        {
            final int child = CHILD_COUNT * position + 1 + i;
            children[i] = child < nis.length ? nis[child] : NO_FORWARDER;
        }
    }

    /**
     * Reads an update.
     *
     * @param packet that holds it.
     * @param offset of its header.
     * @param count  subscribers that it names.
     * @param ownNi  that reads it.
     * @param rule   that orders the tree.
     * @return null if its subscribers are not in the order of NIs and channels, each once, or none is this NI's.
     */
    static Tree read(
        final DirectBuffer packet, final int offset, final int count, final int ownNi, final TreeRule rule)
    {
        final int[] numbers = new int[count];
        final int[] channels = new int[count];
        final int[] addresses = new int[count];
        int niCount = 0;
        int ownCount = 0;
        int placeBefore = NOT_FOUND;
        boolean isJump = false;
        for (int i = 0; i < count; i++)
        {
            final long subscriber = MulticastFormat.subscriber(packet, offset, i);
            final int ni = MulticastFormat.subscriberForwarder(subscriber);
            final int place = ni << Byte.SIZE | MulticastFormat.subscriberChannel(subscriber);
            if (place <= placeBefore)
            {
                return null;
            }
            placeBefore = place;
            if (niCount == 0 || ni != numbers[niCount - 1])
            {
                numbers[niCount++] = ni;
            }
            if (ni == ownNi)
            {
                isJump |= MulticastFormat.isJump(subscriber);
                channels[ownCount] = MulticastFormat.subscriberChannel(subscriber);
                addresses[ownCount++] = MulticastFormat.subscriberAddress(subscriber);
            }
        }
        if (ownCount == 0)
        {
            return null;
        }
        final int[] nis = new int[niCount];
        int own = NOT_FOUND;
        for (int rank = 0; rank < niCount; rank++)
        {
            final int position = rule.position(rank, niCount);
            nis[position] = numbers[rank];
            own = numbers[rank] == ownNi ? position : own;
        }
        return new Tree(MulticastFormat.epoch(packet, offset), nis, own, isJump, Arrays.copyOf(channels, ownCount),
            Arrays.copyOf(addresses, ownCount));
    }

    boolean isRoot()
    {
        return parent == NO_FORWARDER;
    }

    /** A child's number; NO_FORWARDER for none, or one that was cut out. */
    int child(final int index)
    {
        return children[index];
    }

    boolean hasChildren()
    {
        return children[0] != NO_FORWARDER || children[1] != NO_FORWARDER;
    }

    /** Takes the children of another epoch's tree. */
    void forwardAs(final Tree other)
    {
        System.arraycopy(other.children, 0, children, 0, CHILD_COUNT);
    }

    /** A child is gone. Returns false if it is none, or was cut out before. */
    boolean cut(final int ni)
    {
        for (int i = 0; i < CHILD_COUNT; i++)
        {
            if (children[i] == ni)
            {
                children[i] = NO_FORWARDER;
                return true;
            }
        }
        return false;
    }
}
