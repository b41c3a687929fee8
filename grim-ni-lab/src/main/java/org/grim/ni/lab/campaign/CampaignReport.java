// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.grim.ni.simulation.scenario.Probe;

/** Makes the report of what was counted. */
final class CampaignReport
{
    /** Probes must be reached from so many fresh seeds on; fewer cannot be expected to reach the rare ones. */
    static final int PROBES_REQUIRED_SEED_COUNT = 1000;

    private static final double NS_PER_HOUR = 3.6e12;
    private static final double DIGITS = 1e6;

    private CampaignReport()
    {
    }

    static SimulateReport of(
        final CampaignOptions options, final int keptCount, final Tally tally, final List<PlantedBug> bugs)
    {
        final Map<String, Long> probes = new LinkedHashMap<>();
        tally.probes().forEach((probe, count) -> probes.put(Tally.label(probe), count));
        final List<String> unreached = new ArrayList<>();
        for (final Map.Entry<Probe, Long> entry : tally.probes().entrySet())
        {
            if (entry.getValue() == 0)
            {
                unreached.add(Tally.label(entry.getKey()));
            }
        }
        final boolean areProbesRequired = areProbesRequired(options, tally.seedCount() - keptCount);
        final List<SimulateReport.Bug> bugRows = new ArrayList<>();
        for (final PlantedBug bug : bugs)
        {
            bugRows.add(new SimulateReport.Bug(
                bug.name(), bug.isCaught(), bug.medianSeedCount(), bug.trialCount(), bug.seedCount()));
        }
        return new SimulateReport(tally.seedCount(), virtualHours(tally.virtualNs()), tally.deliveredCount(),
            tally.violationCount(), tally.faults(), probes, bugRows, options.firstSeed(), keptCount,
            tally.sentCount(), areProbesRequired ? unreached : List.of(),
            new SimulateReport.SelfTests(tally.repeatedCount(), tally.differenceCount(), tally.canaryCount(),
                tally.silentCanaryCount()),
            failedRuns(tally.failures()), notes(unreached, areProbesRequired, bugs));
    }

    static double virtualHours(final long virtualNs)
    {
        return Math.round(virtualNs / NS_PER_HOUR * DIGITS) / DIGITS;
    }

    private static boolean areProbesRequired(final CampaignOptions options, final long freshCount)
    {
        return freshCount >= PROBES_REQUIRED_SEED_COUNT && options.settings().isEmpty();
    }

    private static List<SimulateReport.FailedRun> failedRuns(final List<Failure> failures)
    {
        final List<SimulateReport.FailedRun> runs = new ArrayList<>();
        for (final Failure failure : failures)
        {
            runs.add(new SimulateReport.FailedRun(failure.seed(), failure.text(),
                Replay.command(failure.result().parameters())));
        }
        return runs;
    }

    private static List<String> notes(
        final List<String> unreached, final boolean areProbesRequired, final List<PlantedBug> bugs)
    {
        final List<String> notes = new ArrayList<>();
        if (unreached.isEmpty())
        {
            notes.add("Every probe was hit.");
        }
        else
        {
            notes.add((areProbesRequired ? "Probes missed, which makes the campaign fail: " :
                "Probes not hit (required from " + PROBES_REQUIRED_SEED_COUNT +
                " fresh seeds on, without --nodes and --set): ") + String.join(", ", unreached));
        }
        if (!bugs.isEmpty())
        {
            addBugs(notes, bugs);
        }
        return notes;
    }

    private static void addBugs(final List<String> notes, final List<PlantedBug> bugs)
    {
        final long caughtCount = bugs.stream().filter(PlantedBug::isCaught).count();
        notes.add("Planted bugs caught: " + caughtCount + " of " + bugs.size() + ".");
        addBugs(notes, "Tried, but not caught in the time: ",
            bugs.stream().filter(bug -> !bug.isCaught() && bug.seedCount() > 0).toList());
        addBugs(notes, "Left out for want of time: ", bugs.stream().filter(bug -> bug.seedCount() == 0).toList());
    }

    private static void addBugs(final List<String> notes, final String text, final List<PlantedBug> bugs)
    {
        if (!bugs.isEmpty())
        {
            notes.add(text + bugs.stream().map(PlantedBug::name).collect(Collectors.joining(", ")));
        }
    }
}
