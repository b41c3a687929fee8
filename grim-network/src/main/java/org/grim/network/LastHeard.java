// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;

/**
 * Protocol of a group's stack, above discovery, that notes when each agent was last heard, heartbeats included.
 * <p>Thread: those of JGroups, several at once; {@link #silentNs} any.
 */
final class LastHeard extends Protocol
{
    private final Map<Address, Long> heardNs = new ConcurrentHashMap<>();

    /** {@return nanoseconds since an agent was last heard; 0 if it never was} */
    long silentNs(final Address agent)
    {
        final Long sinceNs = heardNs.get(agent);
        return sinceNs == null ? 0 : System.nanoTime() - sinceNs;
    }

    @Override
    public Object up(final Message message)
    {
        note(message.getSrc());
        return up_prot.up(message);
    }

    @Override
    public void up(final MessageBatch batch)
    {
        note(batch.getSender());
        up_prot.up(batch);
    }

    /** Forgets who is not in the group. */
    void onView(final View view)
    {
        heardNs.keySet().retainAll(view.getMembers());
    }

    private void note(final Address agent)
    {
        if (agent != null && !agent.equals(local_addr))
        {
            heardNs.put(agent, System.nanoTime());
        }
    }
}
