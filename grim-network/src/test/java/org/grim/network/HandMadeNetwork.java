// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import org.jgroups.Address;
import org.jgroups.util.UUID;

/**
 * Groups of agents that a test cuts and heals; views and messages arrive at once, and what one said who has gone
 * meanwhile is dropped, as JGroups does. Thread: one.
 */
final class HandMadeNetwork
{
    private final List<HandMadeGroup> groups = new ArrayList<>();
    private boolean isCut = true;

    /** An agent that sees all others of part 0; the oldest is the coordinator. */
    HandMadeGroup join()
    {
        final HandMadeGroup group = new HandMadeGroup();
        groups.add(group);
        install();
        return group;
    }

    /** Says which part an agent is in from now on; call {@link #install()} when all parts are as they shall be. */
    static void part(final HandMadeGroup group, final int part)
    {
        group.part = part;
    }

    /** Says how long an agent has said nothing, not even a heartbeat. */
    static void silent(final HandMadeGroup group, final long silentNs)
    {
        group.silentNs = silentNs;
    }

    /**
     * Messages of an agent to all are late from now on, or no more: JGroups does not order them with messages to one.
     */
    static void late(final HandMadeGroup group, final boolean isLate)
    {
        group.isLate = isLate;
        while (!isLate && !group.lateSends.isEmpty())
        {
            group.send(null, group.lateSends.remove());
        }
    }

    /** Says whether parts are cut off each other, as they are at first; or see each other, and must be merged. */
    void cut(final boolean isSo)
    {
        isCut = isSo;
    }

    /** Sends the members of its part to everybody. */
    void install()
    {
        for (final HandMadeGroup group : groups)
        {
            final List<Address> members = groups.stream().filter(other -> other.part == group.part)
                .map(HandMadeGroup::self).toList();
            if (!members.equals(group.view))
            {
                group.view = members;
                group.events.add(listener -> listener.onView(members));
            }
        }
    }

    /** One agent's end. */
    final class HandMadeGroup implements Group
    {
        private final Address self = UUID.randomUUID();
        private final Queue<Consumer<Listener>> events = new ArrayDeque<>();
        private List<Address> view = List.of();
        private int part;
        private long silentNs;
        private boolean isLate;
        private boolean isClosed;
        private final Queue<byte[]> lateSends = new ArrayDeque<>();

        @Override
        public Address self()
        {
            return self;
        }

        @Override
        public boolean isAnybodyOutside()
        {
            return !isCut && groups.stream().anyMatch(other -> other.part != part);
        }

        @Override
        public long silentNs(final Address agent)
        {
            return groups.stream().filter(other -> other.self.equals(agent)).mapToLong(other -> other.silentNs).sum();
        }

        @Override
        public void send(final Address to, final byte[] bytes)
        {
            if (isClosed)
            {
                throw new IllegalStateException("group is closed");         // JGroups' channel does so, too.
            }
            if (isLate && to == null)
            {
                lateSends.add(bytes);
                return;
            }
            for (final HandMadeGroup other : groups)
            {
                if (other != this && other.part == part && (to == null || to.equals(other.self)))
                {
                    other.events.add(listener ->
                    {
                        if (other.view.contains(self))
                        {
                            listener.onMessage(self, bytes);
                        }
                    });
                }
            }
        }

        @Override
        public int poll(final Listener listener)
        {
            int count = 0;
            for (Consumer<Listener> event = events.poll(); event != null; event = events.poll())
            {
                event.accept(listener);
                count++;
            }
            return count;
        }

        @Override
        public void close()
        {
            isClosed = true;
            groups.remove(this);
            install();
        }
    }
}
