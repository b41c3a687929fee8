// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

/**
 * Time in which every process of a round runs: what passes while one is stopped, or while the machine does not let the
 * coordinator go on, does not count.
 * <p>Thread: one advances, any reads.
 */
final class QuietClock
{
    private static final long STEP_NS_MAX = 20_000_000;

    private long lastNs = System.nanoTime();
    private volatile long ns;

    @SuppressWarnings("NonAtomicVolatileUpdate")        // One thread writes.
    void advance(final boolean isQuiet)
    {
        final long nowNs = System.nanoTime();
        ns += isQuiet ? Math.min(nowNs - lastNs, STEP_NS_MAX) : 0;
        lastNs = nowNs;
    }

    long ns()
    {
        return ns;
    }
}
