// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.transport.HopObserver;
import org.grim.transport.HopReport;
import org.grim.transport.NodeFiles;

/**
 * Looks at the hops of this host, in the files of the media drivers that its nodes use.
 * <p>Thread: any; no state.
 */
public final class AeronObserver implements HopObserver
{
    @Override
    public HopReport look(final Map<Integer, Integer> incarnations, final NodeFiles files)
    {
        final long nowMs = System.currentTimeMillis();
        final List<String> missing = new ArrayList<>();
        final List<HopReport.Renewal> renewals = new ArrayList<>();
        final Map<String, Map<Integer, Long>> clients = new TreeMap<>();        // By driver and node.
        incarnations.forEach((node, incarnation) ->
        {
            final Path file = files.of(node, incarnation, ClientNote.KIND);
            if (Files.exists(file))
            {
                try
                {
                    final ClientNote note = ClientNote.read(file);
                    clients.computeIfAbsent(note.directory(), directory -> new TreeMap<>()).put(node, note.client());
                    if (note.renewedMs() != 0)
                    {
                        renewals.add(new HopReport.Renewal(node, age(note.renewedMs(), nowMs), note.why()));
                    }
                }
                catch (final IOException ex)
                {
                    missing.add("node " + node + ": its Aeron client is being made");
                }
            }
        });
        final List<HopReport> reports = new ArrayList<>();
        clients.forEach((directory, nodes) -> reports.add(report(directory, nodes, incarnations, nowMs)));
        reports.add(new HopReport(List.of(), List.of(), List.of(), renewals, missing));
        return HopReport.merge(reports);
    }

    private static HopReport report(
        final String directory, final Map<Integer, Long> clients, final Map<Integer, Integer> incarnations,
        final long nowMs)
    {
        final DriverCounters driver;
        try
        {
            driver = new DriverCounters(directory);
        }
        catch (final RuntimeException ex)           // Aeron declares none: file missing, other version.
        {
            return new HopReport(List.of(), List.of(), List.of(), List.of(),
                List.of("media driver in " + directory + " cannot be looked at: " + ex.getMessage()));
        }
        final List<HopReport.Outgoing> outgoing = new ArrayList<>();
        final List<HopReport.Incoming> incoming = new ArrayList<>();
        driver.flows().forEach((flow, ends) ->
        {
            final int stream = DriverCounters.stream(flow);
            final int peer = Party.nodeOf(stream);
            final int channel = Party.channelOf(stream);
            if (!incarnations.containsKey(peer) || new Party(peer, incarnations.get(peer)).streamOf(channel) != stream)
            {
                return;                             // Of reports, of an incarnation that is gone, or a stranger's.
            }
            if (ends.isOutgoing())
            {
                clients.forEach((node, client) ->
                {
                    if (client == ends.client())
                    {
                        outgoing.add(new HopReport.Outgoing(flow, node, peer, channel, ends.published(),
                            ends.publishedLimit(), ends.sent()));
                    }
                });
            }
            if (ends.isIncoming() && clients.containsKey(peer))
            {
                incoming.add(new HopReport.Incoming(flow, peer, channel, ends.highest(), ends.complete(),
                    ends.consumed(), ends.highest() == ends.complete() ? 0 : age(driver.lossMs(flow), nowMs)));
            }
        });
        return new HopReport(List.of(new HopReport.Driver(driver.processId(), age(driver.stepMs(), nowMs),
            List.copyOf(clients.keySet()))), outgoing, incoming, List.of(), List.of());
    }

    private static long age(final long epochMs, final long nowMs)
    {
        return epochMs == 0 ? 0 : Math.max(0, nowMs - epochMs);
    }
}
