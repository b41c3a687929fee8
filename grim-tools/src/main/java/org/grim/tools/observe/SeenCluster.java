// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.SegmentHeader;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * A cluster of this host, by its files.
 *
 * @param path          of its directory.
 * @param isLive        whether a process of this host is in it; false if it cannot be read.
 * @param alive         nodes whose process exists.
 * @param dead          nodes that did not leave, and whose process does not exist.
 * @param length        bytes of its files.
 * @param layoutVersion of its files; {@link SegmentHeader#VERSION_NONE} if they have none.
 * @param problem       why it cannot be read; empty if it can.
 */
public record SeenCluster(
    Path path, boolean isLive, List<NodeInfo> alive, List<NodeInfo> dead, long length, int layoutVersion,
    String problem)
{
    private static final int KIB = 1024;

    /**
     * Lists clusters.
     *
     * @param base whose subdirectories may be clusters; may be missing.
     * @return by name.
     * @throws IOException if the system refuses.
     */
    public static List<SeenCluster> allIn(final Path base) throws IOException
    {
        final List<SeenCluster> clusters = new ArrayList<>();
        if (Files.isReadable(base))
        {
            for (final Path path : sorted(base, "*"))
            {
                final SeenCluster cluster = new ClusterFiles(path).hasDirectory() ? of(path) : null;
                if (cluster != null)
                {
                    clusters.add(cluster);
                }
            }
        }
        return clusters;
    }

    /**
     * Lists the clusters of this host.
     *
     * @param base        whose subdirectories may be clusters.
     * @param areRunsSeen whether directories beside it count, such as those that {@code run} makes.
     * @return what the command shows.
     * @throws IOException if the system refuses.
     */
    public static Observer.Report report(final Path base, final boolean areRunsSeen) throws IOException
    {
        final List<Map<String, Object>> clusters = new ArrayList<>();
        final StringBuilder problems = new StringBuilder();
        for (final Path place : areRunsSeen ? sorted(base.toAbsolutePath().getParent(), "grim-*") : List.of(base))
        {
            for (final SeenCluster cluster : allIn(place))
            {
                clusters.add(cluster.json());
                problems.append(cluster.problem.isEmpty() ? "" : cluster.problem + '\n');
            }
        }
        return new Observer.Report(Json.object("command", "clusters", "clusters", clusters),
            clusters.isEmpty() ? "no cluster in " + base + '\n' :
            Table.of(clusters, "cluster=name", "state", "nodes up=up", "dead", "KiB=lengthKib", "layout=layoutVersion",
            "directory") + problems, false);
    }

    private Map<String, Object> json()
    {
        return Json.object("name", path.getFileName().toString(), "directory", path.toString(), "state",
            !problem.isEmpty() ? "unreadable" : isLive ? "live" : "left over", "up", alive.size(), "dead", dead.size(),
            "lengthKib", (length + KIB - 1) / KIB, "layoutVersion", layoutVersion, "problem", problem);
    }

    /** Null if it vanished meanwhile. */
    private static SeenCluster of(final Path path) throws IOException
    {
        try (ClusterDirectory directory = ClusterDirectory.view(path))
        {
            final Map<Boolean, List<NodeInfo>> nodes = directory.nodes().stream()
                .filter(node -> node.state() != NodeInfo.State.GONE)
                .collect(Collectors.partitioningBy(node -> directory.isAlive(node.number())));
            return new SeenCluster(path, directory.hasLive(), nodes.get(true), nodes.get(false), lengthOf(path),
                SegmentHeader.LAYOUT_VERSION, "");
        }
        catch (final GrimException ex)
        {
            return ex.reason() == GrimException.Reason.NOT_FOUND ? null : new SeenCluster(path, false, List.of(),
                List.of(), lengthOf(path), new ClusterFiles(path).layoutVersion(), ex.getMessage());
        }
    }

    private static long lengthOf(final Path path) throws IOException
    {
        long length = 0;
        for (final Path file : sorted(path, "*"))
        {
            length += lengthOfFile(file);
        }
        return length;
    }

    private static long lengthOfFile(final Path file) throws IOException
    {
        try
        {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        }
        catch (final NoSuchFileException ex)
        {
            return 0;                                   // Its node has left.
        }
    }

    private static List<Path> sorted(final Path directory, final String glob) throws IOException
    {
        final List<Path> paths = new ArrayList<>();
        if (Files.isReadable(directory))
        {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob))
            {
                entries.forEach(paths::add);
            }
        }
        paths.sort(null);
        return paths;
    }
}
