// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
class StartOverDebrisIT
{
    private static final List<String> FIRST = List.of("a", "b", "c");
    private static final List<String> SECOND = List.of("d", "e", "f");
    private static final List<String> THIRD = List.of("g", "h");
    private static final int NODE_COUNT = 8;
    private static final long DEADLINE_NS = 60_000_000_000L;

    @TempDir
    private Path outputs;
    private final Path directory = ShmDirectory.create();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException
    {
        for (final Process process : processes)
        {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        ShmDirectory.delete(directory);
    }

    @Test
    @Timeout(180)
    void shouldStartEightNodesAtOnceOverTheDebrisOfAKilledCluster() throws IOException, InterruptedException
    {
        final Path stay = Files.createFile(directory.resolve(NodeMain.STAY));
        startAll("killed");
        awaitDone("killed");
        for (final Process process : processes)
        {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        scatterDebris(directory.resolve(DeathConfig.CLUSTER));

        startAll("again");
        awaitDone("again");
        Files.delete(stay);
        for (final Process process : processes.subList(3, processes.size()))
        {
            assertEquals(0, process.waitFor(), this::said);
        }

        assertEquals(List.of(directory), ShmDirectory.tree(directory), this::said);
    }

    private void startAll(final String run)
    {
        for (final List<String> names : List.of(FIRST, SECOND, THIRD))
        {
            final List<String> command = PeerJvm.command(NodeMain.class, true);
            command.addAll(List.of(directory.toString(), Integer.toString(NODE_COUNT)));
            command.addAll(names);
            processes.add(PeerJvm.start(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(outputs.resolve(run + "-" + names.get(0)).toFile())));
        }
    }

    private void awaitDone(final String run)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (doneCount(run) < NODE_COUNT)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, this::said);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private long doneCount(final String run)
    {
        return Stream.of(FIRST, SECOND, THIRD)
            .flatMap(names -> ShmDirectory.text(outputs.resolve(run + "-" + names.get(0))).lines())
            .filter(line -> line.startsWith("done ")).count();
    }

    /** Files of processes that die while they make one, and some that GRIM would not leave. */
    private static void scatterDebris(final Path cluster) throws IOException
    {
        final byte[] noise = new byte[5_000];
        Arrays.fill(noise, (byte)0x5A);
        for (final String name : List.of("directory.1-a.tmp", "node-0-1.inbox.1-b.tmp", "node-3-2.counters.1-c.tmp",
            "node-3-2.inbox", "node-31-7.inbox", "node-5-2.bell-0"))
        {
            Files.write(cluster.resolve(name), noise);
        }
        Files.write(cluster.resolve("node-4-2.counters"), new byte[0]);
    }

    private String said()
    {
        final StringBuilder text = new StringBuilder();
        for (final Path output : ShmDirectory.tree(outputs))
        {
            if (Files.isRegularFile(output))
            {
                text.append(output.getFileName()).append(": ").append(ShmDirectory.text(output)).append('\n');
            }
        }
        return text + " " + ShmDirectory.tree(directory);
    }
}
