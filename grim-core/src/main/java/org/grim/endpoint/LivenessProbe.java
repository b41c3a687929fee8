// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.cluster.ClusterDirectory;

/**
 * Has the kernel say which nodes live: once per liveness interval, from a poll or from sends that are back-pressured.
 * <p>Thread: the endpoint's owner.
 */
public final class LivenessProbe
{
    private static final int BACK_PRESSURES_PER_CHECK = 256;
    private static final int PROBE_COUNT_MAX = 64;

    private final ClusterDirectory directory;
    private final long intervalNs;
    private long deadlineNs = System.nanoTime();
    private int backPressureCount;
    private int nextNode;

    /**
     * Due at once.
     *
     * @param directory  of the cluster.
     * @param intervalNs between checks.
     */
    public LivenessProbe(final ClusterDirectory directory, final long intervalNs)
    {
        this.directory = directory;
        this.intervalNs = intervalNs;
    }

    /**
     * Returns whether a check is due, and begins the next interval if it is.
     *
     * @param nowNs of {@link System#nanoTime()}.
     * @return true once per interval.
     */
    public boolean tryBegin(final long nowNs)
    {
        final boolean isDue = deadlineNs - nowNs <= 0;
        if (isDue)
        {
            deadlineNs = nowNs + intervalNs;
        }
        return isDue;
    }

    /** Probes some of this host's nodes: about a microsecond for each that is up; the others cost a load or two. */
    public void probe()
    {
        final int nodeCount = directory.nodeCountMax();
        int probeCount = 0;
        for (int i = nodeCount; i > 0 && probeCount < PROBE_COUNT_MAX; i--)
        {
            nextNode = nextNode + 1 >= nodeCount ? 0 : nextNode + 1;
            if (isUpHere(nextNode))
            {
                directory.convictIfDead(nextNode);
                probeCount++;
            }
        }
    }

    /** {@return nodes of this host that are up: as many threads may poll on it} */
    public int upCount()
    {
        int count = 0;
        for (int node = 0; node < directory.nodeCountMax(); node++)
        {
            count += isUpHere(node) ? 1 : 0;
        }
        return count;
    }

    /** A sender that never polls still learns that its peer died. */
    void onBackPressure()
    {
        backPressureCount++;
        if (backPressureCount >= BACK_PRESSURES_PER_CHECK)
        {
            backPressureCount = 0;
            if (tryBegin(System.nanoTime()))
            {
                probe();
            }
        }
    }

    /** The kernel knows nothing of other hosts' nodes. */
    private boolean isUpHere(final int node)
    {
        return directory.isUp(node) && !directory.isRemote(node);
    }
}
