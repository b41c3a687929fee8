// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sentences about the end of a run.
 * <p>Thread: any; no state.
 */
final class RunReport
{
    private static final int SIGNAL_BASE = 128;
    private static final int NOT_FOUND_CODE = 127;
    private static final Map<Integer, String> SIGNALS = Map.of(1, "HUP", 2, "INT", 3, "QUIT", 4, "ILL", 6, "ABRT", 7,
        "BUS", 9, "KILL", 11, "SEGV", 13, "PIPE", 15, "TERM");
    /** Report of srun on a task. */
    private static final Pattern TASK = Pattern.compile(
        "srun: error: (\\S+): tasks? ([0-9]+)\\S*: ((?:Exited with exit code )?([0-9]+|Killed)?.*)");

    private RunReport()
    {
    }

    /** Returns what happened to a process, from its exit code. */
    static String end(final int code)
    {
        final String signal = SIGNALS.get(code - SIGNAL_BASE);
        return signal != null ?
            "was ended by signal " + (code - SIGNAL_BASE) + " (" + signal + "): exit code=" + code :
            "ended with exit code=" + code + (code == NOT_FOUND_CODE ? " (command not found)" : "");
    }

    /** Returns a sentence about the process that failed first, and the last lines of its rank. */
    static List<String> failure(final int rank, final String host, final int code, final LastLines lines)
    {
        final Matcher task = rank == RunPlan.ALL_RANKS ? task(lines) : null;
        final int shown = task == null ? rank : Integer.parseInt(task.group(2));
        final List<String> report = new ArrayList<>();
        report.add(task != null ? "rank " + shown + " on host " + task.group(1) + " ended, as srun says: " +
            task.group(3) : (rank == RunPlan.ALL_RANKS ? "srun " : "rank " + rank + " on host " + host + " ") +
            end(code));
        final String tag = shown == RunPlan.ALL_RANKS ? "  " : "  [" + shown + "] ";
        lines.of(shown).forEach(line -> report.add(tag + line));
        return report;
    }

    /** Returns the exit code of the task that srun names first, as srun ends with the highest; otherwise that code. */
    static int taskCode(final int code, final LastLines lines)
    {
        final Matcher task = task(lines);
        return code == 0 || task == null || task.group(4) == null ? code :
            task.group(4).equals("Killed") ? SIGNAL_BASE + 9 : Integer.parseInt(task.group(4));
    }

    private static Matcher task(final LastLines lines)
    {
        return lines.of(RunPlan.ALL_RANKS).stream().map(TASK::matcher).filter(Matcher::matches).findFirst()
            .orElse(null);
    }

    /** Returns the part of a sentence that names ranks which did not end in time; empty without such ranks. */
    static String killed(final List<Integer> ranks, final long graceS)
    {
        return ranks.isEmpty() ? "" : "; not ended within " + graceS + " s, and killed: " + (
            ranks.contains(RunPlan.ALL_RANKS) ? "srun" : "ranks=" +
            ranks.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
}
