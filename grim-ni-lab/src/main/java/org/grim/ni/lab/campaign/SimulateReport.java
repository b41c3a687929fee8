// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code simulate}; its components are the JSON.
 *
 * @param seeds        that were run.
 * @param virtualHours that passed in them together.
 * @param delivered    active messages that hosts read.
 * @param violations   seeds that broke a promise.
 * @param faults       how often each kind happened.
 * @param probes       seeds that reached each situation.
 * @param plantedBugs  guards that were taken away.
 * @param firstSeed    of the fresh seeds.
 * @param keptSeeds    of the seeds, those that failed once and were run first.
 * @param sent         messages that hosts put into channels.
 * @param multicasts   of what was delivered, multicasts: one for each subscriber.
 * @param missedProbes situations that had to be reached and were not.
 * @param selfTests    what was done to test the simulator itself.
 * @param failures     the first runs that failed.
 * @param notes        what was left out, for people.
 */
@JsonPropertyOrder({"seeds", "virtualHours", "delivered", "violations", "faults", "probes", "plantedBugs", "firstSeed",
    "keptSeeds", "sent", "multicasts", "missedProbes", "selfTests", "failures", "notes"})
public record SimulateReport(
    long seeds, double virtualHours, long delivered, long violations, Map<String, Long> faults,
    Map<String, Long> probes, List<Bug> plantedBugs, long firstSeed, int keptSeeds, long sent,
    long multicasts, List<String> missedProbes, SelfTests selfTests, List<FailedRun> failures, List<String> notes)
{
    /** Probes must be reached from so many fresh seeds on; fewer cannot be expected to reach the rare ones. */
    static final int PROBES_REQUIRED_SEED_COUNT = 1000;

    private static final double NS_PER_HOUR = 3.6e12;
    private static final double DIGITS = 1e6;

    /**
     * A guard that was taken away.
     *
     * @param name        of the guard.
     * @param caught      whether a run failed for it.
     * @param medianSeeds that it took, over the trials; null if it was not caught.
     * @param trials      that came to an end.
     * @param triedSeeds  in all trials.
     */
    @JsonPropertyOrder({"name", "caught", "medianSeeds", "trials", "triedSeeds"})
    public record Bug(String name, boolean caught, Double medianSeeds, int trials, long triedSeeds)
    {
        private static Bug of(final PlantedBug bug)
        {
            return new Bug(bug.name(), bug.isCaught(), bug.medianSeedCount(), bug.trialCount(), bug.seedCount());
        }
    }

    /**
     * Tests of the simulator itself.
     *
     * @param repeated       seeds that were run twice.
     * @param differences    of these, those that ran differently the second time.
     * @param canaries       runs that did something wrong on purpose.
     * @param silentCanaries of these, those in which nobody noticed.
     */
    @JsonPropertyOrder({"repeated", "differences", "canaries", "silentCanaries"})
    public record SelfTests(long repeated, long differences, long canaries, long silentCanaries)
    {
    }

    /**
     * A run that failed.
     *
     * @param seed   of the run.
     * @param text   what was wrong.
     * @param replay command that repeats it.
     */
    @JsonPropertyOrder({"seed", "text", "replay"})
    public record FailedRun(long seed, String text, String replay)
    {
        private static FailedRun of(final Failure failure)
        {
            final SimulationParameters parameters = failure.result().parameters();
            return new FailedRun(parameters.seed(), failure.text(), Failure.replay(parameters));
        }
    }

    /**
     * Whether the campaign found nothing wrong, neither with the NI nor with itself. True if the command ends with 0.
     */
    public boolean hasPassed()
    {
        return violations == 0 && selfTests.differences() == 0 && selfTests.silentCanaries() == 0 &&
            missedProbes.isEmpty();
    }

    static SimulateReport of(
        final CampaignOptions options, final int keptCount, final Tally tally, final List<PlantedBug> bugs)
    {
        final Map<String, Long> probes = new LinkedHashMap<>();
        tally.probes.forEach((probe, count) -> probes.put(Json.label(probe), count));
        final List<String> unreached = probes.keySet().stream().filter(probe -> probes.get(probe) == 0).toList();
        final boolean areProbesRequired =
            tally.seedCount - keptCount >= PROBES_REQUIRED_SEED_COUNT && options.settings().isEmpty();
        return new SimulateReport(tally.seedCount, Math.round(tally.virtualNs / NS_PER_HOUR * DIGITS) / DIGITS,
            tally.deliveredCount, tally.violationCount, tally.faults, probes, bugs.stream().map(Bug::of).toList(),
            options.firstSeed(), keptCount, tally.sentCount, tally.multicastCount,
            areProbesRequired ? unreached : List.of(),
            new SelfTests(tally.repeatedCount, tally.differenceCount, tally.canaryCount, tally.silentCanaryCount),
            tally.failures.stream().map(FailedRun::of).toList(), notes(unreached, areProbesRequired, bugs));
    }

    private static List<String> notes(
        final List<String> unreached, final boolean areProbesRequired, final List<PlantedBug> bugs)
    {
        final List<String> notes = new ArrayList<>();
        notes.add(unreached.isEmpty() ? "Every probe was hit." :
            (areProbesRequired ? "Probes missed, which makes the campaign fail: " :
            "Probes not hit (required from " + PROBES_REQUIRED_SEED_COUNT +
            " fresh seeds on, without --nodes and --set): ") + String.join(", ", unreached));
        if (!bugs.isEmpty())
        {
            final long caughtCount = bugs.stream().filter(PlantedBug::isCaught).count();
            notes.add("Planted bugs caught: " + caughtCount + " of " + bugs.size() + ".");
            addBugs(notes, "Tried, but not caught in the time: ", bugs, bug -> !bug.isCaught() && bug.seedCount() > 0);
            addBugs(notes, "Left out for lack of time: ", bugs, bug -> bug.seedCount() == 0);
        }
        return notes;
    }

    private static void addBugs(
        final List<String> notes, final String text, final List<PlantedBug> bugs, final Predicate<PlantedBug> filter)
    {
        final String names = bugs.stream().filter(filter).map(PlantedBug::name).collect(Collectors.joining(", "));
        if (!names.isEmpty())
        {
            notes.add(text + names);
        }
    }

    /** Tables for people, and what they leave out. */
    public String text()
    {
        final StringBuilder text = new StringBuilder();
        final Table sums = new Table("campaign", "count");
        sums.row("seeds, the first fresh one " + firstSeed, seeds);
        sums.row("  run twice for the same trace hash", selfTests.repeated());
        sums.row("  kept because they failed once", keptSeeds);
        sums.row("virtual hours", String.format(Locale.ROOT, "%.6f", virtualHours));
        sums.row("messages sent", sent);
        sums.row("active messages delivered", delivered);
        sums.row("  of them multicasts, one for each subscriber", multicasts);
        sums.row("violations", violations);
        sums.row("canaries", selfTests.canaries());
        sums.row("canaries that nobody noticed", selfTests.silentCanaries());
        sums.row("seeds whose two runs differed", selfTests.differences());
        append(text, sums);
        append(text, table("fault", "count", faults));
        append(text, table("probe", "seeds", probes));
        if (!plantedBugs.isEmpty())
        {
            final Table bugs = new Table("planted bug", "caught", "median seeds", "trials", "seeds tried");
            plantedBugs.forEach(bug -> bugs.row(bug.name(), bug.caught() ? "yes" : "no",
                bug.medianSeeds() == null ? "-" : bug.medianSeeds(), bug.trials(), bug.triedSeeds()));
            append(text, bugs);
        }
        notes.forEach(note -> text.append(note).append(System.lineSeparator()));
        return text.toString();
    }

    private static Table table(final String what, final String count, final Map<String, Long> counts)
    {
        final Table table = new Table(what, count);
        counts.forEach(table::row);
        return table;
    }

    private static void append(final StringBuilder text, final Table table)
    {
        text.append(table).append(System.lineSeparator());
    }
}
