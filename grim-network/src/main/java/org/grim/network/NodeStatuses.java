// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.HostDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.counters.CountersView.DistinctError;
import org.grim.counters.CountersView.Reading;
import org.grim.network.registry.RegistryCodec;
import org.grim.text.SafeText;

/**
 * Reads what tools of other hosts ask about this host's nodes, and how that stands in a message.
 * <p>Thread: any; no state.
 */
final class NodeStatuses
{
    private static final int TEXT_LENGTH_MAX = 400;

    private NodeStatuses()
    {
    }

    /** All nodes of this host that are in the cluster. */
    static List<NodeStatus> read(final HostDirectory directory, final long epochMs)
    {
        final List<NodeStatus> statuses = new ArrayList<>();
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            if (directory.isLocal(node))
            {
                final NodeInfo info = directory.report(node).info();
                if (info.state() != NodeInfo.State.GONE)
                {
                    statuses.add(read(directory.counters(node), info, epochMs));
                }
            }
        }
        return statuses;
    }

    private static NodeStatus read(final Path counters, final NodeInfo info, final long epochMs)
    {
        final long ageMs = info.heartbeatMs() <= 0 ? -1 : Math.max(0, epochMs - info.heartbeatMs());
        if (!Files.exists(counters))
        {
            return new NodeStatus(info.number(), info.incarnation(), ageMs, List.of(), List.of(),
                "no counters: it left, or has grim.counters.file=false");
        }
        try (CountersView view = new CountersView(counters))
        {
            return new NodeStatus(info.number(), info.incarnation(), ageMs, view.readings(),
                view.errors().stream().map(NodeStatuses::firstLine).toList(), "");
        }
        catch (final GrimException ex)
        {
            return new NodeStatus(info.number(), info.incarnation(), ageMs, List.of(), List.of(),
                "counters cannot be read: " + SafeText.shorten(ex.getMessage(), TEXT_LENGTH_MAX));
        }
    }

    static void put(final DataOutput output, final NodeStatus status) throws IOException
    {
        output.writeInt(status.number());
        output.writeInt(status.incarnation());
        output.writeLong(status.heartbeatAgeMs());
        RegistryCodec.putList(output, status.readings(), (out, reading) ->
        {
            out.writeInt(reading.kind().typeId());
            out.writeInt(reading.key());
            out.writeUTF(reading.label());
            out.writeLong(reading.value());
        });
        RegistryCodec.putList(output, status.errors(), (out, error) ->
        {
            out.writeInt(error.observationCount());
            out.writeLong(error.firstMs());
            out.writeLong(error.lastMs());
            out.writeUTF(error.text());
        });
        output.writeUTF(status.missing());
    }

    static NodeStatus get(final DataInput input) throws IOException
    {
        return new NodeStatus(input.readInt(), input.readInt(), input.readLong(),
            RegistryCodec.list(input, NodeStatuses::reading),
            RegistryCodec.list(input, in -> new DistinctError(in.readInt(), in.readLong(), in.readLong(),
            SafeText.escape(in.readUTF()))), SafeText.escape(input.readUTF()));
    }

    private static Reading reading(final DataInput input) throws IOException
    {
        final int typeId = input.readInt();
        final CounterKind kind = CounterKind.ofTypeId(typeId);
        if (kind == null)
        {
            throw new IOException("counter type=" + typeId + " is unknown");
        }
        return new Reading(kind, input.readInt(), SafeText.escape(input.readUTF()), input.readLong());
    }

    private static DistinctError firstLine(final DistinctError error)
    {
        return new DistinctError(error.observationCount(), error.firstMs(), error.lastMs(),
            SafeText.shorten(error.text().lines().findFirst().orElse(""), TEXT_LENGTH_MAX));
    }
}
