// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.transport.Settings;

import static org.agrona.BitUtil.align;

/**
 * Limits of a node's registered memory. Immutable; checked when made.
 *
 * @param lengthMax         bytes of all arenas together, a whole number of pages.
 * @param arenaLength       least bytes of a new arena, a whole number of pages.
 * @param regionCountMax    regions at a time.
 * @param initiatorCountMax links that reach this node's memory at a time, of all nodes on the host.
 */
public record MemorySettings(long lengthMax, int arenaLength, int regionCountMax, int initiatorCountMax)
{
    /** Bytes of a page: what regions consist of. */
    public static final int PAGE_LENGTH = 4096;

    private static final int REGION_COUNT_MAX = 1 << 16;
    private static final int INITIATOR_COUNT_MAX = 1 << 14;
    private static final int ARENA_LENGTH_MAX = 1 << 30;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException naming the size and its range.
     */
    public MemorySettings
    {
        requireInRange("length-max", lengthMax, PAGE_LENGTH, MemoryAddress.SPACE_LENGTH);
        requireInRange("arena-length", arenaLength, PAGE_LENGTH, ARENA_LENGTH_MAX);
        requireInRange("regions-max", regionCountMax, 1, REGION_COUNT_MAX);
        requireInRange("initiators-max", initiatorCountMax, 1, INITIATOR_COUNT_MAX);
    }

    /**
     * Reads what a node is configured with; lengths are rounded up to whole pages.
     *
     * @param settings of the node.
     * @return the settings.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public static MemorySettings of(final Settings settings)
    {
        final long lengthMax = settings.bytes("memory.length-max", 1, MemoryAddress.SPACE_LENGTH);
        final int arenaLength = (int)settings.bytes("memory.arena-length", 1, ARENA_LENGTH_MAX);
        return new MemorySettings(align(lengthMax, PAGE_LENGTH), align(arenaLength, PAGE_LENGTH),
            settings.integer("memory.regions-max", 1, REGION_COUNT_MAX),
            settings.integer("memory.initiators-max", 1, INITIATOR_COUNT_MAX));
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

    private static void requireInRange(final String what, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException("grim.memory." + what + "=" + value + " is outside " + min + " to " +
                max);
        }
    }
}
