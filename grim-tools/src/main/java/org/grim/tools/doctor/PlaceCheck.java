// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.transport.Settings;

/**
 * Obstacles in the place where a cluster's files are made: its owner, mode, file system and room.
 * <p>Thread: any; no state.
 */
final class PlaceCheck
{
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");
    private static final String SHARED_MEMORY = "shmem";
    private static final String NATIVE = "myrinet";
    private static final int NODES_MIN = 2;
    /** Of a node besides its inbox: counters, registered memory; and the cluster's directory. */
    private static final long OTHER_LENGTH = 1 << 20;

    private PlaceCheck()
    {
    }

    /**
     * Looks at the place.
     *
     * @param config of the cluster.
     * @param isLive whether nodes of it have made their files.
     */
    static List<Finding> findings(final GrimConfig config, final boolean isLive) throws IOException
    {
        final List<Finding> findings = new ArrayList<>();
        final Path directory = config.clusterDirectory().toAbsolutePath().normalize();
        Path place = directory;
        while (!Files.exists(place))
        {
            place = place.getParent();
        }
        final String refusal = refusal(directory, place);
        if (!refusal.isEmpty())
        {
            findings.add(new Finding("cluster directory " + refusal,
                "set grim.cluster.directory to one of your own, or have its owner remove it"));
        }
        place = place.toRealPath();
        final Mount mount = Mount.of(place);
        if (mount != null && !IN_MEMORY.contains(mount.type()))
        {
            findings.add(new Finding("grim.cluster.directory is in " + place + " on type=" + mount.type() +
                ", expected tmpfs: the system writes its pages to a disk",
                "leave the key empty for /dev/shm, or mount a tmpfs there"));
        }
        addRoom(config, isLive, place, findings);
        addNative(config, findings);
        return findings;
    }

    /** Returns why files cannot be made; empty if they can. */
    private static String refusal(final Path directory, final Path place)
    {
        try
        {
            OwnFiles.requireDirectory(directory);
        }
        catch (final NoSuchFileException ex)
        {
            // The parts that are there are safe, and the first node makes the others.
            return Files.isWritable(place) ? "" : notWritable(place);
        }
        catch (final GrimException ex)
        {
            return ex.getMessage();
        }
        catch (final IOException ex)
        {
            return directory + " cannot be read: " + MappedFile.describe(ex);
        }
        return Files.isWritable(directory) ? "" : notWritable(directory);
    }

    private static String notWritable(final Path place)
    {
        return place + " cannot be used: it is not writable for user " + System.getProperty("user.name") +
            ", or mounted with the option ro";
    }

    private static void addRoom(
        final GrimConfig config, final boolean isLive, final Path place, final List<Finding> findings)
        throws IOException
    {
        final Settings settings = new Settings(config.settings());
        final List<String> transports = config.transports();
        final int size = ((Number)config.settings().get("grim.cluster.size")).intValue();
        final int nodeCount = isLive ? 1 : Math.max(NODES_MIN, size);
        final long inboxLength = transports.isEmpty() || transports.contains(SHARED_MEMORY) ?
            Inbox.lengthOf(InboxGeometry.of(settings)) : 0;
        final long needed = nodeCount * (inboxLength + OTHER_LENGTH);
        final FileStore store = Files.getFileStore(place);
        if (store.getUsableSpace() < needed)
        {
            findings.add(new Finding(place + " has free=" + store.getUsableSpace() + " of length=" +
                store.getTotalSpace() + " bytes, and nodes=" + nodeCount + " of this configuration take needed=" +
                needed, "enlarge it (mount -o remount,size=1g, --shm-size of containers, an emptyDir of medium " +
                "Memory), remove what is left over, or lower grim.queue.ring-length and grim.queue.frame-count"));
        }
    }

    /** Native libraries of JNR are loaded from a file that it makes. */
    private static void addNative(final GrimConfig config, final List<Finding> findings) throws IOException
    {
        final Path place = Path.of(System.getProperty("java.io.tmpdir"));
        final Mount mount = !config.transports().contains(NATIVE) || !Files.exists(place) ? null :
            Mount.of(place.toRealPath());
        if (mount != null && mount.options().contains("noexec"))
        {
            findings.add(new Finding("java.io.tmpdir=" + place + " is mounted at " + mount.point() +
                " with the option noexec, expected exec: transport=" + NATIVE + " loads a native library from there",
                "start the JVM with -Djava.io.tmpdir=DIR, where programs may be executed"));
        }
    }
}
