// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class MappedFileTest
{
    private static final long MAGIC = SegmentHeader.magic("GRIMTEST");

    @TempDir
    private Path directory;

    @AfterEach
    void clearInterrupt()
    {
        Thread.interrupted();
    }

    @Test
    void shouldPinTheSegmentHeader()
    {
        final AtomicBuffer buffer = Buffers.allocate(256);

        SegmentHeader.complete(buffer, MAGIC);

        assertEquals(0x4752494D_54455354L, MAGIC);
        assertEquals(64, SegmentHeader.LENGTH);
        assertEquals(5, SegmentHeader.LAYOUT_VERSION);
        assertEquals(MAGIC, buffer.getLong(0));
        assertEquals(5, buffer.getInt(8));
        assertEquals(256, buffer.getLong(16));
    }

    @Test
    void shouldAppearCompleteWithModeOwnerOnly() throws IOException
    {
        final Path path = directory.resolve("file");
        final MappedFile file = MappedFile.create(path, 200_000);
        assertFalse(Files.exists(path));
        SegmentHeader.complete(file.buffer(), MAGIC);
        file.buffer().putInt(199_996, 42);

        file.publish();
        final MappedFile other = MappedFile.open(path, MAGIC, 64, false);

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertEquals(42, other.buffer().getInt(199_996));
        assertEquals(path, other.path());
        other.close();
        other.close();
        assertEquals(42, other.buffer().getInt(199_996));
        file.closeAndDelete();
        assertEquals(0, count());
    }

    @Test
    void shouldKeepTheMemoryForAsLongAsAViewCanBeReached()
    {
        final MappedFile file = MappedFile.create(directory.resolve("file"), 1 << 20);
        final AtomicBuffer view = Buffers.wrap(file.buffer(), 4096, 4096);
        view.putInt(0, 42);

        file.closeAndDelete();
        for (int i = 0; i < 3; i++)
        {
            System.gc();
        }

        assertEquals(42, view.getInt(0));
        Buffers.empty(view);
        assertThrows(IndexOutOfBoundsException.class, () -> view.getInt(0));
    }

    @Test
    void shouldUnmapByHandWhereNobodyHasAView()
    {
        final MappedFile file = MappedFile.create(directory.resolve("file"), 4096);

        file.unmap();
        file.unmap();

        assertThrows(IndexOutOfBoundsException.class, () -> file.buffer().getInt(0));
    }

    @Test
    void shouldNameWhatIsWrongWithAFile() throws IOException
    {
        final Path path = directory.resolve("file");
        assertTrue(refusal(path).startsWith("open of " + path + " failed: NoSuchFileException"));

        Files.write(path, new byte[63]);
        Files.setPosixFilePermissions(path, OwnFiles.FILE_PERMISSIONS);
        assertEquals(path + " is truncated or foreign: length=63 bytes, expected 64 to 2147483647", refusal(path));

        Files.writeString(path, "garbage ".repeat(32));
        assertTrue(refusal(path).contains("is not a GRIM segment: magic=0x"), refusal(path));

        write(path, 128, 1, 128);
        assertTrue(refusal(path).contains("has layout version=1, this GRIM reads version=5"), refusal(path));

        write(path, 128, 5, 4096);
        assertEquals(path + " is truncated: length=128 bytes, its header says 4096", refusal(path));
    }

    @Test
    void shouldLeaveNothingWhenThereIsTooLittleSpace() throws IOException
    {
        final long length = 1L << 60;

        final GrimException ex =
            assertThrows(GrimException.class, () -> MappedFile.create(directory.resolve("file"), length));

        assertTrue(ex.getMessage().startsWith("too little space for " + directory), ex.getMessage());
        assertTrue(ex.getMessage().contains("needed=" + length + " bytes free="), ex.getMessage());
        assertEquals(0, count());
    }

    @Test
    void shouldLeaveNothingWhenItCannotTakeItsName() throws IOException
    {
        final Path path = directory.resolve("file");
        Files.createDirectories(path.resolve("occupied"));
        final MappedFile file = MappedFile.create(path, 4096);

        final GrimException ex = assertThrows(GrimException.class, file::publish);

        assertTrue(ex.getMessage().startsWith("rename to " + path + " failed: "), ex.getMessage());
        assertEquals(1, count());
    }

    @Test
    @Timeout(60)
    void shouldMapOnAThreadThatIsInterruptedAndKeepTheInterrupt()
    {
        final Path path = directory.resolve("file");
        Thread.currentThread().interrupt();

        final MappedFile file = MappedFile.create(path, 4096);
        SegmentHeader.complete(file.buffer(), MAGIC);
        file.publish();
        MappedFile.open(path, MAGIC, 64, true).close();
        MappedFile.openPart(path, 0, 64).close();
        file.closeAndDelete();

        assertTrue(Thread.interrupted());
    }

    @Test
    @Timeout(60)
    void shouldMapWhileAnotherThreadInterruptsAgainAndAgain()
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread victim = Thread.currentThread();
        final Thread interrupter = new Thread(() ->
        {
            while (!isOver.get())
            {
                victim.interrupt();
            }
        });
        interrupter.start();

        try
        {
            for (int i = 0; i < 100; i++)
            {
                MappedFile.create(directory.resolve("file"), 100_000).closeAndDelete();
            }
        }
        finally
        {
            isOver.set(true);
            join(interrupter);
        }
    }

    /** Lets a thread end that interrupts this one, and forgets the interrupts. */
    private static void join(final Thread interrupter)
    {
        while (interrupter.isAlive())
        {
            Thread.interrupted();
            Uninterrupted.park(100_000);
        }
        Thread.interrupted();
    }

    private String refusal(final Path path)
    {
        return assertThrows(GrimException.class, () -> MappedFile.open(path, MAGIC, 64, true)).getMessage();
    }

    private static void write(final Path path, final int length, final int version, final long lengthInHeader)
        throws IOException
    {
        final byte[] bytes = new byte[length];
        final AtomicBuffer buffer = Buffers.wrap(bytes);
        buffer.putLong(0, MAGIC);
        buffer.putInt(8, version);
        buffer.putLong(16, lengthInHeader);
        Files.write(path, bytes);
    }

    private long count() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.count();
        }
    }
}
