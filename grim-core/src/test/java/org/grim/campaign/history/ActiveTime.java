// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

/** Time in which a thread went on: what passes while its process is stopped does not count. Thread: one advances. */
final class ActiveTime
{
    private static final long STEP_NS_MAX = 50_000_000;

    private long lastNs = System.nanoTime();
    private volatile long ns;

    @SuppressWarnings("NonAtomicVolatileUpdate")        // One thread writes.
    void advance()
    {
        final long nowNs = System.nanoTime();
        ns += Math.min(nowNs - lastNs, STEP_NS_MAX);
        lastNs = nowNs;
    }

    long ns()
    {
        return ns;
    }
}
