// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.network.NetworkCheck;
import org.grim.tools.observe.SeenCluster;
import org.grim.transport.Settings;

/**
 * Looks for obstacles to GRIM.
 * <p>Thread: any; no state.
 */
public final class Doctor
{
    private Doctor()
    {
    }

    /**
     * Looks at this JVM, the place of the cluster's files, the clusters there, the network, and the programs of the
     * cluster. Without the flag that GRIM needs clusters cannot be looked at.
     *
     * @param config of the cluster, as its processes have it.
     * @return one for each obstacle: value, limit and cure.
     * @throws IOException if the system refuses.
     */
    public static List<Finding> findings(final GrimConfig config) throws IOException
    {
        final List<Finding> findings = new ArrayList<>(JvmCheck.findings());
        final boolean hasAccess = findings.isEmpty() || JvmCheck.hasAccess();
        final Path own = config.clusterDirectory();
        final List<SeenCluster> clusters = hasAccess ? SeenCluster.allIn(own.getParent()) : List.of();
        final boolean isLive = clusters.stream().anyMatch(cluster -> cluster.path().equals(own) && cluster.isLive());
        findings.addAll(PlaceCheck.findings(config, isLive));
        findings.addAll(ClusterCheck.findings(clusters, System.currentTimeMillis()));
        NetworkCheck.obstacles(new Settings(config.settings()), isLive)
            .forEach((text, cure) -> findings.add(new Finding(text, cure)));
        findings.addAll(AeronPort.findings(new Settings(config.settings()), isLive ? ports(own) : Set.of()));
        if (isLive)
        {
            findings.addAll(PassedServers.findings(config));
        }
        return findings;
    }

    /** UDP ports at which nodes of this host receive. */
    private static Set<Integer> ports(final Path directory)
    {
        final Set<Integer> ports = new HashSet<>();
        try (ClusterDirectory cluster = ClusterDirectory.view(directory))
        {
            for (final NodeInfo node : cluster.nodes())
            {
                final String address = cluster.address(node.number(), "aeron");
                final String port = address.substring(address.lastIndexOf(':') + 1);
                if (!cluster.isRemote(node.number()) && cluster.isAlive(node.number()) && port.matches("[0-9]{1,5}"))
                {
                    ports.add(Integer.valueOf(port));
                }
            }
        }
        return ports;
    }
}
