// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import java.util.Locale;

/** Pattern of senders and receivers. */
public enum TrafficPattern
{
    /** Every NI sends to every other one in turn; at each moment all of them to the same distance, a permutation. */
    ALL_TO_ALL,
    /** A share of all messages goes to NI 0, the others to NIs drawn by chance. */
    HOT_SPOT,
    /** The NIs stand on a torus of two dimensions, and each sends to its four neighbours in turn. */
    NEAREST_NEIGHBOUR;

    /** As on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
