// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

/** A tree as the sending hosts know it. Thread: the simulation's. */
final class KnownTree
{
    final int number;
    int rootNi;
    int epoch;
    boolean isOpen;

    KnownTree(final int number)
    {
        this.number = number;
    }
}
