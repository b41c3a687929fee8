// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.List;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.Shrinker;
import org.grim.ni.simulation.SimulationResult;

/** Everything that somebody needs who is to find out why a run failed. */
final class FailureText
{
    private static final int EVENTS_SHOWN = 60;
    private static final String INDENT = "    ";
    private static final long SHRINK_EVENTS_MAX = 4_000_000;        // some 10 s
    private static final int SHRINK_RUNS_MIN = 8;
    private static final int SHRINK_RUNS_MAX = 400;

    private FailureText()
    {
    }

    /** Of a failure, with the fewest faults that still break the promise, or null if they were not looked for. */
    static String of(final Failure failure, final List<String> leastFaults)
    {
        final SimulationResult result = failure.result();
        final List<String> events = result.lastEvents();
        final StringBuilder text = new StringBuilder();
        line(text, "seed " + failure.seed() + " failed: " + failure.text());
        section(text, "parameters", result.parameters().lines());
        section(text, "last events", events.subList(Math.max(0, events.size() - EVENTS_SHOWN), events.size()));
        if (leastFaults != null)
        {
            section(text, leastFaults.isEmpty() ? "it fails without any fault, too" :
                "fewest faults found that still break it", leastFaults);
        }
        line(text, "  replay: " + Replay.command(result.parameters()));
        line(text, "  to keep it, add to " + KeptSeeds.FILE + ": " + result.parameters());
        return text.toString();
    }

    /** The fewest faults that still break the same promise; null if the run cannot be repeated from its faults. */
    static List<String> leastFaults(final Failure failure)
    {
        final SimulationResult result = failure.result();
        final long runCount = SHRINK_EVENTS_MAX / Math.max(1, result.eventCount());
        final SimulationResult least = new Shrinker(result.parameters(), Guards.ALL,
            (int)Math.max(SHRINK_RUNS_MIN, Math.min(SHRINK_RUNS_MAX, runCount))).shrink();
        return least.isViolated() ? least.script().lines() : null;
    }

    private static void section(final StringBuilder text, final String title, final List<String> lines)
    {
        line(text, "  " + title + ":");
        lines.forEach(each -> line(text, INDENT + each));
    }

    private static void line(final StringBuilder text, final String line)
    {
        text.append(line).append(System.lineSeparator());
    }
}
