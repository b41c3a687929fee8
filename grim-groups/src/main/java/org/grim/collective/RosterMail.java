// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.grim.collective.RosterMessage.Kind;
import org.grim.transport.Membership;

/**
 * Messages of one group that are due to other nodes. A newer message replaces an older one of the same kind to the same
 * node, so it is bounded by nodes and kinds. A message that finds no room is kept, and holds back later ones to its
 * node.
 * <p>Thread: the host endpoint's owner.
 */
final class RosterMail
{
    private final Map<Address, Letter> waiting = new LinkedHashMap<>();
    private final Set<Integer> full = new HashSet<>();
    private final RosterSink sink;
    private final Membership membership;

    RosterMail(final RosterSink sink, final Membership membership)
    {
        this.sink = sink;
        this.membership = membership;
    }

    void post(final int to, final RosterMessage message)
    {
        assert to != membership.self() : message;
        final Address address = new Address(to, message.kind());
        waiting.remove(address);
        waiting.put(address, new Letter(membership.status(to), message));
    }

    /** Forgets messages of a kind that were not sent yet. */
    void withdraw(final Kind kind)
    {
        waiting.keySet().removeIf(address -> address.kind == kind);
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }

    /** Whether a message of a kind to a node was not sent yet. */
    boolean holds(final int to, final Kind kind)
    {
        return !waiting.isEmpty() && waiting.containsKey(new Address(to, kind));
    }

    /** Sends what finds room, and forgets what is for incarnations that are not up. */
    void flush()
    {
        if (waiting.isEmpty())
        {
            return;
        }
        full.clear();
        final Iterator<Map.Entry<Address, Letter>> entries = waiting.entrySet().iterator();
        while (entries.hasNext())
        {
            final Map.Entry<Address, Letter> entry = entries.next();
            final int to = entry.getKey().node;
            final Letter letter = entry.getValue();
            if (!membership.isUp(to) || membership.status(to) != letter.status ||
                (!full.contains(to) && sink.trySend(to, letter.message)))
            {
                entries.remove();
            }
            else
            {
                full.add(to);
            }
        }
    }

    private record Address(int node, Kind kind)
    {
    }

    /** A message, and the incarnation that it is for: as its status word. */
    private record Letter(int status, RosterMessage message)
    {
    }
}
