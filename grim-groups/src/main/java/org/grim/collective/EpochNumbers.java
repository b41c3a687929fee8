// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

/** Numbers of a group's epochs, as one node gives and reads them. Thread: any. */
interface EpochNumbers
{
    /** The next number of this node, after all that it knows. */
    int next(int latest);

    /** The node that made an epoch. */
    int maker(int epoch);

    /** Whether a node made an epoch. */
    boolean isOf(int epoch, int node);
}
