// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.ni.scale.ScaleLimits;
import org.grim.ni.scale.ScaleOptions;
import org.grim.ni.scale.ScaleResult;
import org.grim.ni.scale.ScaleRun;
import org.grim.ni.scale.ScaleWire;
import org.grim.ni.scale.TrafficPattern;
import org.grim.tools.cli.CommandProgress;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the protocol with thousands of NIs. */
@Command(name = "scale", mixinStandardHelpOptions = true,
    description = "Runs up to 4,096 boards in virtual time under load: goodput, retransmissions, fairness, memory.",
    footer = {"", "The boards run the real control program over a folded Clos network. Exit code 1 if a limit stopped",
        "a run. JSON: {command, rows: [{pattern, wire, nis, size, messages, hotPercent, drainNs, seed, convicting,",
        "stop, goodput: {deliveredCount, total, perNi, middle, share}, packets: {data, repeated, share, nacks,",
        "convictions, lost}, fairness: {senders, hotSpot}, memory: {peerCount, tripleCount, sramBytes, tableBytes,",
        "heapBytes, peerHeapBytes}, cost: {hopCount, virtualMs, seconds, cpuSeconds, eventCount, heapBytes}}]};",
        "rates are in 10^6 bytes a second."})
final class ScaleCommand implements Callable<Integer>
{
    private static final double MINUTES_MIN = 0.001;
    private static final int MINUTES_MAX = 1440;
    private static final double MEMORY_MIN = 0.01;
    private static final double GIBI = 1L << 30;
    /** Of the JVM's heap: behind that it would only collect. */
    private static final double MEMORY_SHARE = 0.92;

    @Spec
    private CommandSpec spec;

    @Option(names = "--nis", paramLabel = "N", split = ",", defaultValue = "2,16,64,256,1024,4096",
        description = "Counts of NIs, 2 to 4096 each (default: ${DEFAULT-VALUE}).")
    private List<Integer> nis;

    @Option(names = "--pattern", paramLabel = "PATTERN", defaultValue = "all-to-all",
        description = "all-to-all, hot-spot or nearest-neighbour (default: ${DEFAULT-VALUE}).")
    private TrafficPattern pattern;

    @Option(names = "--wire", paramLabel = "WIRE", defaultValue = "modern",
        description = "myrinet or modern, with boards and hosts of its time (default: ${DEFAULT-VALUE}).")
    private ScaleWire wire;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "4096",
        description = "Payload of each message, 8 to 65504 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "64",
        description = "Messages that each NI sends, 1 to 1000000 (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(names = "--share", paramLabel = "PERCENT", defaultValue = "100",
        description = "Of all messages that go to the hot spot, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int share;

    @Option(names = "--drain-ns", paramLabel = "NS", defaultValue = "0",
        description = "Time in which a host reads a message (default: by size, as hosts of the wire's time).")
    private int drainNs;

    @Option(names = "--convict", description = "Give up NIs that do not answer ten questions, as the defaults do.")
    private boolean isConvicting;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Of all chance; the same seed gives the same figures (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--minutes", paramLabel = "M", defaultValue = "30",
        description = "That one run may take, 0.001 to 1440 (default: ${DEFAULT-VALUE}).")
    private double minutes;

    @Option(names = "--memory", paramLabel = "GIB",
        description = "Heap that a run may use, from 0.01 (default: 92 %% of the JVM's, which -Xmx sets).")
    private Double memory;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final ScaleLimits limits = limits();
        final List<ScaleOptions> runs = new ArrayList<>();
        for (final int niCount : nis)
        {
            runs.add(options(niCount));
        }
        final PrintWriter text = json.text();
        text.println(String.format(Locale.ROOT, "%s%s, %s wire, %d bytes, %d messages per NI, seed %d", pattern,
            pattern == TrafficPattern.HOT_SPOT ? " " + share + " %" : "", wire, size, messages, seed));
        text.flush();
        final List<ScaleResult> results = new ArrayList<>();
        for (final ScaleOptions options : runs)
        {
            results.add(run(options, limits));
        }
        json.print(ScaleReport.text(results), ScaleReport.json(results));
        return results.stream().allMatch(result -> result.stop() == null) ? 0 : 1;
    }

    private ScaleOptions options(final int niCount)
    {
        try
        {
            return new ScaleOptions(niCount, pattern, wire, size, messages, share, drainNs, seed, isConvicting);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), "scale: " + ex.getMessage(), ex);
        }
    }

    private ScaleLimits limits()
    {
        OptionCheck.requireWithin(spec, "--minutes", minutes, MINUTES_MIN, MINUTES_MAX);
        final double available = Runtime.getRuntime().maxMemory() * MEMORY_SHARE / GIBI;
        if (memory != null && !(memory >= MEMORY_MIN && memory <= available))
        {
            throw new ParameterException(spec.commandLine(), String.format(Locale.ROOT,
                "--memory=%s is outside 0.01 to %.2f, 92 %% of the JVM's heap (GRIM_JAVA_OPTS=-Xmx sets it)", memory,
                available));
        }
        return new ScaleLimits((long)(minutes * TimeUnit.MINUTES.toNanos(1)),
            (long)((memory == null ? available : memory) * GIBI));
    }

    private ScaleResult run(final ScaleOptions options, final ScaleLimits limits)
    {
        try (CommandProgress progress = new CommandProgress(spec.commandLine().getErr(), "delivered",
            options.totalCount(), "messages", 1))
        {
            return new ScaleRun(options, limits, (time, count) -> progress.at(
                count, options.niCount() + " NIs, " + time)).run();
        }
    }
}
