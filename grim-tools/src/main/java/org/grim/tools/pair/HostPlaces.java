// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.util.ArrayList;
import java.util.List;

/**
 * Two processes as two hosts: where their agents listen, and how the second process gets to its place.
 *
 * @param addresses   address and port of both.
 * @param secondPlace beginning of the second process's command line; empty if it starts as the first one did.
 */
public record HostPlaces(List<String> addresses, List<String> secondPlace)
{
    /** System property by which both processes know the addresses, comma between. */
    public static final String PROPERTY = "bench.hosts";

    /** Threads that work beside each other: two that measure, two drivers. */
    static final int POLLER_COUNT = 4;

    /** The second process's command line. */
    List<String> place(final List<String> command)
    {
        final List<String> placed = new ArrayList<>(secondPlace);
        placed.addAll(command);
        return placed;
    }

    /** As the property has it. */
    String text()
    {
        return String.join(",", addresses);
    }
}
