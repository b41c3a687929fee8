// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;
import java.util.Locale;

/** A part of the harness. Its parts run in processes of their own, so that none finds code compiled for another. */
public enum Section
{
    /** Latency, rate and bandwidth of messages between two processes, beside others; and of a node to itself. */
    MESSAGES(35, 190, "peers", "loop"),

    /** Remote memory and large messages. */
    MEMORY(18, 115, "peers"),

    /** Messages through boards, with both kinds of arrival queues. */
    BOARD(20, 60, "boards"),

    /** A poll against silent queues. */
    POLL(13, 17, "null", "shmem", "myrinet", "all"),

    /** A message, and a poll, against the number of channels. */
    CHANNELS(7, 10, "shmem", "myrinet"),

    /** Latency of messages that come at fixed times. */
    LOAD(25, 105, "host", "myrinet"),

    /** The send path alone, in one thread. */
    COST(7, 11, "null", "shmem"),

    /** Processor time and memory of a node that waits, and of one with little to do. */
    CPU(17, 57, "null", "shmem", "myrinet");

    private static final int SECONDS_TINY = 4;

    private final int secondsQuick;
    private final int secondsFull;
    @SuppressWarnings("ImmutableEnumChecker")        // List.of.
    private final List<String> parts;

    Section(final int secondsQuick, final int secondsFull, final String... parts)
    {
        this.secondsQuick = secondsQuick;
        this.secondsFull = secondsFull;
        this.parts = List.of(parts);
    }

    /** {@return names of its parts; at least one} */
    public List<String> parts()
    {
        return parts;
    }

    /** Seconds, about, that one fork of all parts takes on two idle cores, with the start of processes. */
    int expectedSeconds(final Effort effort)
    {
        return effort.choose(SECONDS_TINY, secondsQuick, secondsFull);
    }

    /** As in options and reports. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
