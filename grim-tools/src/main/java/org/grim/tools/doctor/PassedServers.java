// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.sockets.node.AddressPatterns;
import org.grim.sockets.node.SocketsConfig;
import org.grim.sockets.observe.ConnectionTable;
import org.grim.sockets.observe.Listing;

/**
 * Servers of a cluster's programs that listen past GRIM's channels.
 * <p>Thread: any; no state.
 */
final class PassedServers
{
    private static final String CURE = "a native transport (Netty's epoll, also a shaded copy) goes past java.nio: " +
        "switch it off, such as with -Dio.netty.transport.noNative=true; a java.net.ServerSocket, such as JMX's, " +
        "stays TCP; see docs/sockets.md";

    private PassedServers()
    {
    }

    /**
     * Looks for servers that clients of the cluster cannot reach over GRIM, although their process has its provider.
     *
     * @param config of the cluster, as its processes have it: addresses configured for TCP are left out.
     * @return one for each address; of processes of this host, on Linux.
     * @throws IOException            if the system refuses.
     * @throws org.grim.GrimException if there is no such cluster.
     */
    static List<Finding> findings(final GrimConfig config) throws IOException
    {
        final AddressPatterns never = SocketsConfig.of(config).never();
        final ClusterFiles files = new ClusterFiles(config.clusterDirectory());
        final List<Finding> findings = new ArrayList<>();
        try (ClusterDirectory cluster = ClusterDirectory.view(config.clusterDirectory()))
        {
            for (final NodeInfo node : cluster.nodes())
            {
                if (!cluster.isRemote(node.number()) && cluster.isAlive(node.number()) &&
                    Files.exists(files.ofNode(node.number(), node.incarnation(), ConnectionTable.KIND)))
                {
                    final Set<Integer> listed = Listing.readAll(config.clusterDirectory()).stream().filter(listing ->
                        listing.node() == node.number() && listing.incarnation() == node.incarnation())
                        .map(listing -> listing.address().getPort()).collect(Collectors.toSet());
                    TcpListeners.of(node.processId()).stream()
                        .filter(address -> !listed.contains(address.getPort()) && !never.matches(address))
                        .map(address -> new Finding(text(node, address), CURE)).forEach(findings::add);
                }
            }
        }
        return findings;
    }

    private static String text(final NodeInfo node, final InetSocketAddress address)
    {
        return "process=" + node.processId() + " node=" + node.name() + " listens at " +
            address.getAddress().getHostAddress() + " port=" + address.getPort() +
            " with TCP, and no server channel of GRIM does: who connects there uses TCP";
    }
}
