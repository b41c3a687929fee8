// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class MappedBoardTest
{
    private static final int LENGTH = 64 << 10;
    private static final BoardGeometry GEOMETRY = new BoardGeometry(9, 3, LENGTH, 4, 4096, 2, 8, 0);

    @TempDir
    private Path directory;

    @Test
    void shouldShareMemoryBetweenMakerAndOpener() throws IOException
    {
        final Path path = directory.resolve("board");
        try (MappedBoard made = MappedBoard.create(path, GEOMETRY, 77);
            MappedBoard opened = MappedBoard.open(path, 9))
        {
            made.sram().putInt(LENGTH - 4, 5);

            assertEquals(5, opened.sram().getInt(LENGTH - 4));
            assertEquals(3, opened.geometry().niNumber());
            assertEquals(4096, opened.geometry().queueLength());
            assertEquals(77, BoardDescriptor.epoch(opened.sram()));
            assertEquals(LENGTH, Files.size(path));
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            assertEquals(1, fileCount());
        }
    }

    @Test
    void shouldReplaceAStaleFileWhichItsUserKeeps()
    {
        final Path path = directory.resolve("board");
        try (MappedBoard stale = MappedBoard.create(path, GEOMETRY, 1);
            MappedBoard made = MappedBoard.create(path, GEOMETRY, 2);
            MappedBoard opened = MappedBoard.open(path, 9))
        {
            assertEquals(1, BoardDescriptor.epoch(stale.sram()));
            assertEquals(2, BoardDescriptor.epoch(made.sram()));
            assertEquals(2, BoardDescriptor.epoch(opened.sram()));
        }
    }

    @Test
    void shouldNameAFileThatIsMissing()
    {
        final Path path = directory.resolve("board");

        assertRefused(path, "open of " + path + " failed: NoSuchFileException");
    }

    @Test
    void shouldRefuseEveryTruncatedFileBeforeTouchingItsEnd() throws IOException
    {
        final Path path = directory.resolve("board");
        for (final int length : new int[] {0, 1, 255, 256, 4096, LENGTH - 4096, LENGTH - 1})
        {
            MappedBoard.create(path, GEOMETRY, 1).close();
            truncate(path, length);

            assertRefused(path, path + " is truncated or foreign: length=" + length + " bytes, expected " + LENGTH);
        }
    }

    @Test
    void shouldRefuseAFileShorterOrLongerThanItsHeaderSays() throws IOException
    {
        final Path path = directory.resolve("board");
        MappedBoard.create(path, new BoardGeometry(9, 3, LENGTH * 2, 4, 4096, 2, 8, 0), 1).close();
        truncate(path, LENGTH + 4096);
        assertRefused(path, "board file " + path + " cannot be used: SRAM is truncated: length=69632 bytes, " +
            "its header says 131072");

        truncate(path, LENGTH * 2 + 4096);
        assertRefused(path,
            "board file " + path + " cannot be used: it has length=135168 bytes, its header says 131072");
    }

    @Test
    void shouldRefuseAForeignFile() throws IOException
    {
        final Path path = directory.resolve("board");
        Files.write(path, new byte[LENGTH]);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));

        assertRefused(path,
            "board file " + path + " cannot be used: SRAM has no board header: magic=0x0 expected=0x4752");
    }

    @Test
    void shouldRefuseAnotherVersion() throws IOException
    {
        final Path path = directory.resolve("board");
        MappedBoard.create(path, GEOMETRY, 1).close();
        write(path, 8, 9);

        assertRefused(path,
            "board file " + path + " cannot be used: SRAM has layout version=9, this GRIM reads version=");
    }

    @Test
    void shouldRefuseAHeaderThatIsNone() throws IOException
    {
        final Path path = directory.resolve("board");
        MappedBoard.create(path, GEOMETRY, 1).close();
        write(path, 24, -1);

        assertRefused(path,
            "board file " + path + " cannot be used: SRAM has a bad board header: channels=-1 is outside");
    }

    @Test
    void shouldRefuseAnotherModelThanConfigured()
    {
        final Path path = directory.resolve("board");
        MappedBoard.create(path, GEOMETRY, 1).close();

        final GrimException refusal = assertThrows(GrimException.class, () -> MappedBoard.open(path, 4));

        assertTrue(refusal.getMessage().startsWith(
            "board file " + path + " cannot be used: its LANai model=9, this node " +
            "is configured for model=4"), refusal.getMessage());
    }

    @Test
    void shouldKeepItsMemoryAfterCloseForWhoeverHasAView()
    {
        final Path path = directory.resolve("board");
        final MappedBoard board = MappedBoard.create(path, GEOMETRY, 1);
        board.close();
        board.close();
        System.gc();

        assertEquals(1, BoardDescriptor.epoch(board.sram()));
        assertTrue(Files.exists(path));
    }

    @Test
    void shouldRemoveTheFile() throws IOException
    {
        final MappedBoard board = MappedBoard.create(directory.resolve("board"), GEOMETRY, 1);

        board.closeAndDelete();

        assertEquals(0, fileCount());
    }

    @Test
    void shouldLeaveNothingBehindWhereItCannotBePublished() throws IOException
    {
        final Path path = directory.resolve("board");
        Files.createDirectories(path.resolve("occupied"));

        final GrimException refusal =
            assertThrows(GrimException.class, () -> MappedBoard.create(path, GEOMETRY, 1));

        assertTrue(refusal.getMessage().startsWith("rename to " + path + " failed: "), refusal.getMessage());
        assertEquals(1, fileCount());
    }

    private void assertRefused(final Path path, final String text)
    {
        final GrimException refusal = assertThrows(GrimException.class, () -> MappedBoard.open(path, 9));
        assertTrue(refusal.getMessage().startsWith(text), refusal.getMessage());
    }

    private long fileCount() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.count();
        }
    }

    private static void truncate(final Path path, final int length) throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            file.setLength(length);
        }
    }

    private static void write(final Path path, final long position, final int word) throws IOException
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            assertEquals(4, channel.write(ByteBuffer.allocate(4).putInt(0, word), position));
        }
    }
}
