// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.grim.network.namespaces.NetworkNamespaces;

/**
 * Hosts that lose their power and everything that they knew, and return as other hosts of the same labels, again and
 * again. Nodes that are refused try again after half a second, as with a supervisor. Thread: the campaign's.
 */
final class PowerLosses
{
    private static final int COUNT_MAX = 20;
    private static final int COUNT_MAX_SHORT = 3;
    private static final long PAUSE_MS_MAX = 1_500;
    private static final List<String> JOIN_TIMEOUTS = List.of("1s", "2500ms", "8s");

    private final NetworkNamespaces hosts;
    private final HostNodes nodes;
    private final Convergence convergence;
    private final FailedJoins failedJoins;
    private final SplittableRandom random;
    private int lossCount;
    private int inARowMax;

    PowerLosses(
        final NetworkNamespaces hosts, final HostNodes nodes, final Convergence convergence,
        final FailedJoins failedJoins, final SplittableRandom random)
    {
        this.hosts = hosts;
        this.nodes = nodes;
        this.convergence = convergence;
        this.failedJoins = failedJoins;
        this.random = random;
    }

    /** These hosts, once or some times in a row. */
    void lose(final List<Integer> victims)
    {
        lose(victims, 1 + random.nextInt(COUNT_MAX_SHORT), false);
    }

    /** These hosts, up to 20 times in a row, with failed joins in between. */
    void loseAgainAndAgain(final List<Integer> victims)
    {
        lose(victims, COUNT_MAX_SHORT + 1 + random.nextInt(COUNT_MAX - COUNT_MAX_SHORT), true);
    }

    @Override
    public String toString()
    {
        return "power losses=" + lossCount + " most in a row=" + inARowMax;
    }

    private void lose(final List<Integer> victims, final int count, final boolean hasFailedJoins)
    {
        inARowMax = Math.max(inARowMax, count);
        for (int i = 1; i <= count; i++)
        {
            lossCount += victims.size();
            nodes.losePower(victims);
            if (hasFailedJoins && random.nextInt(COUNT_MAX_SHORT) == 0)
            {
                failedJoins.failOnce();
            }
            convergence.pause(random.nextBoolean() ? 0 : random.nextLong(PAUSE_MS_MAX));
            victims.forEach(hosts::restorePower);
            if (i < count)
            {
                victims.forEach(host -> nodes.start(host, HostNodes.nameOf(host, 0), impatience()));
                convergence.pause(random.nextLong(PAUSE_MS_MAX * 2));
            }
        }
        final Map<String, Object> impatience = impatience();
        convergence.returnTimes.begin(
            (victims.size() > 1 ? "several lost power" : "lost power") + " join-timeout=" + impatience.values(),
            nodes.startHosts(victims, impatience));
    }

    private Map<String, Object> impatience()
    {
        return Map.of("grim.network.join-timeout", JOIN_TIMEOUTS.get(random.nextInt(JOIN_TIMEOUTS.size())));
    }
}
