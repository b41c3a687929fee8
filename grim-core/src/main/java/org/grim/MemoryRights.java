// SPDX-License-Identifier: Apache-2.0
package org.grim;

/** What peers may do to a region of registered memory. */
public enum MemoryRights
{
    /** Peers may read it; its owner may name it as the target of its own reads, too. */
    READ(1),
    /** Peers may write it. */
    WRITE(2),
    /** Peers may read and write it. */
    READ_WRITE(3);

    private final int bits;

    MemoryRights(final int bits)
    {
        this.bits = bits;
    }

    /**
     * The rights as they stand in shared memory.
     *
     * @return bit 0: peers may read; bit 1: peers may write.
     */
    public int bits()
    {
        return bits;
    }
}
