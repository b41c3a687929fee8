// SPDX-License-Identifier: Apache-2.0
package org.grim.network.status;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.HostDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.counters.CountersView.DistinctError;
import org.grim.counters.CountersView.Reading;
import org.grim.network.registry.RegistryCodec;
import org.grim.text.SafeText;
import org.grim.transport.HopObserver;
import org.grim.transport.HopReport;

/**
 * Reads what tools ask about this host's nodes and hops, and how that stands in a message.
 * <p>Thread: any; no state.
 */
public final class HostStatuses
{
    private static final int TEXT_LENGTH_MAX = 400;

    private HostStatuses()
    {
    }

    /**
     * Looks at this host.
     *
     * @param directory of the host.
     * @param epochMs   now.
     * @param silences  of the other hosts.
     * @return what there is to tell.
     */
    public static HostStatus read(
        final HostDirectory directory, final long epochMs, final List<HostStatus.Silence> silences)
    {
        final List<NodeStatus> statuses = new ArrayList<>();
        final Map<Integer, Integer> incarnations = new TreeMap<>();
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            final NodeInfo info = directory.report(node).info();
            if (info.state() != NodeInfo.State.GONE && info.state() != NodeInfo.State.FREE)
            {
                incarnations.put(node, info.incarnation());
                if (directory.isLocal(node))
                {
                    statuses.add(read(directory.counters(node), info, epochMs));
                }
            }
        }
        return new HostStatus(statuses, HopObserver.lookAtAll(incarnations, directory.nodeFiles()), silences);
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
                view.errors().stream().map(HostStatuses::firstLine).toList(), "");
        }
        catch (final GrimException ex)
        {
            return new NodeStatus(info.number(), info.incarnation(), ageMs, List.of(), List.of(),
                "counters cannot be read: " + SafeText.shorten(ex.getMessage(), TEXT_LENGTH_MAX));
        }
    }

    /**
     * Writes a status.
     *
     * @param output for its bytes.
     * @param status to be written.
     * @throws IOException if the output does.
     */
    public static void put(final DataOutput output, final HostStatus status) throws IOException
    {
        RegistryCodec.putList(output, status.nodes(), HostStatuses::putNode);
        final HopReport hops = status.hops();
        RegistryCodec.putList(output, hops.drivers(), (out, driver) ->
        {
            out.writeLong(driver.processId());
            out.writeLong(driver.silentMs());
            RegistryCodec.putList(out, driver.nodes(), DataOutput::writeInt);
        });
        RegistryCodec.putList(output, hops.outgoing(), (out, hop) ->
        {
            out.writeLong(hop.flow());
            out.writeInt(hop.node());
            out.writeInt(hop.peer());
            out.writeInt(hop.channel());
            out.writeLong(hop.publishedPosition());
            out.writeLong(hop.publishedLimit());
            out.writeLong(hop.sentPosition());
        });
        RegistryCodec.putList(output, hops.incoming(), (out, hop) ->
        {
            out.writeLong(hop.flow());
            out.writeInt(hop.node());
            out.writeInt(hop.channel());
            out.writeLong(hop.highestPosition());
            out.writeLong(hop.completePosition());
            out.writeLong(hop.consumedPosition());
            out.writeLong(hop.gapMs());
        });
        RegistryCodec.putList(output, hops.renewals(), (out, renewal) ->
        {
            out.writeInt(renewal.node());
            out.writeLong(renewal.agoMs());
            out.writeUTF(renewal.why());
        });
        RegistryCodec.putList(output, hops.missing(), DataOutput::writeUTF);
        RegistryCodec.putList(output, status.silences(), (out, silence) ->
        {
            out.writeUTF(silence.host());
            out.writeLong(silence.durationMs());
        });
    }

    /**
     * Reads a status.
     *
     * @param input that holds its bytes.
     * @return the status; its texts are printable.
     * @throws IOException if the bytes are none.
     */
    public static HostStatus get(final DataInput input) throws IOException
    {
        return new HostStatus(RegistryCodec.list(input, HostStatuses::node), hops(input), RegistryCodec.list(input,
            in -> new HostStatus.Silence(SafeText.escape(in.readUTF()), in.readLong())));
    }

    /**
     * Writes an answer about a restart of the cluster.
     *
     * @param output  for its bytes.
     * @param restart to be written.
     * @throws IOException if the output does.
     */
    public static void put(final DataOutput output, final ClusterRestart restart) throws IOException
    {
        output.writeUTF(restart.refusal());
        RegistryCodec.putList(output, restart.rest(), DataOutput::writeUTF);
        RegistryCodec.putList(output, restart.givenUp(), (out, host) ->
        {
            out.writeUTF(host.host());
            out.writeLong(host.absentMs());
            RegistryCodec.putList(out, host.nodes(), (nodeOut, node) ->
            {
                nodeOut.writeInt(node.number());
                nodeOut.writeUTF(node.name());
                nodeOut.writeUTF(node.addresses());
            });
        });
    }

    /**
     * Reads an answer about a restart of the cluster.
     *
     * @param input that holds its bytes.
     * @return the answer; its texts are printable.
     * @throws IOException if the bytes are none.
     */
    public static ClusterRestart restart(final DataInput input) throws IOException
    {
        return new ClusterRestart(text(input), RegistryCodec.list(input, HostStatuses::text),
            RegistryCodec.list(input, in -> new ClusterRestart.GivenUpHost(text(in), in.readLong(),
            RegistryCodec.list(in, node -> new ClusterRestart.GivenUpNode(node.readInt(), text(node), text(node))))));
    }

    private static String text(final DataInput input) throws IOException
    {
        return SafeText.escape(input.readUTF());
    }

    private static void putNode(final DataOutput output, final NodeStatus status) throws IOException
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

    private static NodeStatus node(final DataInput input) throws IOException
    {
        return new NodeStatus(input.readInt(), input.readInt(), input.readLong(),
            RegistryCodec.list(input, HostStatuses::reading),
            RegistryCodec.list(input, in -> new DistinctError(in.readInt(), in.readLong(), in.readLong(),
            SafeText.escape(in.readUTF()))), SafeText.escape(input.readUTF()));
    }

    private static HopReport hops(final DataInput input) throws IOException
    {
        return new HopReport(
            RegistryCodec.list(input, in -> new HopReport.Driver(in.readLong(), in.readLong(),
            RegistryCodec.list(in, DataInput::readInt))),
            RegistryCodec.list(input, in -> new HopReport.Outgoing(in.readLong(), in.readInt(), in.readInt(),
            in.readInt(), in.readLong(), in.readLong(), in.readLong())),
            RegistryCodec.list(input, in -> new HopReport.Incoming(in.readLong(), in.readInt(), in.readInt(),
            in.readLong(), in.readLong(), in.readLong(), in.readLong())),
            RegistryCodec.list(input, in -> new HopReport.Renewal(in.readInt(), in.readLong(),
            SafeText.escape(in.readUTF()))),
            RegistryCodec.list(input, in -> SafeText.escape(in.readUTF())));
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
