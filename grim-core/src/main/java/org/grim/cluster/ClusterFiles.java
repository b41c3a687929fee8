// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.buffer.FileIdentity;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.buffer.SegmentHeader;
import org.grim.text.SafeText;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The directory in the file system that a cluster's files stand in, and their names.
 * <p>Thread: any.
 */
public final class ClusterFiles
{
    private static final String DIRECTORY_NAME = "directory";
    private static final String LIVENESS_NAME = "liveness";
    private static final String LOCK_NAME = "join.lock";
    private static final String REGISTRY_NAME = "registry";
    private static final String AGENT_NAME = "agent";
    private static final String NODE_PREFIX = "node-";
    private static final String KINDS =
        "inbox, counters, memory, arena-N, outbox-N, outbox-of-N-N-N, multicast-N, bell-N, board, ni, dma-N, " +
        "wire, wire-N-N, x-NAME";
    private static final Pattern KIND = Pattern.compile(
        "inbox|counters|memory|board|ni|wire|x-[a-z0-9-]+|" +
        "(arena|bell|dma|multicast|outbox|wire-[0-9]+|outbox-of-[0-9]+-[0-9]+)-[0-9]+");
    /** Half-made files have this behind their name: see {@link org.grim.buffer.NewFile}. */
    private static final String TEMPORARY = "\\.[0-9]+-[0-9a-f]+\\.tmp";
    private static final Pattern DIRECTORY_TEMPORARY = Pattern.compile(DIRECTORY_NAME + TEMPORARY);
    private static final String NUMBER = "(0|[1-9][0-9]*)";

    private final Path path;
    private final UnaryOperator<AtomicBuffer> directoryAccess;

    /** Names the files of a cluster. */
    public ClusterFiles(final Path path)
    {
        this(path, UnaryOperator.identity());
    }

    /** Opens the files with another access to their memory, for tests whose processes die while they use it. */
    ClusterFiles(final Path path, final UnaryOperator<AtomicBuffer> directoryAccess)
    {
        this.path = path.toAbsolutePath().normalize();
        this.directoryAccess = directoryAccess;
    }

    /**
     * A file that belongs to one incarnation of one node.
     *
     * @param node        its number.
     * @param incarnation of the node.
     * @param kind        what the file holds, its suffix: one of GRIM's, or {@code x-} with a name of lower-case
     *                    letters, digits and hyphens.
     * @return the path.
     * @throws GrimException if the kind is another one, whose file nobody would remove.
     */
    public Path ofNode(final int node, final int incarnation, final String kind)
    {
        if (!KIND.matcher(kind).matches())
        {
            throw new GrimException(BAD_DATA, "file kind=" + SafeText.shorten(kind) + " is none of " + KINDS);
        }
        return path.resolve(NODE_PREFIX + node + "-" + incarnation + "." + kind);
    }

    /**
     * Returns the longest path that a file of one kind has, of any node.
     *
     * @param kind what the file holds, its suffix.
     * @return the path.
     */
    public Path longestOfNode(final String kind)
    {
        return ofNode(EndpointId.NODE_MAX, NodeRecord.INCARNATION_MAX, kind);
    }

    /** {@return the cluster's directory} */
    public Path path()
    {
        return path;
    }

    Path directory()
    {
        return path.resolve(DIRECTORY_NAME);
    }

    /** {@return whether there is a cluster, or something in its place} */
    public boolean hasDirectory()
    {
        return Files.exists(directory(), LinkOption.NOFOLLOW_LINKS);
    }

    /** {@return layout version of the cluster's files; {@link SegmentHeader#VERSION_NONE} if it cannot be read} */
    public int layoutVersion()
    {
        return SegmentHeader.versionOf(directory());
    }

    /** Returns whether the liveness file is there, or something in its place. */
    boolean hasLiveness()
    {
        return Files.exists(path.resolve(LIVENESS_NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /** The mapped memory of the directory, as this process reads and writes it. */
    AtomicBuffer directoryMemory(final MappedFile file)
    {
        return directoryAccess.apply(file.buffer());
    }

    /** Returns the liveness file by its real path; two names would make two channels ({@link Liveness}). */
    Path liveness()
    {
        try
        {
            return path.toRealPath().resolve(LIVENESS_NAME);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "cluster directory " + path + " cannot be found: " + MappedFile.describe(ex), ex);
        }
    }

    /** Returns the file with the state of the host's agent for its successor. */
    Path registry()
    {
        return path.resolve(REGISTRY_NAME);
    }

    /** The next content of the registry, while it is written. */
    Path temporaryRegistry()
    {
        return path.resolve(REGISTRY_NAME + ".tmp");
    }

    /** {@return socket of the host's agent, where tools ask} */
    public Path agent()
    {
        return path.resolve(AGENT_NAME);
    }

    Path lock()
    {
        return path.resolve(LOCK_NAME);
    }

    /**
     * Makes the directory if it is missing, mode 0700, and checks that no other user can have touched it.
     *
     * @throws GrimException if another user can have, or the system refuses.
     */
    void prepare()
    {
        try
        {
            OwnFiles.makeDirectory(path);
            final FileIdentity identity = FileIdentity.of(path);
            if (!Files.isWritable(path) && identity.isNamed())      // Otherwise it was being removed.
            {
                throw new GrimException(SYSTEM_REFUSED, path + " cannot be used: it is not writable for user " +
                    System.getProperty("user.name"));
            }
        }
        catch (final NoSuchFileException ex)
        {
            return;             // The last node of the cluster left at this moment: there is nothing to lock, so far.
        }
        catch (final GrimException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "cluster directory " + ex.getMessage() +
                "; set grim.cluster.directory to one of your own", ex);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "cluster directory " + path + " cannot be made: " + MappedFile.describe(ex) +
                "; set grim.cluster.directory to a writable place", ex);
        }
    }

    /**
     * Checks that there is a cluster, and that no other user can have touched it.
     *
     * @throws GrimException if another user can have, if there is none, or the system refuses.
     */
    void requireCluster()
    {
        try
        {
            OwnFiles.requireDirectory(path);
            if (hasDirectory())
            {
                return;
            }
        }
        catch (final NoSuchFileException ex)
        {
            throw noCluster();
        }
        catch (final GrimException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "cluster directory " + ex.getMessage(), ex);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "cluster directory " + path + " cannot be read: " + MappedFile.describe(ex), ex);
        }
        throw noCluster();
    }

    /** Removes the files of all earlier incarnations of a node, or of a node that is gone. */
    void deleteOfNode(final int node)
    {
        deleteMatching(nodePattern(Integer.toString(node), NUMBER));
    }

    /** Removes the files of one incarnation of a node; the number may have its next one already. */
    void deleteOfIncarnation(final int node, final int incarnation)
    {
        deleteMatching(nodePattern(Integer.toString(node), Integer.toString(incarnation)));
    }

    /**
     * Removes what a process left that died while making the directory. Only under the join lock: nobody makes one.
     * Half-made files of nodes go with the node: a live one may be making its own at this moment, outside the lock.
     */
    void deleteTemporary()
    {
        deleteMatching(DIRECTORY_TEMPORARY);
    }

    /** Removes all files of a cluster, and the directory unless it holds other files. */
    void deleteAll()
    {
        deleteCluster();
        MappedFile.delete(lock());
        deleteIfEmpty();
    }

    /** Removes the lock, which its holder made where there is no cluster any more, and the directory if it is empty. */
    void deleteLockIfUnused()
    {
        if (!hasDirectory())
        {
            MappedFile.delete(lock());
            deleteIfEmpty();
        }
    }

    /**
     * Removes a cluster, but not the lock of the process that makes the next one. Refuses a file that is not GRIM's.
     */
    void deleteCluster()
    {
        requireFileOrNothing(path.resolve(LIVENESS_NAME));
        deleteMatching(nodePattern(NUMBER, NUMBER));
        deleteTemporary();
        MappedFile.delete(directory());
        MappedFile.delete(registry());
        MappedFile.delete(temporaryRegistry());
        MappedFile.delete(agent());
        MappedFile.delete(path.resolve(LIVENESS_NAME));
    }

    /** Removes the directory unless something stands in it. */
    void deleteIfEmpty()
    {
        try (DirectoryStream<Path> rest = Files.newDirectoryStream(path))
        {
            if (!rest.iterator().hasNext())
            {
                Files.deleteIfExists(path);
            }
        }
        catch (final DirectoryNotEmptyException | NoSuchFileException ex)
        {
            return;             // A process that waited for the lock has made its file again, or has removed all.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "delete of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * After a join that failed: what it made goes, what was there stays. Removing the lock's file is safe: see there.
     */
    void deleteAfterFailedJoin(final boolean isNew)
    {
        if (isNew)
        {
            deleteAll();
        }
        else if (!Files.exists(liveness()))
        {
            MappedFile.delete(lock());
        }
    }

    private static void requireFileOrNothing(final Path file)
    {
        try
        {
            OwnFiles.requireFileOrNothing(file);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "stat of " + file + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private GrimException noCluster()
    {
        final String lost = LostProcesses.text(path);
        return new GrimException(NOT_FOUND,
            "no cluster at " + path + ": " + (lost.isEmpty() ? "no node has joined there" : lost));
    }

    private static Pattern nodePattern(final String node, final String incarnation)
    {
        return Pattern.compile(NODE_PREFIX + node + "-" + incarnation + "\\.(" + KIND + ")(" + TEMPORARY + ")?");
    }

    /** Removes what GRIM made: by its exact name, of its kind, and of this process's user. */
    private void deleteMatching(final Pattern names)
    {
        try (DirectoryStream<Path> files =
            Files.newDirectoryStream(path, file -> names.matcher(file.getFileName().toString()).matches()))
        {
            for (final Path file : files)
            {
                if (isOwn(file))
                {
                    Files.deleteIfExists(file);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "delete of " + names + " in " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    /** A file or a socket, not a directory or a link, of the directory's owner, who is this process's user. */
    private boolean isOwn(final Path file) throws IOException
    {
        try
        {
            final PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return (attributes.isRegularFile() || attributes.isOther()) &&
                attributes.owner().equals(Files.getOwner(path));
        }
        catch (final NoSuchFileException ex)
        {
            return false;               // Its node removed it at this moment.
        }
    }
}
