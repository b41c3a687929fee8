// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.connections;

import java.util.ArrayList;
import java.util.List;

import org.grim.sockets.observe.ConnectionReport;
import org.grim.sockets.observe.ConnectionReport.Listed;
import org.grim.sockets.observe.ConnectionTable;

/**
 * One direction of a connection in which bytes stand still.
 *
 * @param writer     node whose application wrote them.
 * @param reader     node whose application is to read them.
 * @param from       address and port of the writer.
 * @param to         address and port of the reader.
 * @param unread     bytes.
 * @param window     bytes that the reader's end holds; 0 if that is not known.
 * @param isFull     whether the writer has no room.
 * @param isLinkFull whether it is the link between the nodes that has no room, not the reader's end.
 */
public record ConnectionWait(
    int writer, int reader, String from, String to, long unread, int window, boolean isFull, boolean isLinkFull)
{
    /**
     * Finds what did not move between two looks.
     *
     * @param before the first look.
     * @param now    the second one.
     * @return each direction once, as its reader sees it if that is on this host.
     */
    public static List<ConnectionWait> between(final ConnectionSample before, final ConnectionSample now)
    {
        final List<ConnectionWait> waits = new ArrayList<>();
        now.byNode().forEach((node, report) ->
        {
            final ConnectionReport earlier = before.byNode().get(node);
            for (final Listed connection : report.connections())
            {
                final Listed old = earlier == null ? null : ConnectionSample.find(earlier, connection.id());
                if (old != null && old.state() != ConnectionTable.State.CONNECTING)
                {
                    examine(node, old, connection, now, waits);
                }
            }
        });
        return waits;
    }

    private static void examine(
        final int node, final Listed old, final Listed connection, final ConnectionSample now,
        final List<ConnectionWait> waits)
    {
        final Listed other = now.other(connection);
        if (connection.readPosition() == old.readPosition() && Math.min(old.unreadLength(),
            connection.unreadLength()) > 0)
        {
            waits.add(new ConnectionWait(connection.peerNode(), node, connection.remote(), connection.local(),
                connection.unreadLength(), other == null ? 0 : other.window(), other != null && other.isFull(),
                false));
        }
        final boolean isStill = connection.sentPosition() == old.sentPosition() &&
            connection.limitPosition() == old.limitPosition();
        if (isStill && old.isStalled() && connection.isStalled())
        {
            waits.add(written(node, connection, true));
        }
        else if (isStill && old.isFull() && connection.isFull() && other == null)
        {
            waits.add(written(node, connection, false));
        }
    }

    private static ConnectionWait written(final int node, final Listed connection, final boolean isLinkFull)
    {
        return new ConnectionWait(node, connection.peerNode(), connection.local(), connection.remote(),
            connection.unreadThereLength(), connection.window(), true, isLinkFull);
    }
}
