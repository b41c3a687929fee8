// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.connections;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import org.grim.GrimException;
import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionReport.Listed;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * The connections of this host's nodes at one look.
 * <p>Thread: any; immutable.
 */
public record ConnectionSample(Map<Integer, ConnectionReport> byNode)
{
    /** Of a host without any. */
    public static final ConnectionSample NONE = new ConnectionSample(Map.of());

    /**
     * Reads a node's file.
     *
     * @param file    of the node; most have none.
     * @param missing takes why it cannot be read.
     * @return what stands there; null if there is no such file.
     */
    public static ConnectionReport read(final Path file, final List<String> missing)
    {
        if (!Files.exists(file))
        {
            return null;
        }
        try
        {
            return ConnectionReport.read(file);
        }
        catch (final GrimException ex)
        {
            missing.add("connections cannot be read: " + ex.getMessage());
            return null;
        }
    }

    /** A node's connections for programs. Returns null if it has no such file. */
    public Map<String, Object> json(final int node, final IntFunction<String> nameOf)
    {
        final ConnectionReport report = byNode.get(node);
        return report == null ? null : Json.object("overGrim", report.grimCount(), "overTcp", report.tcpCount(),
            "unlisted", report.unlistedCount(), "open", rows(report, nameOf));
    }

    /** The same for people. Returns lines; empty if it has no such file. */
    public String text(final int node, final IntFunction<String> nameOf)
    {
        final ConnectionReport report = byNode.get(node);
        return report == null ? "" : "connections over GRIM: " + report.grimCount() + ", over TCP: " +
            report.tcpCount() + (report.unlistedCount() == 0 ? "" : ", not listed: " + report.unlistedCount()) +
            "; open over GRIM:\n" + Table.of(rows(report, nameOf), "here=local", "there=remote", "node=peer", "state",
            "sent=sentLength", "not read there=unreadThereLength", "received=receivedLength", "unread=unreadLength",
            "waits=waits");
    }

    /** {@return the other end of a connection; null if it is not open, or on another host} */
    Listed other(final Listed connection)
    {
        final ConnectionReport report = connection.window() > 0 ? byNode.get(connection.peerNode()) : null;
        return report == null ? null : find(report, connection.peerId());
    }

    /** {@return a connection of one node; null if it has none of that number} */
    static Listed find(final ConnectionReport report, final int id)
    {
        return report.connections().stream().filter(connection -> connection.id() == id).findFirst().orElse(null);
    }

    /**
     * Returns the unread length at the other end. The other end's own values are newer than those it has sent: it sends
     * them only when that is worth a message.
     */
    private long unreadThereLength(final Listed connection)
    {
        final Listed other = other(connection);
        return other == null ? connection.unreadThereLength() :
            Math.max(0, connection.sentPosition() - other.readPosition());
    }

    private List<Map<String, Object>> rows(final ConnectionReport report, final IntFunction<String> nameOf)
    {
        final List<Map<String, Object>> rows = new ArrayList<>();
        for (final Listed connection : report.connections())
        {
            final boolean isMade = connection.window() > 0;
            rows.add(new LinkedHashMap<>(Json.object("local", connection.local(), "remote", connection.remote(),
                "peer", isMade ? nameOf.apply(connection.peerNode()) : "-", "state", Json.label(connection.state()),
                "sentLength", connection.sentPosition(), "unreadThereLength", unreadThereLength(connection),
                "receivedLength", connection.receivedPosition(), "unreadLength", connection.unreadLength(), "waits",
                connection.isFull() ? "for its reader" : connection.isStalled() ? "for room in the link" : "-")));
        }
        return rows;
    }
}
