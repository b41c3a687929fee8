// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

import java.util.Objects;

/**
 * The key of a figure: one row of a table, one place on a plot. Two runs are compared key by key.
 *
 * @param suite     part of the harness, such as {@code messages}.
 * @param benchmark what, such as {@code latency}.
 * @param peer      who, such as {@code grim-shmem} or {@code aeron-ipc}.
 * @param mode      {@code ignore}, {@code read}, or another mode of the same benchmark; {@code -} where there is one.
 * @param xName     what the curve goes over: {@code size}, {@code queues}, {@code channels}, {@code load}.
 * @param x         its value: bytes, a count, or a share of the highest rate from 0 to 1.
 */
public record PointKey(String suite, String benchmark, String peer, String mode, String xName, double x)
{
    /** Checks: x is finite and not negative. */
    public PointKey
    {
        Objects.requireNonNull(suite, "suite");
        Objects.requireNonNull(benchmark, "benchmark");
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(xName, "xName");
        if (!Double.isFinite(x) || x < 0)
        {
            throw new IllegalArgumentException(xName + "=" + x + " is not a finite number from 0 on");
        }
    }
}
