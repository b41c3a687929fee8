// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Cluster directories that another user can have touched. */
@Timeout(60)
final class DirectorySafetyTest
{
    @TempDir
    private Path parent;
    private Path path;
    private ClusterFiles files;

    @BeforeEach
    void name()
    {
        path = parent.resolve("cluster");
        files = new ClusterFiles(path);
    }

    @Test
    void shouldRefuseADirectoryThatIsOpenToOthers() throws IOException
    {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));

        final String text = refusal("one");

        assertEquals("cluster directory " + path + " cannot be used: it is open to other users: mode=0755, expected " +
            "at most 0700; set grim.cluster.directory to one of your own", text);
        assertEquals(0, count());
    }

    @Test
    void shouldRefuseADirectoryOfAnotherUser() throws IOException
    {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a directory away");
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setOwner(path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        final String text = refusal("one");

        assertEquals("cluster directory " + path + " cannot be used: it belongs to uid=65534, expected uid=0; set " +
            "grim.cluster.directory to one of your own", text);
        assertEquals(0, count());
    }

    @Test
    void shouldRefuseAPathThatIsAFile() throws IOException
    {
        Files.createFile(path);

        assertEquals("cluster directory " + path + " cannot be used: it is a regular file, expected a directory; set " +
            "grim.cluster.directory to one of your own", refusal("one"));
    }

    @Test
    void shouldSayAtOnceThatTheSystemMakesNoDirectory()
    {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "no /proc");
        files = new ClusterFiles(Path.of("/proc/grim/default"));

        assertEquals("cluster directory /proc/grim/default cannot be made: FileSystemException /proc/grim: the " +
            "system makes no directories there; set grim.cluster.directory to a writable place", refusal("one"));
    }

    @Test
    void shouldNotViewWhatIsOpenToOthers() throws IOException
    {
        try (ClusterDirectory one = join("one"))
        {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertEquals("cluster directory " + path + " cannot be used: it is open to other users: mode=0755, " +
                "expected at most 0700",
                assertThrows(GrimException.class, () -> ClusterDirectory.view(path)).getMessage());
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
            assertEquals(0, one.self());
        }
    }

    @Test
    void shouldRefuseFilesThatCannotBeItsOwnWithoutWaiting() throws Exception
    {
        for (final String name : List.of("join.lock", "liveness", "directory"))
        {
            final Path file = path.resolve(name);
            OwnFiles.makeDirectory(path);
            assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
            assertEquals(file + " cannot be used: it is a FIFO, expected a regular file", refusal("one"));
            OwnFiles.makeDirectory(path);
            Files.deleteIfExists(file);
            Files.createSymbolicLink(file, parent.resolve("elsewhere"));
            assertEquals(file + " cannot be used: it is a symbolic link, expected a regular file", refusal("one"));
            assertFalse(Files.exists(parent.resolve("elsewhere")));
            Files.deleteIfExists(file);
        }
    }

    private ClusterDirectory join(final String name)
    {
        return ClusterDirectory.join(files, 4, new NodeDescription("local", name, 2, List.of("shmem")));
    }

    private String refusal(final String name)
    {
        return assertThrows(GrimException.class, () -> join(name)).getMessage();
    }

    private long count() throws IOException
    {
        try (Stream<Path> content = Files.list(path))
        {
            return content.count();
        }
    }
}
