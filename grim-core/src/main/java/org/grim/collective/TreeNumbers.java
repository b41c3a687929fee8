// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

import org.grim.cluster.ClusterDirectory;
import org.grim.wire.MulticastFormat;

/**
 * Numbers of trees that this node may use, and their epochs: each node has some of its own, so that no two groups of
 * the cluster have one tree. Epochs rise from one incarnation of the node to the next.
 * <p>Thread: the host endpoint's owner.
 */
final class TreeNumbers
{
    private static final int EPOCH_SHIFT = 16;
    /** Past one that was not closed: network interfaces do not wait for its end. */
    private static final int STEP_OF_A_NEW_GROUP = 2;

    private final int first;
    private final boolean[] isTaken;
    private final int[] epochs;

    TreeNumbers(final ClusterDirectory directory)
    {
        final int count = MulticastFormat.TREE_MAX / directory.nodeCountMax();
        first = MulticastFormat.TREE_MIN + directory.self() * count;
        isTaken = new boolean[count];
        epochs = new int[count];
        Arrays.fill(epochs, directory.incarnation() << EPOCH_SHIFT);
    }

    /** Takes one; 0 if there is none left. */
    int take()
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

    void giveBack(final int number)
    {
        isTaken[number - first] = false;
    }

    /** No update of the latest epoch was sent. */
    void takeBackEpoch(final int number)
    {
        epochs[number - first]--;
    }

    int nextEpoch(final int number)
    {
        return ++epochs[number - first];
    }
}
