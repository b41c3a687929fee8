// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.TCP;

/** JGroups' TCP, which can be asked who listens. Thread: any. */
final class AgentTcp extends TCP
{
    /** Whether an agent's port accepts a connection, which stays open and is used for messages. */
    boolean canReach(final PhysicalAddress address)
    {
        try
        {
            return srv.getConnection(address).isConnected();
        }
        catch (final Exception ex)              // JGroups declares no other: nobody listens there.
        {
            log.trace("%s does not answer: %s", address, ex);
            return false;
        }
    }
}
