// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.Logged;
import org.grim.MemoryRegion;
import org.grim.death.OpenResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Joins that fail, threads that are interrupted, and the modes of what is made. */
@Timeout(180)
final class ShmemSetUpTest
{
    private static final int IDLE_COUNT = 1_110;        // All spins and yields, and some sleeps.

    @TempDir
    private Path directory;

    @AfterEach
    void clearInterrupt()
    {
        Thread.interrupted();
    }

    @Test
    void shouldLeaveNothingWhenMemoryEndsWhileItJoins()
    {
        assertEquals("planted", assertThrows(OutOfMemoryError.class,
            () -> enable("warm-up", ShmemTransportProvider.NAME, FailingProvider.NAME)).getMessage());
        OpenResources.awaitBelow(directory, List.of(directory.toString()));
        failBesideAResident();
        OpenResources.awaitBelow(directory, List.of(directory.toString()));
    }

    /** A frame of its own, as below: what a caller's frame still names, the collector does not unmap. */
    private void failBesideAResident()
    {
        try (Grim resident = enable("resident", ShmemTransportProvider.NAME))
        {
            final List<String> before = OpenResources.below(directory);
            final List<String> channelsBefore = OpenResources.channels();

            for (int i = 0; i < 3; i++)
            {
                assertThrows(OutOfMemoryError.class,
                    () -> enable("node", ShmemTransportProvider.NAME, FailingProvider.NAME));
                OpenResources.awaitBelow(directory, before);
                assertEquals(channelsBefore, OpenResources.channels());
            }

            enable("node", ShmemTransportProvider.NAME).close();
            OpenResources.awaitBelow(directory, before);
            assertEquals(0, resident.node().number());
        }
    }

    @Test
    void shouldNotSayThatItLeftTheClusterWhenItCouldNotJoin()
    {
        final Path tooLong = directory.resolve("x".repeat(100));

        final String log = Logged.by(() -> assertThrows(GrimException.class, () -> enableIn(tooLong, "node")));
        final String logOfJoined = Logged.by(() -> enableIn(directory, "node").close());

        assertEquals(0, Logged.count(log, "left the cluster"), log);
        assertEquals(1, Logged.count(logOfJoined, "left the cluster"), logOfJoined);
    }

    @Test
    void shouldRefuseADirectoryTooLongForItsSockets() throws Exception
    {
        final int lengthMax = 77;
        final Path fitting = directory.resolve("x".repeat(lengthMax - directory.toString().length() - 3));
        final Path tooLong = directory.resolve(fitting.getFileName() + "y");
        final List<String> channelsBefore = OpenResources.channels();

        final String text = assertThrows(GrimException.class, () -> enableIn(tooLong, "node")).getMessage();
        assertEquals("cluster directory " + tooLong.resolve("c") + " has a path too long for sockets: length=78 " +
            "bytes exceeds max=77; set grim.cluster.directory or grim.cluster.name to a shorter one", text);
        assertFalse(Files.exists(tooLong));
        assertEquals(channelsBefore, OpenResources.channels());

        try (Grim grim = enableIn(fitting, "node"); Selector selector = Selector.open())
        {
            grim.endpoint().doorbell().listen(selector);
            assertFalse(selector.keys().isEmpty());
            try (Stream<Path> files = Files.list(fitting.resolve("c")))
            {
                for (final Path file : files.toList())
                {
                    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
                        file.toString());
                }
            }
        }
    }

    @Test
    void shouldTellProgramsTheReason() throws Exception
    {
        try (Grim resident = enable("resident", ShmemTransportProvider.NAME))
        {
            assertEquals(GrimException.Reason.NAME_TAKEN,
                reason(() -> enable(resident.node().name(), ShmemTransportProvider.NAME)));
        }
        final Path file = Files.createFile(directory.resolve("file"));
        assertEquals(GrimException.Reason.SYSTEM_REFUSED, reason(() -> enableIn(file, "node")));
        final Path foreign = Files.createDirectories(directory.resolve("foreign/c"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        final Path segment = Files.write(foreign.resolve("directory"), new byte[8_192]);
        Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-------"));
        assertEquals(GrimException.Reason.BAD_DATA, reason(() -> enableIn(foreign.getParent(), "node")));
    }

    private static GrimException.Reason reason(final Executable call)
    {
        return assertThrows(GrimException.class, call).reason();
    }

    @Test
    void shouldWorkOnAThreadThatIsInterruptedAndKeepTheInterrupt()
    {
        Thread.currentThread().interrupt();
        joinSendAndLeave();

        assertTrue(Thread.interrupted());
        OpenResources.awaitBelow(directory, List.of(directory.toString()));
    }

    private void joinSendAndLeave()
    {
        final Grim near = enable("near", ShmemTransportProvider.NAME);
        final Grim far = enable("far", ShmemTransportProvider.NAME);
        final EndpointId farId = near.locate("far");
        final IdleStrategy idle = near.endpoint().idleStrategy();

        near.handlers().register("near.nothing", message ->
        {
        });
        near.start();
        assertEquals(farId, near.endpoint().link(farId).destination());
        assertEquals(farId, near.endpoint().sharedLink(farId).destination());
        assertEquals(8 << 20, near.endpoint().memory().register(8 << 20, MemoryRegion.Rights.READ_WRITE).length());
        for (int i = 0; i < IDLE_COUNT; i++)
        {
            idle.idle(0);
        }
        assertTrue(Thread.currentThread().isInterrupted());
        far.close();
        near.close();
    }

    private Grim enable(final String name, final String... transports)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).set("grim.cluster.name", "c").nodeName(name)
            .transports(transports).build());
    }

    private static Grim enableIn(final Path base, final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(base).set("grim.cluster.name", "c").nodeName(name)
            .transports(ShmemTransportProvider.NAME).build());
    }
}
