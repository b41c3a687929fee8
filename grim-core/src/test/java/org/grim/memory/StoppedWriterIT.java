// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A process is stopped during a copy into a region, which is then freed: that does not wait, and the pages are not used
 * again until the process has gone on, or has been killed.
 */
@Tag("process")
final class StoppedWriterIT
{
    static final int LENGTH = 1 << 20;
    static final MemorySettings SETTINGS = new MemorySettings(LENGTH, LENGTH, 4, 4);

    private static final int HOUSEKEEPING_COUNT = 20;
    private static final long HOUSEKEEPING_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Freeing does not wait for the writer, which goes on later than this. */
    private static final long FREE_MS_MAX = 30_000;
    private static final long REUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int KILL_COUNT = 3;
    /** On a machine that stands still at times. */
    private static final int KILL_COUNT_MAX = 20;

    private final Path directory = ShmDirectory.create();
    @TempDir
    private Path logs;
    private ClusterDirectory membership;
    private NodeMemory memory;
    private AtomicBuffer arena;

    @BeforeEach
    void open()
    {
        final ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
        membership = WriterMain.join(files, "owner");
        memory = WriterMain.newMemory(membership, files);
    }

    @AfterEach
    void close()
    {
        memory.close();
        membership.close();
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(300)
    void shouldKeepThePagesUntilAStoppedWriterHasGoneOn()
    {
        final MemoryRegion region = memory.register(LENGTH, MemoryRegion.Rights.READ_WRITE);
        try (PeerJvm writer = start(region))
        {
            stopInMidCopy(writer);
            free(region);
            checkPagesAreKept();

            writer.resume();
            await("the pages are not given back", () -> memory.freePageCountForTest() > 0);

            final MemoryRegion next = memory.register(LENGTH, MemoryRegion.Rights.READ_WRITE);
            final long counter = memory.directory().initiatorCounter(0);
            await("the writer does not go on", () -> memory.directory().initiatorCounter(0) > counter + 1_000);
            for (int i = 0; i < LENGTH; i += Long.BYTES)
            {
                assertEquals(0, next.buffer().getLong(i), "a freed region was written");
            }
        }
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void shouldReuseThePagesSoonAfterAStoppedWriterWasKilled()
    {
        long shortestNs = Long.MAX_VALUE;
        for (int i = 0; i < KILL_COUNT || (i < KILL_COUNT_MAX && shortestNs >= REUSE_NS_MAX); i++)
        {
            final MemoryRegion region = memory.register(LENGTH, MemoryRegion.Rights.READ_WRITE);
            try (PeerJvm writer = start(region))
            {
                stopInMidCopy(writer);
                free(region);
                checkPagesAreKept();

                writer.kill();
                assertTrue(writer.awaitExit(TimeUnit.NANOSECONDS.toMillis(WAIT_NS)));
                final long startNs = System.nanoTime();
                await("the pages are not given back", () -> memory.freePageCountForTest() > 0);
                shortestNs = Math.min(shortestNs, System.nanoTime() - startNs);
            }
            await("the initiator is not taken back", () -> memory.directory().initiatorOwner(0) == 0);
        }

        final long leastNs = shortestNs;
        LoggerFactory.getLogger(StoppedWriterIT.class)
            .warn("pages of a killed writer: usable after ms=" + TimeUnit.NANOSECONDS.toMillis(leastNs));
        assertTrue(leastNs < REUSE_NS_MAX, () -> "ns=" + leastNs);
    }

    private PeerJvm start(final MemoryRegion region)
    {
        arena = memory.space().arenas().find(0).buffer();
        final PeerJvm writer = new PeerJvm(logs.resolve("log"), WriterMain.class,
            directory.resolve("cluster").toString(), Integer.toString(membership.self()),
            Long.toString(region.remotePhysical().address()), Integer.toString(LENGTH));
        await("the writer does not write", () -> arena.getByte(LENGTH - 1) == WriterMain.BYTE);
        return writer;
    }

    /** Stops and resumes it until it stands where its counter is odd. */
    private void stopInMidCopy(final PeerJvm writer)
    {
        writer.stop();
        while ((memory.directory().initiatorCounter(0) & 1) == 0)
        {
            writer.resume();
            LockSupport.parkNanos(HOUSEKEEPING_NS);
            writer.stop();
        }
    }

    private static void free(final MemoryRegion region)
    {
        final long startNs = System.nanoTime();
        region.close();
        final long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        assertTrue(ms < FREE_MS_MAX, () -> "freeing waited ms=" + ms);
    }

    private void checkPagesAreKept()
    {
        for (int i = 0; i < HOUSEKEEPING_COUNT; i++)
        {
            memory.housekeep();
            LockSupport.parkNanos(HOUSEKEEPING_NS);
        }
        assertEquals(0, memory.freePageCountForTest());
        final GrimException refusal =
            assertThrows(GrimException.class, () -> memory.register(PAGE_LENGTH, MemoryRegion.Rights.READ));
        assertTrue(refusal.getMessage().contains("quarantined=" + LENGTH), refusal.getMessage());
    }

    private void await(final String failure, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean())
        {
            memory.housekeep();
            assertTrue(System.nanoTime() - deadlineNs < 0, failure);
            LockSupport.parkNanos(HOUSEKEEPING_NS / 10);
        }
    }
}
