// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.tools.observe.Observer;
import org.grim.tools.observe.WhyCause;
import org.grim.tools.pipelines.Pipelines;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Explains standstills of queues. */
@Command(name = "why", mixinStandardHelpOptions = true,
    description = "Says of each queue of a cluster that does not move who waits for what, from outside.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing waits", "1:failed", "2:wrong usage", "3:something waits"},
    footer = {"", "Reads files, those of dead nodes too, as long as they are there. Looks twice: what",
        "stands where it stood waits. Other hosts are asked: it says who does not answer within 2 s, whose loop has",
        "not polled for 1 s, and of each hop between hosts whether the receiver, a media driver or the network is the",
        "cause.",
        "If the cluster has an accelerator, it joins for the time of two looks, and asks the stages of streams.",
        "JSON: [{from, to, channel, queue, kind, unread, slots, stuckMs, cause, chain: [SENTENCE]}].", "", "Causes:"},
    modelTransformer = WhyCommand.Causes.class)
final class WhyCommand implements Callable<Integer>
{
    private static final int NOTHING_WAITS = 0;
    private static final int SOMETHING_WAITS = 3;
    private static final long SAMPLE_MS_MAX = 60_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--sample", paramLabel = "MS", defaultValue = "200",
        description = "Time between the two looks, 10 to 60000 ms (default: ${DEFAULT-VALUE}).")
    private long sampleMs;

    @Option(names = "--outside",
        description = "Do not join the cluster to ask the stages of its streams.")
    private boolean isOutside;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--sample", sampleMs, 10, SAMPLE_MS_MAX);
        final GrimConfig config = cluster.config();
        final Observer.Report report = Observer.why(config.clusterDirectory(), sampleMs);
        final Pipelines.Report streams = streams(config);
        final List<Object> entries = new ArrayList<>((Collection<?>)streams.json());
        final boolean isWaiting = report.isWaiting() || !entries.isEmpty();
        entries.addAll((Collection<?>)report.json());
        final PrintWriter output = spec.commandLine().getOut();
        output.print(isJson ? Json.text(entries) : streams.text() + report.text());
        output.flush();
        return isWaiting ? SOMETHING_WAITS : NOTHING_WAITS;
    }

    /** Asks for streams, if there can be any. */
    private Pipelines.Report streams(final GrimConfig config)
    {
        if (isOutside || !Observer.hasDevice(config.clusterDirectory(), NodeInfo.Device.ACCELERATOR))
        {
            return new Pipelines.Report(List.of(), "");
        }
        try
        {
            return Pipelines.waits(config.toBuilder().nodeName("why-" + ProcessHandle.current().pid()).build(),
                TimeUnit.MILLISECONDS.toNanos(sampleMs));
        }
        catch (final GrimException ex)
        {
            return new Pipelines.Report(List.of(), "streams were not asked: " + ex.getMessage() + "\n");
        }
    }

    /** Ends the help with the table of causes. */
    static final class Causes implements IModelTransformer
    {
        @Override
        public CommandSpec transform(final CommandSpec why)
        {
            why.usageMessage().footer(Stream.concat(Stream.of(why.usageMessage().footer()),
                Stream.of(WhyCause.values()).map(cause -> "  " + cause.label() + ": " + cause.meaning()))
                .toArray(String[]::new));
            return why;
        }
    }
}
