// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.grim.GrimException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
final class OwnFilesTest
{
    private static final int NOBODY = 65_534;

    @TempDir
    private Path parent;

    @Test
    void shouldMakeWhatIsMissingForItsUserAlone() throws IOException
    {
        final Path cluster = parent.resolve("base").resolve("cluster");
        assertThrows(NoSuchFileException.class, () -> OwnFiles.requireDirectory(cluster));

        OwnFiles.makeDirectory(cluster);
        OwnFiles.makeDirectory(cluster);
        OwnFiles.requireDirectory(cluster);

        assertEquals("rwx------", modeOf(cluster));
        assertEquals("rwx------", modeOf(cluster.getParent()));
    }

    @Test
    void shouldTakeADirectoryBelowOneThatOthersMayWriteWithTheStickyBitOnly() throws IOException
    {
        final Path base = Files.createDirectory(parent.resolve("base"));
        final Path cluster = base.resolve("cluster");
        OwnFiles.makeDirectory(cluster);

        mode(base, 01777);
        OwnFiles.makeDirectory(cluster);
        mode(base, 0777);
        assertEquals(cluster + " cannot be used: " + base + " is writable for other users: mode=0777, expected at " +
            "most 0755, or the sticky bit", refusal(cluster));
        mode(base, 0770);
        assertTrue(refusal(cluster).contains(base + " is writable for other users: mode=0770"));
        mode(base, 0755);
        OwnFiles.makeDirectory(cluster);
    }

    /** Of Kubernetes' volumes, with and without the bit of a group that owns them. */
    @Test
    void shouldTakeVolumesInMemoryAndRefuseThoseOfTheDefaultMedium() throws IOException
    {
        final Path volume = Files.createDirectory(parent.resolve("volume"));
        final Path cluster = volume.resolve("default");

        for (final int permissions : new int[] {01777, 03777})
        {
            mode(volume, permissions);
            OwnFiles.makeDirectory(cluster);
        }
        for (final int permissions : new int[] {0777, 02777})
        {
            mode(volume, permissions);
            assertTrue(refusal(cluster).contains(volume + " is writable for other users"));
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsOpenToOthers() throws IOException
    {
        final Path cluster = Files.createDirectory(parent.resolve("cluster"));

        mode(cluster, 0710);

        assertEquals(cluster + " cannot be used: it is open to other users: mode=0710, expected at most 0700",
            refusal(cluster));
    }

    @Test
    void shouldFollowLinksOfItsOwnUserOnTheWayAndCheckWhereTheyLead() throws IOException
    {
        final Path real = Files.createDirectories(parent.resolve("real").resolve("deep"));
        final Path link = Files.createSymbolicLink(parent.resolve("link"), Path.of("second", "..", "deep"));
        Files.createSymbolicLink(parent.resolve("second"), real);

        OwnFiles.makeDirectory(link.resolve("cluster"));

        assertTrue(Files.isDirectory(real.resolve("cluster"), LinkOption.NOFOLLOW_LINKS));
        mode(real, 0777);
        assertTrue(refusal(link.resolve("cluster")).contains(real + " is writable for other users"));
    }

    @Test
    void shouldRefuseLinksWithoutAnEnd() throws IOException
    {
        final Path link = parent.resolve("link");
        Files.createSymbolicLink(link, link);

        assertEquals(link + " cannot be used: it is one symbolic link too many, expected at most 40", refusal(link));
    }

    @Test
    void shouldRefuseEverythingOnTheWayThatIsAnotherUsers() throws IOException
    {
        assumeRoot();
        final Path base = Files.createDirectory(parent.resolve("base"));
        final Path cluster = base.resolve("cluster");
        final Path link = parent.resolve("link");
        OwnFiles.makeDirectory(cluster);
        Files.createSymbolicLink(link, base);

        give(link);
        assertEquals(link.resolve("cluster") + " cannot be used: " + link + " belongs to uid=65534, expected uid=0",
            refusal(link.resolve("cluster")));
        give(cluster);
        assertEquals(cluster + " cannot be used: it belongs to uid=65534, expected uid=0", refusal(cluster));
        give(base);
        assertEquals(cluster + " cannot be used: " + base + " belongs to uid=65534, expected uid=0", refusal(cluster));
        assertTrue(refusal(base.resolve("other")).contains(base + " belongs to uid=65534"));
        assertFalse(Files.exists(base.resolve("other")));
    }

    @Test
    void shouldRefuseWhatIsNoFileOfItsUserAloneWithoutWaitingForIt() throws Exception
    {
        final Path file = parent.resolve("file");
        final Path other = parent.resolve("other");
        assertThrows(NoSuchFileException.class, () -> OwnFiles.requireFile(file));
        OwnFiles.requireFileOrNothing(file);

        Files.createFile(file, OwnFiles.fileMode());
        OwnFiles.requireFile(file);
        OwnFiles.requireFileOrNothing(file);
        mode(file, 0640);
        assertEquals(file + " cannot be used: it is open to other users: mode=0640, expected at most 0600",
            fileRefusal(file));
        Files.createSymbolicLink(other, file);
        assertEquals(other + " cannot be used: it is a symbolic link, expected a regular file", fileRefusal(other));
        Files.delete(other);
        assertEquals(0, new ProcessBuilder("mkfifo", other.toString()).start().waitFor());
        assertEquals(other + " cannot be used: it is a FIFO, expected a regular file", fileRefusal(other));
        Files.delete(other);
        Files.createDirectory(other);
        assertEquals(other + " cannot be used: it is a directory, expected a regular file", fileRefusal(other));
        Files.delete(other);
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            socket.bind(UnixDomainSocketAddress.of(other));
            assertEquals(other + " cannot be used: it is a socket, expected a regular file", fileRefusal(other));
        }
    }

    @Test
    void shouldRefuseAFileOfAnotherUser() throws IOException
    {
        assumeRoot();
        final Path file = Files.createFile(parent.resolve("file"), OwnFiles.fileMode());
        give(file);

        assertEquals(file + " cannot be used: it belongs to uid=65534, expected uid=0", fileRefusal(file));
    }

    private static void assumeRoot()
    {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a file away");
    }

    private static void give(final Path path) throws IOException
    {
        Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
    }

    private static void mode(final Path path, final int mode) throws IOException
    {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private static String modeOf(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static String refusal(final Path directory)
    {
        return assertThrows(GrimException.class, () -> OwnFiles.makeDirectory(directory)).getMessage();
    }

    private static String fileRefusal(final Path file)
    {
        return assertThrows(GrimException.class, () -> OwnFiles.requireFileOrNothing(file)).getMessage();
    }
}
