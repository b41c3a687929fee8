// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/**
 * A node's memory as whoever reaches it needs it.
 *
 * @param directory of the node.
 * @param arenas    of the node, as this process has them.
 */
record NodeSpace(MemoryDirectory directory, ArenaSource arenas)
{
    PhysicalLookup physicalLookup()
    {
        return new PhysicalLookup(directory, arenas);
    }

    VirtualLookup virtualLookup(final RegionTable table)
    {
        return new VirtualLookup(directory, arenas, table);
    }
}
