// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code simulate}; its components are the JSON.
 *
 * @param seeds        that were run.
 * @param virtualHours that passed in them together.
 * @param delivered    active messages that hosts read.
 * @param violations   seeds that broke a promise.
 * @param faults       how often each kind befell.
 * @param probes       seeds that reached each situation.
 * @param plantedBugs  guards that were taken away.
 * @param firstSeed    of the fresh seeds.
 * @param keptSeeds    of the seeds, those that failed once and were run first.
 * @param sent         messages that hosts put into channels.
 * @param missedProbes situations that had to be reached and were not.
 * @param selfTests    what was done to test the simulator itself.
 * @param failures     the first runs that failed.
 * @param notes        what was left out, for people.
 */
@JsonPropertyOrder({"seeds", "virtualHours", "delivered", "violations", "faults", "probes", "plantedBugs", "firstSeed",
    "keptSeeds", "sent", "missedProbes", "selfTests", "failures", "notes"})
public record SimulateReport(
    long seeds, double virtualHours, long delivered, long violations, Map<String, Long> faults,
    Map<String, Long> probes, List<Bug> plantedBugs, long firstSeed, int keptSeeds, long sent,
    List<String> missedProbes, SelfTests selfTests, List<FailedRun> failures, List<String> notes)
{
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
    }

    /**
     * Tests of the simulator itself.
     *
     * @param repeated       seeds that were run twice.
     * @param differences    of these, those that went another way the second time.
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
    }

    /**
     * Whether the campaign found nothing wrong, neither with the NI nor with itself.
     *
     * @return true if the command ends with 0.
     */
    public boolean hasPassed()
    {
        return violations == 0 && selfTests.differences() == 0 && selfTests.silentCanaries() == 0 &&
            missedProbes.isEmpty();
    }

    /**
     * For people.
     *
     * @return tables, and what they leave out.
     */
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
        sums.row("violations", violations);
        sums.row("canaries", selfTests.canaries());
        sums.row("canaries that nobody noticed", selfTests.silentCanaries());
        sums.row("seeds that went two ways", selfTests.differences());
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
