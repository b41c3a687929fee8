// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.grim.ni.model.EndToEndModel;
import org.grim.ni.model.FaultModel;
import org.grim.ni.model.Mode;
import org.grim.ni.model.ModelParameters;
import org.grim.ni.model.Notification;
import org.grim.ni.model.Range;
import org.grim.ni.model.Stage;
import org.grim.ni.model.Summary;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.tools.report.Json;

/**
 * Predictions of the model for a host with a board. Immutable.
 *
 * @param host        of both sides.
 * @param ni          board of both sides.
 * @param rows        by mode, notification and size.
 * @param summaries   by mode and notification.
 * @param forwardings active messages by kind of forwarding.
 * @param channels    active messages by number of channels.
 * @param bursts      of active messages, by limit of outstanding ones: overhead of the host for each message, us.
 * @param stages      of the smallest active message.
 * @param multicasts  and repeated unicasts, by size and number of hosts.
 * @param faults      of an accelerator beside the board, by name; empty for hosts of which no page gives transfers to
 *     other cards.
 */
public record ModelResult(HostTiming host, LanaiModel ni, List<ModelRow> rows, List<Summary> summaries,
    List<ForwardingRow> forwardings, List<ChannelRow> channels, Map<Integer, Double> bursts, List<Stage> stages,
    List<MulticastRow> multicasts, Map<String, List<FaultModel.Part>> faults)
{
    /**
     * A message for several hosts; microseconds until the last one has it.
     *
     * @param size       payload bytes.
     * @param hostCount  hosts, the sender's among them.
     * @param memberUs   multicast whose sender's board is the root.
     * @param outsiderUs multicast of a sender that is no member.
     * @param unicastsUs one message after the other.
     * @param gain       of the first against the last: a factor.
     */
    public record MulticastRow(
        int size, int hostCount, Range memberUs, Range outsiderUs, Range unicastsUs, Range gain)
    {
    }

    /**
     * A kind of forwarding.
     *
     * @param name        for people.
     * @param storedUs    latency of 64 KiB.
     * @param storedMBs   stream of 64 KiB.
     * @param largestUs   latency of 2 MiB; NaN if no board holds that.
     * @param largestMBs  stream of 2 MiB; NaN if no board holds that.
     */
    public record ForwardingRow(String name, double storedUs, double storedMBs, double largestUs, double largestMBs)
    {
    }

    /**
     * A number of channels.
     *
     * @param count      that a board scans.
     * @param latencyUs  of the smallest message.
     * @param scannedMBs stream of 1 KiB.
     */
    public record ChannelRow(int count, double latencyUs, double scannedMBs)
    {
    }

    /** For people. */
    String name()
    {
        return host.label() + ", " + ni.label();
    }

    /** Returns the prediction for a size with one kind of notification. */
    ModelRow row(final Mode mode, final Notification notification, final int size)
    {
        return rows.stream().filter(row -> row.mode().equals(mode.label()) && row.size() == size &&
            row.notification().equals(notification.label())).findFirst().orElseThrow();
    }

    Summary summary(final Mode mode, final Notification notification)
    {
        return summaries.stream().filter(summary -> summary.parameters().mode() == mode &&
            summary.parameters().notification() == notification).findFirst().orElseThrow();
    }

    /** Returns the original's kind of notification. */
    Notification usual(final Mode mode)
    {
        return ModelParameters.original(host, ni, mode).notification();
    }

    /** For programs. */
    public static List<Object> json(final List<ModelResult> results)
    {
        final List<Object> json = new ArrayList<>();
        results.forEach(result -> json.addAll(result.rows));
        for (final ModelResult result : results)
        {
            for (final Mode mode : Mode.values())
            {
                json.add(json("summary", result.summary(mode, result.usual(mode))));
            }
        }
        for (final ModelResult result : results)
        {
            for (final Mode mode : Mode.values())
            {
                Stream.of(Notification.values()).filter(kind -> kind != result.usual(mode))
                    .forEach(kind -> json.add(json("other", result.summary(mode, kind))));
            }
            result.multicasts.forEach(row -> json.add(result.json(row)));
            result.faults.forEach((name, parts) -> json.add(result.json(name, parts)));
        }
        return json;
    }

    private Map<String, Object> json(final MulticastRow row)
    {
        return Json.object("multicast", true, "host", host.label(), "ni", ni.label(), "size", row.size,
            "hosts", row.hostCount, "memberUs", json(row.memberUs), "outsiderUs", json(row.outsiderUs),
            "unicastsUs", json(row.unicastsUs), "gain", json(row.gain));
    }

    private Map<String, Object> json(final String name, final List<FaultModel.Part> parts)
    {
        return Json.object("fault", name, "host", host.label(), "ni", ni.label(),
            "sumUs", json(FaultModel.sum(parts)), "parts", parts.stream().map(part ->
                Json.object("part", part.name(), "us", json(part.us()), "source", part.source())).toList(),
            "leftOut", FaultModel.LEFT_OUT);
    }

    /** Low, central and high. */
    private static List<Double> json(final Range range)
    {
        return List.of(
            ModelRun.rounded(range.low()), ModelRun.rounded(range.central()), ModelRun.rounded(range.high()));
    }

    /** Its first member distinguishes it from the row of a size. */
    private static Map<String, Object> json(final String kind, final Summary summary)
    {
        final ModelParameters system = summary.parameters();
        final Range latency = summary.latencyUs();
        final Range bandwidth = summary.bandwidthMBs();
        final Range half = summary.halfSize();
        return Json.object(kind, true, "host", system.host().label(), "ni", system.ni().label(),
            "mode", system.mode().label(), "notification", system.notification().label(),
            "size", EndToEndModel.SIZE_MIN, "latencyUs", ModelRun.rounded(latency.central()),
            "latencyLowUs", ModelRun.rounded(latency.low()), "latencyHighUs", ModelRun.rounded(latency.high()),
            "bandwidthMBs", ModelRun.rounded(bandwidth.central()),
            "bandwidthLowMBs", ModelRun.rounded(bandwidth.low()),
            "bandwidthHighMBs", ModelRun.rounded(bandwidth.high()), "halfSize", Math.rint(half.central()),
            "halfSizeLow", Math.rint(half.low()), "halfSizeHigh", Math.rint(half.high()));
    }
}
