// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/**
 * Addresses of registered memory, as numbers. Virtual ones come from a counter and are never assigned twice; physical
 * ones carry the generation of their region, so that an old one is known:
 * <pre>
 *  bit 63 | 62 .......... 39 | 38 ........................ 0
 *       0 | generation (24)  | offset in the node's memory
 * </pre>
 * Any thread; no state.
 */
final class MemoryAddress
{
    /** Bytes that a node's arenas can have together. */
    static final long SPACE_LENGTH = 1L << 39;
    /** The first virtual address. */
    static final long VIRTUAL_START = 1L << 40;
    /** Part of a region's generation in physical addresses and page tags; never 0. */
    static final int GENERATION_MASK = (1 << 24) - 1;

    private static final int GENERATION_SHIFT = 39;

    private MemoryAddress()
    {
    }

    static long physical(final long generation, final long offset)
    {
        return ((generation & GENERATION_MASK) << GENERATION_SHIFT) | offset;
    }

    static long offset(final long physicalAddress)
    {
        return physicalAddress & (SPACE_LENGTH - 1);
    }

    /** More than 24 bits if the address is none. */
    static int generation(final long physicalAddress)
    {
        return (int)(physicalAddress >>> GENERATION_SHIFT);
    }

    /** The generation after one: those whose lower 24 bits are 0 are left out. */
    static long nextGeneration(final long generation)
    {
        final long next = generation + 1;
        return (next & GENERATION_MASK) == 0 ? next + 1 : next;
    }
}
