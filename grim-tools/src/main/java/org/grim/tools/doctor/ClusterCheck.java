// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.util.ArrayList;
import java.util.List;

import org.grim.NodeInfo;
import org.grim.buffer.SegmentHeader;
import org.grim.cluster.LostProcesses;
import org.grim.tools.observe.SeenCluster;

/**
 * Obstacles in the clusters of a directory: left-overs, files of another version, clocks that disagree.
 * <p>Thread: any; no state.
 */
final class ClusterCheck
{
    /** Clocks of one host agree; nodes write theirs some times per second. */
    private static final long AHEAD_MS_MAX = 1_000;

    private ClusterCheck()
    {
    }

    static List<Finding> findings(final List<SeenCluster> clusters, final long nowMs)
    {
        final List<Finding> findings = new ArrayList<>();
        for (final SeenCluster cluster : clusters)
        {
            if (!cluster.problem().isEmpty())
            {
                findings.add(new Finding(cluster.problem(), isOfOtherVersion(cluster) ?
                    "have all processes use one version of GRIM, or set another grim.cluster.name" :
                    "run this as the user of the cluster, or remove " + cluster.path() + " if no process uses it"));
            }
            else if (!cluster.isLive())
            {
                findings.add(new Finding(cluster.path() + " is left over: processes alive=0, expected at least 1; " +
                    "nodes dead=" + cluster.dead().size() + ", files of bytes=" + cluster.length(),
                    "rm -r " + cluster.path() + ", or have a node join, which clears it"));
            }
            cluster.alive().stream().filter(node -> node.heartbeatMs() - nowMs > AHEAD_MS_MAX)
                .forEach(node -> findings.add(new Finding(cluster.path() + ": " + ahead(node, nowMs),
                "have the clock slewed, not set (chrony, ntpd -x); ages and time-outs of processes that were " +
                "started before are wrong until it has caught up")));
            final String lost = LostProcesses.text(cluster.path());
            if (!lost.isEmpty())
            {
                findings.add(new Finding(cluster.path() + ": " + lost,
                    "restart these processes; have the user linger (loginctl enable-linger), or set RemoveIPC=no"));
            }
        }
        return findings;
    }

    private static boolean isOfOtherVersion(final SeenCluster cluster)
    {
        return cluster.layoutVersion() != SegmentHeader.LAYOUT_VERSION &&
            cluster.layoutVersion() != SegmentHeader.VERSION_NONE;
    }

    private static String ahead(final NodeInfo node, final long nowMs)
    {
        return "node=" + node.name() + " was busy ms=" + (node.heartbeatMs() - nowMs) +
            " in the future, expected at most " + AHEAD_MS_MAX + ": the clock was set back";
    }
}
