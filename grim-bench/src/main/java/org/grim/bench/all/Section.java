// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;
import java.util.Locale;

/** A part of the harness. Its parts run in processes of their own, so that none finds code compiled for another. */
public enum Section
{
    /** Latency, rate and bandwidth of messages between two processes, beside others. */
    MESSAGES("peers"),

    /** Remote memory and large messages. */
    MEMORY("peers"),

    /** Messages through boards, with both kinds of arrival queues. */
    BOARD("myrinet"),

    /** A poll against silent queues. */
    POLL("null", "shmem", "myrinet", "all"),

    /** A message, and a poll, against the number of channels. */
    CHANNELS("shmem", "myrinet"),

    /** Latency of messages that come at fixed times. */
    LOAD("host", "myrinet"),

    /** The send path alone, in one thread; {@code loop}: whole messages of a node to itself. */
    COST("null", "shmem", "loop"),

    /** Processor time and memory of a node that waits, and of one with little to do. */
    CPU("null", "shmem", "myrinet");

    private final List<String> parts;

    Section(final String... parts)
    {
        this.parts = List.of(parts);
    }

    /**
     * Names of its parts.
     *
     * @return at least one.
     */
    public List<String> parts()
    {
        return parts;
    }

    /**
     * Seconds that one fork of all parts takes on two idle cores, with the start of processes.
     *
     * @param effort of the run.
     * @return about.
     */
    int expectedSeconds(final Effort effort)
    {
        return switch (this)
        {
            case MESSAGES -> effort.choose(6, 30, 150);
            case MEMORY -> effort.choose(4, 18, 115);
            case BOARD -> effort.choose(4, 20, 60);
            case POLL -> effort.choose(4, 8, 17);
            case CHANNELS -> effort.choose(3, 7, 10);
            case LOAD -> effort.choose(5, 25, 105);
            case COST -> effort.choose(4, 12, 50);
            case CPU -> effort.choose(4, 17, 57);
        };
    }

    /** As in options and reports. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
