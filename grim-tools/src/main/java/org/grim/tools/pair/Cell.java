// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One measurement of one peer.
 *
 * @param benchmark what.
 * @param size      payload bytes.
 * @param isRead    whether receivers read every byte, and echo what they got; else they ignore it.
 * @param isVerified whether every payload is verified by its CRC32C outside of the clock, and echoed as it came.
 */
public record Cell(Benchmark benchmark, int size, boolean isRead, boolean isVerified)
{
    /**
     * A cell without CRC32C.
     *
     * @param benchmark what.
     * @param size      payload bytes.
     * @param isRead    whether receivers read every byte.
     */
    public Cell(final Benchmark benchmark, final int size, final boolean isRead)
    {
        this(benchmark, size, isRead, false);
    }

    /**
     * A cell whose payloads are verified by CRC32C.
     *
     * @param benchmark what.
     * @param size      payload bytes.
     * @return the cell.
     */
    public static Cell verified(final Benchmark benchmark, final int size)
    {
        return new Cell(benchmark, size, false, true);
    }

    /**
     * Name of the mode in reports. Returns {@code read} or {@code ignore}; of {@link Benchmark#COST} {@code checks-on}
     * or {@code checks-off}, as it is in this process.
     */
    public String mode()
    {
        return benchmark == Benchmark.COST ? UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "checks-on" : "checks-off" :
            isRead ? "read" : "ignore";
    }

    /** For errors. */
    @Override
    public String toString()
    {
        return "benchmark=" + benchmark.label() + " size=" + size + " mode=" + mode();
    }
}
