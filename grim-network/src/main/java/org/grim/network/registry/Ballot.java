// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.Comparator;

/**
 * Names one attempt of one host to have something decided; later attempts are higher.
 *
 * @param round from 1; 0 only in {@link #NONE}.
 * @param host  that attempts.
 */
public record Ballot(int round, String host) implements Comparable<Ballot>
{
    /** Lower than every attempt. */
    public static final Ballot NONE = new Ballot(0, "");

    private static final Comparator<Ballot> ORDER = Comparator.comparingInt(Ballot::round).thenComparing(Ballot::host);

    @Override
    public int compareTo(final Ballot other)
    {
        return ORDER.compare(this, other);
    }
}
