// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pipelines;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceException;
import org.grim.device.accelerator.FrameEntry;
import org.grim.device.accelerator.ItemWait;
import org.grim.tools.report.Json;

/**
 * Asks the owners of streams for their connections, and the accelerators for their items. One that does not answer is
 * asked once.
 * <p>Thread: the owner's of the node's host endpoint.
 */
final class PipelineLook
{
    private static final String LIST = "stream.list";
    private static final String STATUS = "accelerator.status";
    private static final String STATE = "state=";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Grim grim;
    private final Map<EndpointId, DeviceClient> clients = new HashMap<>();
    private final Set<EndpointId> silent = new HashSet<>();
    private final Set<String> missing = new LinkedHashSet<>();

    PipelineLook(final Grim grim)
    {
        this.grim = grim;
        grim.handlers().resolve(LIST);
        grim.handlers().resolve(STATUS);
        grim.handlers().resolve(FrameEntry.STATUS);
        grim.handlers().resolve(ItemWait.NAME);
    }

    /** Returns all owners that have connections, as they are now. */
    List<PipelineSample> look()
    {
        final List<PipelineSample> samples = new ArrayList<>();
        for (final NodeInfo node : grim.nodes())
        {
            for (final DeviceInfo device : node.devices())
            {
                final boolean isAsked = device.kind() == NodeInfo.Device.OTHER && node.state() == NodeInfo.State.UP &&
                    device.state() != DeviceInfo.State.GONE;
                final Reply reply = isAsked ? ask(device.endpoint(), LIST, 0) : null;
                if (reply != null)
                {
                    final PipelineSample sample = PipelineSample.parse(node.name(), device.endpoint(), reply.text());
                    samples.add(new PipelineSample(node.name(), device.endpoint(), sample.connections().stream()
                        .map(connection -> PipelineSample.with(connection,
                        connection.stages().stream().map(this::ask).toList(), connection.failure())).toList()));
                }
            }
        }
        return samples;
    }

    /** Returns all owners and what the first items of their stages wait for. */
    StreamWaits.Look lookForWaits()
    {
        final List<PipelineSample> owners = look();
        final Map<EndpointId, String> answers = new HashMap<>();
        owners.stream().flatMap(owner -> owner.connections().stream()).flatMap(each -> each.stages().stream())
            .filter(PipelineSample.StageSample::isUp).map(PipelineSample.StageSample::device).distinct()
            .forEach(device ->
            {
                final Reply reply = ask(device, ItemWait.NAME, 0);
                if (reply != null && isAnswer(device, reply.text()))
                {
                    answers.put(device, reply.text());
                }
            });
        return new StreamWaits.Look(owners, answers);
    }

    private boolean isAnswer(final EndpointId device, final String text)
    {
        try
        {
            ItemWait.parse(text);
            ItemWait.parseBehind(text);
            return true;
        }
        catch (final IllegalArgumentException ex)
        {
            missing.add(name(device) + " gives a wrong answer to " + ItemWait.NAME + ": " + ex.getMessage());
            return false;
        }
    }

    /** Returns sentences about those that did not answer. */
    Set<String> missing()
    {
        return missing;
    }

    /** Name of the node that a device belongs to. */
    String name(final EndpointId device)
    {
        return grim.nodes().stream().filter(node -> node.number() == device.node()).map(NodeInfo::name).findFirst()
            .orElse("node " + device.node());
    }

    private PipelineSample.StageSample ask(final PipelineSample.StageSample stage)
    {
        final DeviceInfo.State state = grim.nodes().stream().flatMap(node -> node.devices().stream())
            .filter(device -> device.endpoint().equals(stage.device())).map(DeviceInfo::state).findFirst()
            .orElse(DeviceInfo.State.GONE);
        if (state != DeviceInfo.State.UP)
        {
            return stage.with(-1, Json.label(state));
        }
        final Reply items = stage.slot() < 0 ? null : ask(stage.device(), FrameEntry.STATUS, stage.slot());
        final long count = items == null ? -1 : Integer.toUnsignedLong(items.argument(1));
        final Reply status = ask(stage.device(), STATUS, 0);
        return stage.with(count, status == null ? "silent" : status.text().lines()
            .filter(line -> line.startsWith(STATE)).map(line -> line.substring(STATE.length())).findFirst()
            .orElse("up"));
    }

    /** Returns the answer; null if there is none. */
    private Reply ask(final EndpointId device, final String handler, final int argument)
    {
        if (silent.contains(device))
        {
            return null;
        }
        try
        {
            final DeviceClient client =
                clients.computeIfAbsent(device, each -> new DeviceClient(grim, each, TIMEOUT));
            return client.call(client.handler(handler), argument, 0, 0, null, 0, 0);
        }
        catch (final DeviceException ex)        // The entry was replaced meanwhile, for example.
        {
            return null;
        }
        catch (final GrimException ex)
        {
            silent.add(device);
            missing.add(name(device) + " does not answer " + handler + ": " + ex.reason());
            return null;
        }
    }
}
