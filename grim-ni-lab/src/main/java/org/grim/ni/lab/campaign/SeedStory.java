// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.ClusterSimulation;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.ni.trace.PcapWriter;

/** Report of one run for people, and optionally for Wireshark. Thread: the caller's. */
public final class SeedStory
{
    private static final double NS_PER_MS = 1e6;

    private final CampaignOptions options;
    private final PrintWriter text;
    private final boolean isPrinted;
    private final Path pcap;

    /**
     * Prepares the run.
     *
     * @param options its first seed is the one that runs.
     * @param text    takes the story.
     * @param isPrinted  whether to tell every event; if not, only how it ended.
     * @param pcap    file for the packets, or null for none.
     */
    public SeedStory(final CampaignOptions options, final PrintWriter text, final boolean isPrinted, final Path pcap)
    {
        this.options = options;
        this.text = text;
        this.isPrinted = isPrinted;
        this.pcap = pcap;
    }

    /** Runs the seed and prints its report. */
    public SimulateReport run()
    {
        final SimulationParameters parameters = options.parameters(options.firstSeed());
        parameters.lines().forEach(text::println);
        final SimulationResult result = run(parameters);
        text.println(String.format(Locale.ROOT,
            "%s after %.6f ms: %,d messages sent, %,d active messages delivered, %,d steps, trace hash %016x",
            result.isViolated() ? "failed" : "at rest", result.virtualNs() / NS_PER_MS, result.sentCount(),
            result.deliveredCount(), result.stepCount(), result.traceHash()));
        final Tally tally = new Tally();
        tally.add(result);
        for (final Failure failure : tally.failures)
        {
            text.print(failure.describe(failure.leastFaults()));
        }
        return SimulateReport.of(options, 0, tally, List.of());
    }

    private SimulationResult run(final SimulationParameters parameters)
    {
        final ClusterSimulation simulation = new ClusterSimulation(parameters, Guards.ALL);
        if (isPrinted)
        {
            simulation.story(text::println);
        }
        if (pcap == null)
        {
            return simulation.run();
        }
        try (PcapWriter writer = new PcapWriter(pcap))
        {
            return simulation.packets(writer).run();
        }
    }
}
