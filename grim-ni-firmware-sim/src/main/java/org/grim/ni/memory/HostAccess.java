// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;

/** Access of this package to the host. Immutable; the board's stepper uses what it holds. */
public final class HostAccess
{
    private final HostMemory memory;
    private final HostEngine engine;
    private final ActionMeter meter;
    private final ChannelOwners owners;

    /**
     * Keeps the four together.
     *
     * @param memory that contexts own.
     * @param engine that reaches it.
     * @param meter  to charge.
     * @param owners of the channels.
     */
    public HostAccess(
        final HostMemory memory, final HostEngine engine, final ActionMeter meter, final ChannelOwners owners)
    {
        this.memory = memory;
        this.engine = engine;
        this.meter = meter;
        this.owners = owners;
    }

    HostMemory memory()
    {
        return memory;
    }

    HostEngine engine()
    {
        return engine;
    }

    ActionMeter meter()
    {
        return meter;
    }

    /** Returns the context of a channel, independent of its host's words; no context's number if those differ. */
    int contextOf(final int channel)
    {
        return owners.context(channel);
    }

    /** Returns whether a context exists and has memory, for any number that a host has written. */
    boolean hasContext(final int context)
    {
        return context >= 0 && context < memory.contextCount() &&
            memory.isReachable(context, HostMemory.address(context, 0), 0);
    }
}
