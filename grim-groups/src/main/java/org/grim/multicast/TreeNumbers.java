// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import java.util.Arrays;

import org.grim.transport.Membership;
import org.grim.wire.MulticastFormat;

/**
 * Numbers of trees that this node may use, and their epochs: each node has some of its own, so that no two groups of
 * the cluster have one tree. Epochs rise from one incarnation of the node to the next.
 * <p>Thread: the host endpoint's owner.
 */
public final class TreeNumbers
{
    private static final int EPOCH_SHIFT = 16;
    /** Past one that was not closed: forwarders do not wait for its end. */
    private static final int STEP_OF_A_NEW_GROUP = 2;

    private final int first;
    private final boolean[] isTaken;
    private final int[] epochs;

    /** None is taken yet. */
    public TreeNumbers(final Membership membership)
    {
        final int count = MulticastFormat.TREE_MAX / membership.nodeCountMax();
        first = MulticastFormat.TREE_MIN + membership.self() * count;
        isTaken = new boolean[count];
        epochs = new int[count];
        Arrays.fill(epochs, membership.incarnation() << EPOCH_SHIFT);
    }

    /** Takes one. Returns the number; 0 if there is none left. */
    public int take()
    {
        for (int i = 0; i < isTaken.length; i++)
        {
            if (!isTaken[i])
            {
                isTaken[i] = true;
                epochs[i] += STEP_OF_A_NEW_GROUP;
                return first + i;
            }
        }
        return 0;
    }

    /** Gives one back. */
    public void giveBack(final int number)
    {
        isTaken[number - first] = false;
    }

    /** Takes back the latest epoch, of which no update was sent. */
    public void takeBackEpoch(final int number)
    {
        epochs[number - first]--;
    }

    /** Begins the next epoch of a tree. Returns the epoch. */
    public int nextEpoch(final int number)
    {
        return ++epochs[number - first];
    }
}
