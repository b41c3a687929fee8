// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

import org.grim.NodeInfo;
import org.grim.buffer.OwnFiles;
import org.grim.cluster.ClusterFiles;
import org.grim.sockets.observe.Listing;

/**
 * Listening addresses of this host: an empty file in the cluster's directory for each bound server channel, whose name
 * is a {@link Listing}. GRIM removes it with the node's other files; until then its incarnation says that it is stale.
 * <p>Thread: any.
 */
final class Listings
{
    /** Longer than the step of the kernel's clock for files: a later change has another time. */
    private static final long SETTLE_MS = 1_000;
    private static final Path NAMESPACE = Path.of("/proc/self/ns/net");

    private final ClusterFiles files;
    private final String namespace;
    private volatile Seen seen;

    Listings(final Path clusterDirectory)
    {
        files = new ClusterFiles(clusterDirectory);
        namespace = networkNamespace();
    }

    /**
     * Enters an address.
     *
     * @param self  this node.
     * @param bound address of a server channel that listens there with TCP, too.
     * @return the file, to be removed when the channel is closed.
     * @throws IOException if the system refuses.
     */
    Path enter(final NodeInfo self, final InetSocketAddress bound) throws IOException
    {
        final Path file = files.ofNode(self.number(), self.incarnation(),
            new Listing(self.number(), self.incarnation(), bound, namespace).kind());
        try
        {
            OwnFiles.makeFile(file);
            return file;
        }
        catch (final FileAlreadyExistsException ex)
        {
            return file;                    // Two channels of this process share the port, as SO_REUSEPORT permits.
        }
    }

    /**
     * Finds who may listen at an address.
     *
     * @param target of a client; on this host or not.
     * @param nodes  of the cluster.
     * @return numbers of nodes that are up.
     * @throws IOException if the directory cannot be read.
     */
    List<NodeInfo> find(final InetSocketAddress target, final List<NodeInfo> nodes) throws IOException
    {
        final List<NodeInfo> found = new ArrayList<>();
        for (final Listing listing : listings())
        {
            if (listing.address().getPort() == target.getPort() && listing.namespace().equals(namespace) &&
                isOf(target.getAddress(), listing.address().getAddress()))
            {
                nodes.stream().filter(node -> node.state() == NodeInfo.State.UP &&
                    node.number() == listing.node() && node.incarnation() == listing.incarnation())
                    .forEach(found::add);
            }
        }
        return found;
    }

    /** Reads the directory again if a file was made or removed there since the last time. */
    private List<Listing> listings() throws IOException
    {
        final FileTime modified = Files.getLastModifiedTime(files.path());
        final Seen known = seen;
        if (known != null && known.modified.equals(modified))
        {
            return known.listings;
        }
        final boolean isSettled = System.currentTimeMillis() - modified.toMillis() > SETTLE_MS;
        final List<Listing> listings = Listing.readAll(files.path());
        seen = isSettled ? new Seen(modified, listings) : null;
        return listings;
    }

    /** Content of the directory. */
    private record Seen(FileTime modified, List<Listing> listings)
    {
    }

    /**
     * Returns whether a server that is bound to an address gets what is sent to another. A socket of IPv6 that is bound
     * to all addresses gets what is sent by IPv4, too; one of IPv4 nothing of IPv6.
     *
     * @param bound  of the server.
     * @param target of the client; that of a host.
     */
    static boolean reaches(final InetAddress bound, final InetAddress target)
    {
        return bound.isAnyLocalAddress() ? bound instanceof Inet6Address || target instanceof Inet4Address :
            bound.equals(target);
    }

    private static boolean isOf(final InetAddress target, final InetAddress bound) throws IOException
    {
        return reaches(bound, target) && (!bound.isAnyLocalAddress() || isOfThisHost(target));
    }

    private static boolean isOfThisHost(final InetAddress address) throws IOException
    {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    /** Same addresses mean other hosts in other namespaces: containers may share the directory. */
    private static String networkNamespace()
    {
        try
        {
            final String digits = Files.readSymbolicLink(NAMESPACE).toString().replaceAll("[^0-9]", "");
            return digits.isEmpty() ? "0" : digits;
        }
        catch (final IOException ex)
        {
            return "0";                     // A system without namespaces has one.
        }
    }
}
