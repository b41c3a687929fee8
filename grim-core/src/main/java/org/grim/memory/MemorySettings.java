// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.transport.Key;

import static org.agrona.BitUtil.align;
import static org.grim.transport.Key.GIB;
import static org.grim.transport.Key.Unit.BYTES;

/**
 * Limits of a node's registered memory. Immutable; lengths are rounded up to whole pages.
 *
 * @param lengthMax         bytes of all arenas together, a whole number of pages.
 * @param arenaLength       least bytes of a new arena, a whole number of pages.
 * @param regionCountMax    regions at a time.
 * @param initiatorCountMax links that reach this node's memory at a time, of all nodes on the host.
 */
public record MemorySettings(
    @Key(value = "memory.length-max", initial = "256MiB", unit = BYTES, min = 1, max = MemoryAddress.SPACE_LENGTH,
        text = "Maximum bytes that the node registers, all arenas together, in whole pages of 4 KiB. The files are " +
        "in the cluster's directory. No effect where a network interface's memory is all there is (`myrinet`).")
    long lengthMax,
    @Key(value = "memory.arena-length", initial = "4MiB", unit = BYTES, min = 1, max = GIB,
        text = "Minimum bytes of an arena: a file of its own, made when a region finds no room in the existing ones.")
    int arenaLength,
    @Key(value = "memory.regions-max", initial = "1024", min = 1, max = 1 << 16,
        text = "Maximum number of regions at a time.")
    int regionCountMax,
    @Key(value = "memory.initiators-max", initial = "256", min = 1, max = 1 << 14,
        text = "Maximum number of links that reach the node's memory through shared memory at a time: its own " +
        "included, one for each that reads into it, and one for each member of a group that reads long parts in " +
        "place.")
    int initiatorCountMax)
{
    /** Bytes of a page: what regions consist of. */
    public static final int PAGE_LENGTH = 4096;

    /** Rounds the lengths up. */
    public MemorySettings
    {
        lengthMax = align(lengthMax, PAGE_LENGTH);
        arenaLength = align(arenaLength, PAGE_LENGTH);
    }

    /** The directory of a node whose arenas are made on demand. */
    DirectoryLayout layout()
    {
        final long arenaCount = (lengthMax + newArenaLength() - 1) / newArenaLength();
        return new DirectoryLayout(
            (int)arenaCount, regionCountMax, initiatorCountMax, (int)(lengthMax / PAGE_LENGTH));
    }

    /** Least bytes of a new arena, so that the table of arenas is long enough. */
    long newArenaLength()
    {
        return Math.max(arenaLength, align(lengthMax / DirectoryLayout.ARENA_COUNT_MAX, (long)PAGE_LENGTH));
    }

    /** The directory of a node that has one arena, given by a transport. */
    DirectoryLayout layoutOf(final long pinnedLength)
    {
        return new DirectoryLayout(1, regionCountMax, initiatorCountMax, (int)(pinnedLength / PAGE_LENGTH));
    }
}
