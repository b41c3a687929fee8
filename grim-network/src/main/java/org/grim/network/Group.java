// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.List;

import org.jgroups.Address;

/**
 * The hosts' agents that see each other, as one of them uses the group.
 * <p>Thread: the agent's.
 */
interface Group extends AutoCloseable
{
    /** Takes what happens in the group. */
    interface Listener
    {
        /** Returns the present members, the coordinator first; this agent is among them. */
        void onView(List<Address> members);

        /** Reports a message of another agent, or of this one. */
        void onMessage(Address from, byte[] bytes);
    }

    /** {@return this agent} */
    Address self();

    /**
     * {@return whether agents are up that are not in the group, or it has not been found out yet since the group
     *     changed} Returns at once: ask again.
     */
    boolean isAnybodyOutside();

    /** {@return nanoseconds since an agent was last heard; 0 for one that never was, and for this one} */
    long silentNs(Address agent);

    /** Sends to an agent that may be gone; null for all others. In order, once, while both are in the group. */
    void send(Address to, byte[] bytes);

    /** Hands over what has happened since the last call. */
    int poll(Listener listener);

    @Override
    void close();
}
