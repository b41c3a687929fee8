// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.device.DeviceClient;
import org.grim.device.storage.StorageClient.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A file is written to a store in another process and read from there, by messages and by remote memory. */
@Tag("process")
@Timeout(600)
final class StorageProcessIT
{
    private static final int MB = 1_000_000;
    private static final int BLOCK_LENGTH = 4 * MB;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path root;
    @TempDir
    private Path logs;
    private final Path clusters = ShmDirectory.create();

    @AfterEach
    void deleteClusters()
    {
        ShmDirectory.delete(clusters);
    }

    @Test
    void shouldKeepAFile() throws Exception
    {
        keepFile(8 * MB);
    }

    @Test
    @Tag("long")
    void shouldKeepALongFile() throws Exception
    {
        keepFile(100 * MB);
    }

    private void keepFile(final int length) throws Exception
    {
        try (PeerJvm store = new PeerJvm(logs.resolve("store.log"), StorageMain.class, clusters.toString(),
            root.toString());
            Grim grim = Grim.enable(StorageMain.config(clusters, "client")))
        {
            final StorageClient client =
                new StorageClient(DeviceClient.await(grim, NodeInfo.Device.STORAGE, PATIENCE));
            final MemoryRegion memory = grim.endpoint().memory().register(BLOCK_LENGTH);
            final UnsafeBuffer block = new UnsafeBuffer(new byte[BLOCK_LENGTH]);

            for (final Mode last : new Mode[] {Mode.CREATE, Mode.WINDOW})
            {
                final String written;
                final String byMessages;
                final String byMemory;
                try (StoredFile file = client.open("file", Mode.READ, Mode.WRITE, Mode.CREATE, Mode.TRUNCATE, last))
                {
                    final long startNs = System.nanoTime();
                    written = write(file, block, length);
                    file.sync();
                    final long writtenNs = System.nanoTime();
                    byMessages = hash(length, (position, part) ->
                        assertEquals(part, file.read(position, block, 0, part)), block);
                    final long readNs = System.nanoTime();
                    byMemory = hash(length, (position, part) ->
                    {
                        assertEquals(part, file.read(position, memory, 0, part));
                        memory.buffer().getBytes(0, block.byteArray(), 0, part);
                    }, block);
                    LoggerFactory.getLogger(getClass()).info("{} MB: written{} in {} ms, read by messages in {} ms, " +
                        "by remote memory in {} ms, with SHA-256", length / MB,
                        last == Mode.WINDOW ? " by remote memory" : " by messages", ms(startNs, writtenNs),
                        ms(writtenNs, readNs), ms(readNs, System.nanoTime()));
                }
                assertEquals(written, byMessages);
                assertEquals(written, byMemory);
                assertEquals(written, HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(root.resolve("file")))));
            }

            store.kill();
            assertTrue(store.awaitExit(PATIENCE.toMillis()));           // It may answer until it has ended.
            final GrimException gone = assertThrows(GrimException.class, () -> client.list(""));
            assertEquals(GrimException.Reason.UNREACHABLE, gone.reason(), gone.getMessage());
        }
    }

    private static long ms(final long startNs, final long endNs)
    {
        return Duration.ofNanos(endNs - startNs).toMillis();
    }

    private static String write(final StoredFile file, final UnsafeBuffer block, final int length) throws Exception
    {
        final Random random = new Random(length);
        return hash(length, (position, part) ->
        {
            random.nextBytes(block.byteArray());
            file.write(position, block, 0, part);
        }, block);
    }

    /** Moves a block, whose bytes are in the buffer then. */
    private interface Move
    {
        void run(long position, int part);
    }

    private static String hash(final int length, final Move move, final UnsafeBuffer block) throws Exception
    {
        final MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int position = 0; position < length; position += BLOCK_LENGTH)
        {
            final int part = Math.min(BLOCK_LENGTH, length - position);
            move.run(position, part);
            digest.update(block.byteArray(), 0, part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
