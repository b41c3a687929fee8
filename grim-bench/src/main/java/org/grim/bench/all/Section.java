// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;
import java.util.Locale;

/** A part of the harness. Its parts run in processes of their own, so that none finds code compiled for another. */
public enum Section
{
    /** Latency, rate and bandwidth of messages between two processes, beside others; and of a node to itself. */
    MESSAGES,

    /** Remote memory and large messages. */
    MEMORY,

    /** Messages through boards, with both kinds of arrival queues. */
    BOARD,

    /** A poll against silent queues. */
    POLL,

    /** A message, and a poll, against the number of channels. */
    CHANNELS,

    /** Latency of messages that come at fixed times. */
    LOAD,

    /** The send path alone, in one thread. */
    COST,

    /** Processor time and memory of a node that waits, and of one with little to do. */
    CPU;

    /** {@return names of its parts; at least one} */
    public List<String> parts()
    {
        return switch (this)
        {
            case MESSAGES -> List.of("peers", "loop");
            case MEMORY -> List.of("peers");
            case BOARD -> List.of("boards");
            case POLL -> List.of("null", "shmem", "myrinet", "all");
            case CHANNELS -> List.of("shmem", "myrinet");
            case LOAD -> List.of("host", "myrinet");
            case COST -> List.of("null", "shmem");
            case CPU -> List.of("null", "shmem", "myrinet");
        };
    }

    /** Seconds, about, that one fork of all parts takes on two idle cores, with the start of processes. */
    int expectedSeconds(final Effort effort)
    {
        return switch (this)
        {
            case MESSAGES -> effort.choose(7, 35, 190);
            case MEMORY -> effort.choose(4, 18, 115);
            case BOARD -> effort.choose(4, 20, 60);
            case POLL -> effort.choose(4, 13, 17);
            case CHANNELS -> effort.choose(3, 7, 10);
            case LOAD -> effort.choose(5, 25, 105);
            case COST -> effort.choose(2, 7, 11);
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
