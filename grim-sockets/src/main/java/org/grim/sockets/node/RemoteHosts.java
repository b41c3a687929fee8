// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;

/**
 * Nodes of other hosts that may listen at an address: those whose transports are reached there. Only they know whether
 * they do, and are asked.
 * <p>Thread: any, while the node is locked. Owns: a view of the cluster's directory.
 */
final class RemoteHosts implements AutoCloseable
{
    private final Path clusterDirectory;
    private ClusterDirectory directory;

    /** Opens nothing yet. */
    RemoteHosts(final Path clusterDirectory)
    {
        this.clusterDirectory = clusterDirectory;
    }

    /** Finds nodes. Returns nodes of other hosts that are up, and have channels as this one. */
    synchronized List<NodeInfo> find(final InetAddress target, final List<NodeInfo> nodes)
    {
        final List<NodeInfo> candidates = nodes.stream().filter(node -> node.state() == NodeInfo.State.UP &&
            node.name().startsWith(SocketNode.NAME_PREFIX)).toList();
        if (candidates.isEmpty())
        {
            return List.of();
        }
        if (directory == null)
        {
            directory = ClusterDirectory.view(clusterDirectory);
        }
        final String text = target.getHostAddress();
        return candidates.stream().filter(node -> directory.isRemote(node.number()) &&
            isAt(directory.addresses(node.number()), text)).toList();
    }

    /**
     * Looks for an address among those of a node's transports.
     *
     * @param addresses each {@code transport=host:port}, with a mark behind it or not; comma between.
     * @param target    as {@link InetAddress#getHostAddress()}.
     */
    static boolean isAt(final String addresses, final String target)
    {
        for (final String address : addresses.split(",", -1))
        {
            final String endpoint = address.substring(address.indexOf('=') + 1);
            final int colon = endpoint.lastIndexOf(':');
            if (colon > 0)
            {
                final String host = endpoint.substring(0, colon);
                if (target.equals(host.startsWith("[") ? host.substring(1, host.length() - 1) : host))
                {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public synchronized void close()
    {
        if (directory != null)
        {
            directory.close();
        }
    }
}
