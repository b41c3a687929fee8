// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/**
 * Where reads arrive: this node's own memory, whose regions another thread may free meanwhile. So a reader is an
 * initiator here, too, from its first read on.
 * <p>Thread: the link's owner. Owns: its line in the node's directory, until {@link #close()}.
 */
final class LocalSide
{
    private final NodeMemory.Space space;
    private final long owner;
    private final VirtualLookup data;
    private final VirtualLookup word;
    private InitiatorLine initiator;

    LocalSide(final NodeMemory.Space space, final long owner)
    {
        this.space = space;
        this.owner = owner;
        final RegionTable table = new RegionTable(space.directory());
        data = space.virtualLookup(table);
        word = space.virtualLookup(table);
    }

    /** Becomes an initiator, if it is not yet; false if the node's directory has no room for one now. */
    boolean tryAttach()
    {
        if (initiator == null)
        {
            initiator = InitiatorLine.tryAttach(space.directory(), owner);
        }
        return initiator != null;
    }

    void begin()
    {
        initiator.begin();
    }

    void end()
    {
        initiator.end();
    }

    Lookup data()
    {
        return data;
    }

    Lookup word()
    {
        return word;
    }

    void close()
    {
        if (initiator != null)
        {
            initiator.close();
            initiator = null;
        }
    }
}
