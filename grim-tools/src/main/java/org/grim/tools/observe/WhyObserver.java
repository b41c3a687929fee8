// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds out, from outside, which queues of a cluster do not move, and who waits for what. */
public final class WhyObserver
{
    private WhyObserver()
    {
    }

    /**
     * Looks twice: what stands where it stood waits.
     *
     * @param path     of the cluster's directory.
     * @param sampleMs time between the two looks.
     * @return what waits.
     * @throws org.grim.GrimException if there is no cluster.
     */
    public static WhyReport observe(final Path path, final long sampleMs)
    {
        try (ClusterSampler sampler = new ClusterSampler(path))
        {
            final ClusterSample before = sampler.sample();
            final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(sampleMs);
            long remainingNs = endNs - System.nanoTime();
            while (remainingNs > 0)
            {
                LockSupport.parkNanos(remainingNs);
                remainingNs = endNs - System.nanoTime();
            }
            final ClusterSample now = sampler.sample();
            return new Diagnosis(before, now).report(path.toString(), sampler.missing());
        }
    }
}
