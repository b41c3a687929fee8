// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.List;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.Shrinker;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * A run that did not go as it must.
 *
 * @param text   what is wrong with it.
 * @param result of the run.
 */
record Failure(String text, SimulationResult result)
{
    private static final int EVENTS_SHOWN = 60;
    private static final String INDENT = "    ";
    private static final long SHRINK_EVENTS_MAX = 4_000_000;        // some 10 s
    private static final int SHRINK_RUNS_MIN = 8;
    private static final int SHRINK_RUNS_MAX = 400;

    /** The command that repeats a run. */
    static String replay(final SimulationParameters parameters)
    {
        final StringBuilder command = new StringBuilder("./grim simulate --seed ").append(parameters.seed());
        final SimulationParameters drawn = SimulationParameters.draw(parameters.seed());
        for (final Setting setting : Setting.values())
        {
            if (parameters.get(setting) != drawn.get(setting))
            {
                command.append(" --set ").append(setting.key()).append('=').append(parameters.get(setting));
            }
        }
        return command.append(" --trace").toString();
    }

    /** Everything to find out why, with the fewest faults that still break the promise; null if not looked for. */
    String describe(final List<String> leastFaults)
    {
        final List<String> events = result.lastEvents();
        final StringBuilder text = new StringBuilder();
        line(text, "seed " + result.parameters().seed() + " failed: " + this.text);
        section(text, "parameters", result.parameters().lines());
        section(text, "last events", events.subList(Math.max(0, events.size() - EVENTS_SHOWN), events.size()));
        if (leastFaults != null)
        {
            section(text, leastFaults.isEmpty() ? "it fails without any fault, too" :
                "fewest faults found that still break it", leastFaults);
        }
        line(text, "  replay: " + replay(result.parameters()));
        line(text, "  to keep it, add to " + KeptSeeds.FILE + ": " + result.parameters());
        return text.toString();
    }

    /** The fewest faults that still break the same promise; null if the run cannot be repeated from its faults. */
    List<String> leastFaults()
    {
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
