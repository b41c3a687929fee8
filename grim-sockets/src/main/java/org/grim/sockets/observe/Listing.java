// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.observe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * That a server channel of a node listens: the name of an empty file in the cluster's directory.
 *
 * @param node        number of the process's node.
 * @param incarnation of that node.
 * @param address     and port that the channel is bound to.
 * @param namespace   number of the network namespace that the address belongs to; 0 where there are none.
 */
public record Listing(int node, int incarnation, InetSocketAddress address, String namespace)
{
    private static final String KIND = "x-listen-";
    private static final Pattern NAME = Pattern.compile(
        "node-([0-9]{1,9})-([0-9]{1,9})\\.x-listen-([0-9]{1,5})-([0-9a-f]{8}|[0-9a-f]{32})-([0-9]{1,20})");
    private static final int PORT_MAX = 65_535;

    /** {@return the kind of the file among its node's files, which is the end of its name} */
    public String kind()
    {
        return KIND + address.getPort() + "-" + HexFormat.of().formatHex(address.getAddress().getAddress()) + "-" +
            namespace;
    }

    /**
     * Reads the names of a directory's files.
     *
     * @param directory of the cluster.
     * @return all listings there, also those of nodes that are gone.
     * @throws IOException if the directory cannot be read.
     */
    public static List<Listing> readAll(final Path directory) throws IOException
    {
        final List<Listing> listings = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory))
        {
            for (final Path entry : entries)
            {
                final String name = entry.getFileName().toString();
                final Listing listing = name.contains(KIND) ? parse(name) : null;
                if (listing != null)
                {
                    listings.add(listing);
                }
            }
        }
        return listings;
    }

    /** Null if a file's name is not one of these. */
    private static Listing parse(final String fileName)
    {
        final Matcher name = NAME.matcher(fileName);
        return !name.matches() || Integer.parseInt(name.group(3)) > PORT_MAX ? null :
            new Listing(Integer.parseInt(name.group(1)), Integer.parseInt(name.group(2)),
            new InetSocketAddress(address(name.group(4)), Integer.parseInt(name.group(3))), name.group(5));
    }

    private static InetAddress address(final String hex)
    {
        try
        {
            return InetAddress.getByAddress(HexFormat.of().parseHex(hex));
        }
        catch (final UnknownHostException ex)
        {
            throw new AssertionError("4 or 16 bytes are an address", ex);
        }
    }
}
