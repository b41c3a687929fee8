// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.grim.ni.model.EndToEndModel;
import org.grim.ni.model.FaultModel;
import org.grim.ni.model.Forwarding;
import org.grim.ni.model.Mode;
import org.grim.ni.model.ModelParameters;
import org.grim.ni.model.MulticastModel;
import org.grim.ni.model.Notification;
import org.grim.ni.model.Summary;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;

/** Computes all predictions that the command prints. Any thread; uses the common pool; no state. */
public final class ModelRun
{
    /** Of messages whose forwarding is compared. */
    static final int SIZE_STORED = 64 << 10;
    /** Of messages that are found among channels, as a stream. */
    static final int SIZE_SCANNED = 1024;
    /** Messages of a burst. */
    static final int BURST_COUNT = 128;

    /** Of messages for several hosts. */
    static final List<Integer> SIZES_MULTICAST = List.of(EndToEndModel.SIZE_MIN, 256, 4 << 10, 64 << 10, 1 << 20);
    /** Of messages for several hosts: the sender's and all others. */
    static final List<Integer> HOST_COUNTS = List.of(2, 3, 4, 5, 6, 7, 8);
    /** Bytes of a page that is not there. */
    static final int PAGE_LENGTH = 2 << 20;

    private static final int KIBI = 1024;
    private static final List<Integer> IMAGE_LENGTHS = List.of(64 << 10, 1 << 20);
    private static final List<Integer> CHANNEL_COUNTS = List.of(1, 8, 16, 32);
    private static final List<Integer> OUTSTANDING_LIMITS = List.of(1, 2, 4, 8, 16, 32, 64, 127);

    private ModelRun()
    {
    }

    /** Runs the model for some systems. */
    public static List<ModelResult> run(final List<HostTiming> hosts, final List<LanaiModel> nis)
    {
        return hosts.stream().flatMap(host -> nis.stream().map(ni -> result(host, ni))).toList();
    }

    private static ModelResult result(final HostTiming host, final LanaiModel ni)
    {
        final List<ModelParameters> systems = Stream.of(Mode.values()).flatMap(mode ->
            Stream.of(Notification.values()).map(kind -> ModelParameters.original(host, ni, mode).with(kind))).toList();
        final List<Summary> summaries = systems.parallelStream().map(Summary::of).toList();
        final List<ModelRow> rows =
            systems.parallelStream().flatMap(system ->
                EndToEndModel.SIZES.stream().map(size -> row(system, size))).toList();
        final ModelParameters messages = ModelParameters.original(host, ni, Mode.AM);
        return new ModelResult(host, ni, rows, summaries, forwardings(messages),
            CHANNEL_COUNTS.stream().map(count -> channels(messages, count)).toList(),
            bursts(messages),
            new EndToEndModel(messages).stages(EndToEndModel.SIZE_MIN),
            SIZES_MULTICAST.stream().flatMap(size -> HOST_COUNTS.stream().map(count -> List.of(size, count))).toList()
                .parallelStream().map(row -> multicast(messages, row.get(0), row.get(1))).toList(),
            host == HostTiming.P3_550 ? faults(ni) : Map.of());
    }

    private static ModelResult.MulticastRow multicast(
        final ModelParameters messages, final int size, final int hostCount)
    {
        return new ModelResult.MulticastRow(size, hostCount,
            MulticastModel.lastUs(messages, MulticastModel.Path.MEMBER, size, hostCount),
            MulticastModel.lastUs(messages, MulticastModel.Path.OUTSIDER, size, hostCount),
            MulticastModel.lastUs(messages, MulticastModel.Path.UNICASTS, size, hostCount),
            MulticastModel.gain(messages, MulticastModel.Path.MEMBER, size, hostCount));
    }

    private static Map<String, List<FaultModel.Part>> faults(final LanaiModel ni)
    {
        final FaultModel model = new FaultModel(ni);
        final Map<String, List<FaultModel.Part>> faults = new LinkedHashMap<>();
        faults.put("function fault, nothing to load", model.functionFault(0));
        IMAGE_LENGTHS.forEach(length ->
            faults.put("function fault, image of " + length / KIBI + " KiB", model.functionFault(length)));
        faults.put("page fault of 2 MiB, clean frame", model.pageFault(PAGE_LENGTH, false));
        faults.put("page fault of 2 MiB, dirty frame", model.pageFault(PAGE_LENGTH, true));
        return faults;
    }

    private static ModelRow row(final ModelParameters system, final int size)
    {
        final EndToEndModel model = new EndToEndModel(system);
        return new ModelRow(system.host().label(), system.ni().label(), system.mode().label(),
            system.notification().label(), size, rounded(model.latencyUs(size)),
            rounded(model.bandwidthMBs(size)));
    }

    static double rounded(final double value)
    {
        return Math.round(value * 1_000) / 1_000.0;
    }

    private static List<ModelResult.ForwardingRow> forwardings(final ModelParameters messages)
    {
        final List<ModelResult.ForwardingRow> rows = new ArrayList<>();
        forwardings(messages.ni()).forEach((name, forwarding) ->
        {
            final EndToEndModel model = new EndToEndModel(messages.with(forwarding));
            final boolean isWhole = forwarding.fragmentLength() == Forwarding.WHOLE;
            rows.add(new ModelResult.ForwardingRow(name, model.latencyUs(SIZE_STORED), model.streamMBs(SIZE_STORED),
                isWhole ? Double.NaN : model.latencyUs(EndToEndModel.SIZE_MAX),
                isWhole ? Double.NaN : model.streamMBs(EndToEndModel.SIZE_MAX)));
        });
        return rows;
    }

    /** By name, in the order of the table. */
    static Map<String, Forwarding> forwardings(final LanaiModel ni)
    {
        final Map<String, Forwarding> forwardings = new LinkedHashMap<>();
        final Forwarding whole = Forwarding.storeAndForward(ni);
        forwardings.put("whole, store-and-forward", whole);
        forwardings.put("whole, cut-through at sender", whole.withCutThrough(true, false));
        forwardings.put("whole, cut-through at receiver", whole.withCutThrough(false, true));
        forwardings.put("whole, cut-through at both", whole.withCutThrough(true, true));
        for (int length = KIBI; length <= SIZE_STORED; length *= 2)
        {
            forwardings.put("fragments of " + length / KIBI + " KiB", whole.withFragmentLength(length));
        }
        final Forwarding usual = Forwarding.original(ni);
        final String name = "fragments of " + ni.fragmentLength() / KIBI + " KiB, cut-through at ";
        forwardings.put(name + "sender", usual.withCutThrough(true, false));
        forwardings.put(name + "receiver", usual.withCutThrough(false, true));
        forwardings.put(name + "both", usual);
        return forwardings;
    }

    private static ModelResult.ChannelRow channels(final ModelParameters messages, final int count)
    {
        final EndToEndModel model = new EndToEndModel(messages.withChannelCount(count));
        return new ModelResult.ChannelRow(
            count, model.latencyUs(EndToEndModel.SIZE_MIN), model.streamMBs(SIZE_SCANNED));
    }

    private static Map<Integer, Double> bursts(final ModelParameters messages)
    {
        final Map<Integer, Double> bursts = new TreeMap<>();
        OUTSTANDING_LIMITS.forEach(limit -> bursts.put(limit, new EndToEndModel(messages.withOutstandingLimit(limit))
            .injectionOverheadUs(EndToEndModel.SIZE_MIN, BURST_COUNT)));
        return bursts;
    }
}
