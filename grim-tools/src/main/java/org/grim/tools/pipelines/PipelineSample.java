// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pipelines;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.tools.report.Json;

/**
 * Connections of one owner at one look. Immutable.
 *
 * @param owner       name of the node.
 * @param endpoint    of its streams.
 * @param connections that it has.
 */
record PipelineSample(String owner, EndpointId endpoint, List<Pipeline> connections)
{
    private static final int CONNECTION_FIELDS = 12;
    private static final int STAGE_FIELDS = 5;
    private static final int FAILURE_FIELDS = 2;

    /**
     * One connection.
     *
     * @param number    at its owner.
     * @param state     in a word.
     * @param epoch     of its path.
     * @param sink      that gets the results.
     * @param window    most items under way.
     * @param injected  items.
     * @param delivered items.
     * @param failed    items.
     * @param lost      items.
     * @param unknown   items.
     * @param name      of the connection.
     * @param stages    from source to sink.
     * @param failure   of the last change of its path; empty if there is none.
     */
    record Pipeline(
        int number, String state, int epoch, EndpointId sink, int window, long injected, long delivered, long failed,
        long lost, long unknown, String name, List<StageSample> stages, String failure)
    {
        long accounted()
        {
            return delivered + failed + lost + unknown;
        }

        long pending()
        {
            return injected - delivered - failed - lost - unknown;
        }
    }

    /**
     * One stage.
     *
     * @param device    that runs the kernel.
     * @param slot      of its entry there; negative if there is none.
     * @param operation of the kernel.
     * @param kernel    name of it.
     * @param items     that came since the entry was set; negative if it is not known.
     * @param state     of the device.
     */
    record StageSample(EndpointId device, int slot, int operation, String kernel, long items, String state)
    {
        /** Says whether the device is there, and has not failed. */
        boolean isUp()
        {
            return Stream.of(DeviceInfo.State.GONE, DeviceInfo.State.FAILED).map(Json::label)
                .noneMatch(state::equals);
        }

        StageSample with(final long newItems, final String newState)
        {
            return new StageSample(device, slot, operation, kernel, newItems, newState);
        }
    }

    /**
     * Reads an owner's list.
     *
     * @throws GrimException if it is none.
     */
    static PipelineSample parse(final String owner, final EndpointId endpoint, final String text)
    {
        final List<Pipeline> connections = new ArrayList<>();
        try
        {
            for (final String line : text.lines().toList())
            {
                parse(line.split("\t", -1), connections);
            }
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, "list of streams of " + owner + " is wrong: " + ex);
        }
        return new PipelineSample(owner, endpoint, List.copyOf(connections));
    }

    private static void parse(final String[] fields, final List<Pipeline> connections)
    {
        if (fields[0].equals("connection") && fields.length == CONNECTION_FIELDS)
        {
            connections.add(new Pipeline(Integer.parseInt(fields[1]), fields[2], Integer.parseInt(fields[3]),
                EndpointId.ofKey(Integer.parseInt(fields[4])), Integer.parseInt(fields[5]), Long.parseLong(fields[6]),
                Long.parseLong(fields[7]), Long.parseLong(fields[8]), Long.parseLong(fields[9]),
                Long.parseLong(fields[10]), fields[11], List.of(), ""));
            return;
        }
        final int last = connections.size() - 1;
        final Pipeline before = connections.get(last);
        if (fields[0].equals("stage") && fields.length == STAGE_FIELDS)
        {
            final List<StageSample> stages = new ArrayList<>(before.stages);
            stages.add(new StageSample(EndpointId.ofKey(Integer.parseInt(fields[1])), Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]), fields[4], -1, ""));
            connections.set(last, with(before, List.copyOf(stages), before.failure));
        }
        else if (fields[0].equals("failure") && fields.length == FAILURE_FIELDS)
        {
            connections.set(last, with(before, before.stages, fields[1]));
        }
        else
        {
            throw new IllegalArgumentException("line of " + fields.length + " fields: " + fields[0]);
        }
    }

    /** The connection with other stages. */
    static Pipeline with(final Pipeline pipeline, final List<StageSample> stages, final String failure)
    {
        return new Pipeline(pipeline.number, pipeline.state, pipeline.epoch, pipeline.sink, pipeline.window,
            pipeline.injected, pipeline.delivered, pipeline.failed, pipeline.lost, pipeline.unknown, pipeline.name,
            stages, failure);
    }
}
