// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

/**
 * What one peer is measured at, once.
 *
 * @param benchmark what.
 * @param size      payload bytes.
 * @param isRead    whether receivers read every byte, and echo what they got; else they ignore it.
 */
public record Cell(Benchmark benchmark, int size, boolean isRead)
{
    /**
     * Name of the mode in reports.
     *
     * @return {@code read} or {@code ignore}.
     */
    public String mode()
    {
        return isRead ? "read" : "ignore";
    }

    /** For errors. */
    @Override
    public String toString()
    {
        return "benchmark=" + benchmark.label() + " size=" + size + " mode=" + mode();
    }
}
