// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A failed set-up is reported in one sentence with figures, and leaves nothing behind. */
@Timeout(180)
final class SetUpErrorTest
{
    /** As core's BoardDescriptorTest pins them. */
    private static final int MAGIC_OFFSET = 0;
    private static final int VERSION_OFFSET = 8;
    private static final int LANAI_MODEL_OFFSET = 12;

    @TempDir
    private Path directory;

    @Test
    void shouldSayHowManyBytesAreNeededWhereMemoryIsTooSmall()
    {
        refuse("grim.myrinet.sram-length=262144 is not as large as needed, up to 67108864 bytes: " +
            "SRAM length=262144 bytes is too small: 4 channels with queues of 131072", "sram-length", 262_144);
        refuse("grim.myrinet.dma-length=65536 is not as large as needed, up to 2147483647 bytes: " +
            "DMA region of 65536 bytes is too small", "dma-length", 65_536);
    }

    @Test
    void shouldNameTheNodeThatIsNotThereWhoseBoardIsToBeUsed()
    {
        refuse("no node of the name nobody is up, whose board this node is to use (grim.myrinet.board)", "board",
            "nobody");
    }

    @Test
    void shouldSayThatABoardIsFull() throws IOException
    {
        try (Grim board = open("board", Map.of("contexts", 2, "board-channels", 4, "firmware", "thread"));
            Grim guest = open("guest", Map.of("board", "board")))
        {
            assertEquals(0, board.node().number());
            assertEquals(1, guest.node().number());
            refuseGuest("has no context left: contexts=2 (grim.myrinet.contexts of its node)", "60s");
        }
        try (Grim board = open("board", Map.of("contexts", 3, "board-channels", 3, "firmware", "thread")))
        {
            assertEquals("board", board.node().name());
            refuseGuest("refused this process: NO_CHANNELS; its channels=3 contexts=3", "60s");
        }
    }

    @Test
    void shouldSayThatNobodyRunsABoardsFirmware() throws IOException
    {
        try (Grim board = open("board", Map.of("contexts", 2, "board-channels", 4, "firmware", "duty-cycle")))
        {
            assertEquals("board", board.node().name());
            refuseGuest("did not answer within 50 ms (grim.myrinet.deadline): node=0 does not run its firmware",
                "50ms");
        }
    }

    @Test
    void shouldRefuseABoardFileThatIsNoneOrAnother() throws IOException
    {
        try (Grim board = open("board", Map.of("contexts", 2, "board-channels", 4, "firmware", "duty-cycle")))
        {
            final Path file = directory.resolve("default").resolve("node-0-" + board.node().incarnation() + ".board");
            scribble(file, VERSION_OFFSET, "SRAM has layout version=");
            scribble(file, LANAI_MODEL_OFFSET, "model");
            scribble(file, MAGIC_OFFSET, "SRAM has no board header: magic=0x");
            final Path moved = file.resolveSibling("moved");
            Files.move(file, moved);
            refuseGuest("failed: NoSuchFileException", "50ms");
            Files.write(file, new byte[32]);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            refuseGuest("32", "50ms");
            Files.delete(file);
            Files.move(moved, file);
        }
    }

    /** Another byte there for as long as a guest looks at it. */
    private void scribble(final Path file, final int offset, final String message) throws IOException
    {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw"))
        {
            content.seek(offset + 3);
            final int before = content.read();
            content.seek(offset + 3);
            content.write(before ^ 0x40);
            refuseGuest(message, "50ms");
            content.seek(offset + 3);
            content.write(before);
        }
    }

    private void refuseGuest(final String message, final String deadline) throws IOException
    {
        final List<Path> before = files();

        final RuntimeException ex = assertThrows(RuntimeException.class,
            () -> open("late", Map.of("board", "board", "deadline", deadline)).close());

        assertTrue(ex.getMessage().contains(message), ex.getMessage());
        assertEquals(before, files());
    }

    private void refuse(final String message, final String key, final Object value)
    {
        final RuntimeException ex =
            assertThrows(RuntimeException.class, () -> open("alone", Map.of(key, value)).close());

        assertTrue(ex.getMessage().contains(message), ex.getMessage());
        try
        {
            assertEquals(List.of(), files(), ex.getMessage());
        }
        catch (final IOException ioException)
        {
            throw new java.io.UncheckedIOException(ioException);
        }
    }

    private Grim open(final String name, final Map<String, Object> settings)
    {
        final GrimConfig.Builder builder =
            GrimConfig.builder().directory(directory).nodeName(name).transports("myrinet");
        settings.forEach((key, value) -> builder.set("grim.myrinet." + key, value));
        return Grim.enable(builder.build());
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> paths = Files.walk(directory))
        {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
