// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The circumstances of a run.
 *
 * @param format     of the directory: {@link FigureDirectory#FORMAT}.
 * @param commit     of the sources, with {@code -dirty} where they were changed.
 * @param started    when, in ISO 8601, UTC.
 * @param seconds    that it took.
 * @param isQuick    whether it was a short one.
 * @param forkCount  fresh pairs of processes.
 * @param cores      that the processes might use.
 * @param pollers    threads that spin at the same time.
 * @param machine    processor, kernel and more, by name.
 * @param versions   of the JVM and of each peer, by name.
 * @param absent     peers that were not measured, with the reason.
 * @param notes      further sentences for people.
 */
public record RunInfo(
    int format, String commit, String started, long seconds, boolean isQuick, int forkCount, int cores, int pollers,
    Map<String, String> machine, Map<String, String> versions, Map<String, String> absent, List<String> notes)
{
    /** Refuses what is missing. */
    public RunInfo
    {
        Objects.requireNonNull(commit, "commit is missing");
        Objects.requireNonNull(started, "started is missing");
        Objects.requireNonNull(machine, "machine is missing");
        Objects.requireNonNull(versions, "versions is missing");
        Objects.requireNonNull(absent, "absent is missing");
        notes = List.copyOf(notes);
    }

    /** Name of the load among the machine's facts. */
    public static final String LOAD = "load average at start";
    /** More runs beside it: half a core is busy. */
    private static final double LOAD_MAX = 0.5;

    /**
     * Returns whether figures can be compared with others.
     *
     * @return false if spinning threads shared cores, or the machine was busy when the run began.
     */
    public boolean isComparable()
    {
        return cores >= pollers && !hasBusyMachine();
    }

    /** {@return whether something else ran when the run began; false where that is not known} */
    public boolean hasBusyMachine()
    {
        try
        {
            return Double.parseDouble(machine.getOrDefault(LOAD, "0")) > LOAD_MAX;
        }
        catch (final NumberFormatException ex)
        {
            return false;                           // Written by another program.
        }
    }
}
