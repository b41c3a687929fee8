// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.grim.NodeInfo;
import org.grim.board.NiRoute;
import org.grim.counters.CounterKind;
import org.grim.tools.report.Counters;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A node at one look.
 *
 * @param info    what the directory says.
 * @param isAlive whether a process holds its byte of the liveness file.
 * @param process state of its process.
 * @param niRoute how it is reached through network interfaces, as {@link NiRoute} says.
 * @param pausedChannels which its devices leave unread.
 */
record SeenNode(NodeInfo info, boolean isAlive, ProcessState process, int niRoute, Set<Integer> pausedChannels)
{
    /** Where there is no network interface. */
    static final int NI_NONE = -1;

    SeenNode(final NodeInfo info, final boolean isAlive, final ProcessState process, final int niRoute)
    {
        this(info, isAlive, process, niRoute, Set.of());
    }

    /** The node with what its counters say of its channels. */
    SeenNode with(final Counters counters)
    {
        return new SeenNode(info, isAlive, process, niRoute, counters.values(CounterKind.PAUSED).entrySet().stream()
            .filter(entry -> entry.getValue() != 0).map(Map.Entry::getKey).collect(Collectors.toSet()));
    }

    /** Why nobody reads a channel although the process can run. */
    WhyCause unread(final int channel)
    {
        return pausedChannels.contains(channel) ? WhyCause.CHANNEL_PAUSED : WhyCause.RECEIVER_NOT_POLLING;
    }

    /** Network interface that serves it, by the number of the node whose board it is. */
    int niNumber()
    {
        return niRoute == NiRoute.NONE ? NI_NONE : NiRoute.ni(niRoute);
    }

    /** NI channel of its channel 0. */
    int niFirstChannel()
    {
        return niRoute == NiRoute.NONE ? NI_NONE : NiRoute.firstChannel(niRoute);
    }

    /** Its number; from 0. */
    int number()
    {
        return info.number();
    }

    /** Which life of the number; from 1. */
    int incarnation()
    {
        return info.incarnation();
    }

    /** Its name for people; printable. */
    String name()
    {
        return info.name().isEmpty() ? "(no name)" : info.name();
    }

    /** Returns whether its process is alive and cannot run; true after a SIGSTOP. */
    boolean isStopped()
    {
        return isAlive && process == ProcessState.STOPPED;
    }

    /** Its process for people; name and process id. */
    String processText()
    {
        return name() + "'s process " + info.processId();
    }

    /** State of a process in the system, for display only. The liveness file shows that a node is alive. */
    enum ProcessState
    {
        /** Runs, or waits for something. */
        RUNNING,
        /** Stopped by a signal or a debugger. */
        STOPPED,
        /** Not there, ended, in another process namespace, or of another host. */
        UNKNOWN;

        /** Asks the system about the process that a file names. */
        static ProcessState of(final long processId)
        {
            if (processId <= 0)
            {
                return UNKNOWN;
            }
            try
            {
                return ofStat(Files.readString(Path.of("/proc", Long.toString(processId), "stat"), ISO_8859_1));
            }
            catch (final IOException ex)
            {
                return UNKNOWN;
            }
        }

        /** The state stands behind the name, which may itself hold anything. */
        static ProcessState ofStat(final String stat)
        {
            final int index = stat.lastIndexOf(')') + 2;
            if (index >= stat.length())
            {
                return UNKNOWN;
            }
            return switch (stat.charAt(index))
            {
                case 'T', 't' -> STOPPED;
                case 'Z', 'X' -> UNKNOWN;
                default -> RUNNING;
            };
        }
    }
}
