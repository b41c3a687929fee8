// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.ni.lab.campaign.Campaign;
import org.grim.ni.lab.campaign.CampaignOptions;
import org.grim.ni.lab.campaign.SeedStory;
import org.grim.ni.lab.campaign.SimulateReport;
import org.grim.tools.cli.CommandProgress;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The NI's test of tests. */
@Command(name = "simulate", mixinStandardHelpOptions = true,
    description = "Runs simulated clusters of NIs, one per seed, and checks every promise of the NI.",
    footer = {"", "Seeds that once failed come first, then fresh ones. 5 %% run twice with the same result; now",
        "and then a canary does something wrong on purpose and must be caught. The last fifth of the time looks for",
        "planted bugs: guards of the protocol that are taken away one by one. Exit code 1 if a promise was broken, a",
        "self-test failed, or a probe was missed by 1,000 fresh seeds or more.",
        "JSON: {seeds, virtualHours, delivered, violations, faults: {kind: count}, probes: {name: seeds},",
        "plantedBugs: [{name, caught, medianSeeds, trials, triedSeeds}], firstSeed, keptSeeds, sent, missedProbes,",
        "selfTests, failures: [{seed, text, replay}], notes}."})
final class SimulateCommand implements Callable<Integer>
{
    private static final double MINUTES_MIN = 0.01;
    private static final int MINUTES_MAX = 1440;
    private static final int NODES_MAX = 1024;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N",
        description = "First of the fresh seeds; the next ones follow it (default: from the time of day).")
    private Long seed;

    @Option(names = "--minutes", paramLabel = "M", description = "For all of it, 0.01 to 1440 (default: 1).")
    private Double minutes;

    @Option(names = "--nodes", paramLabel = "N", description = "NIs of each cluster, 1 to 1024 (default: drawn).")
    private Integer nodes;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "A setting that is not drawn; --trace prints all of them. May be repeated.")
    private Map<String, Long> settings = new LinkedHashMap<>();

    @Mixin
    private JsonOption json;

    @Option(names = "--trace", description = "Tell the run of one seed, event by event; needs --seed.")
    private boolean hasTrace;

    @Option(names = "--pcap", paramLabel = "FILE",
        description = "Write the packets of one seed for Wireshark with docs/grim.lua; needs --seed.")
    private Path pcap;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final boolean isStory = hasTrace || pcap != null;
        checkOptions(isStory);
        final double chosenMinutes = minutes == null ? 1 : minutes;
        final long durationNs = (long)(chosenMinutes * TimeUnit.MINUTES.toNanos(1));
        final CampaignOptions options = options(durationNs);
        final SimulateReport report = isStory ? story(options, json.text()) : campaign(options, json.text());
        json.print("", report);
        return report.hasPassed() ? 0 : 1;
    }

    private SimulateReport story(final CampaignOptions options, final PrintWriter text)
    {
        return new SeedStory(options, text, hasTrace, pcap).run();
    }

    private SimulateReport campaign(final CampaignOptions options, final PrintWriter text) throws InterruptedException
    {
        text.println(String.format(Locale.ROOT, "seeds from %d on, %d at a time, for %s minutes", options.firstSeed(),
            options.threadCount(), minutes == null ? "1" : minutes.toString()));
        text.flush();
        final SimulateReport report;
        final Campaign campaign;
        try (CommandProgress progress = new CommandProgress(spec.commandLine().getErr(), "simulated",
            options.durationNs(), "s", TimeUnit.SECONDS.toNanos(1)))
        {
            campaign = new Campaign(options, (done, elapsedNs) -> progress.at(elapsedNs, done));
            report = campaign.run();
        }
        text.print(report.text());
        text.flush();                   // The next step takes some seconds.
        text.print(campaign.failureText());
        return report;
    }

    private CampaignOptions options(final long durationNs)
    {
        final List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + "=" + value));
        if (nodes != null)
        {
            lines.add("node-count=" + nodes);
        }
        final long firstSeed = seed == null ? System.currentTimeMillis() : seed;
        try
        {
            return new CampaignOptions(firstSeed, durationNs, Runtime.getRuntime().availableProcessors(), lines);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), "--set: " + ex.getMessage(), ex);
        }
    }

    private void checkOptions(final boolean isStory)
    {
        OptionCheck.requireWithin(spec, "--minutes", minutes, MINUTES_MIN, MINUTES_MAX);
        OptionCheck.requireWithin(spec, "--nodes", nodes, 1, NODES_MAX);
        if (isStory && seed == null)
        {
            throw new ParameterException(spec.commandLine(), "--trace and --pcap tell one run: --seed=N is missing");
        }
        if (isStory && minutes != null)
        {
            throw new ParameterException(spec.commandLine(), "--minutes=" + minutes +
                " does not go with --trace and --pcap, which run one seed");
        }
    }
}
