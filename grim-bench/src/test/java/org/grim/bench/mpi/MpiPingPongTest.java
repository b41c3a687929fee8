// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.GrimException;
import org.grim.bench.process.Pinning;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class MpiPingPongTest
{
    private static final String OUTPUT = """
        A warning of the launcher.
        latency 32 531.00
        stream 32 118862.2
        latency 2048 1638.25
        stream 2048 1334.0
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldReadBothFiguresOfEverySize()
    {
        final MpiFigures figures = MpiFigures.parse(OUTPUT);

        assertEquals(Map.of(32, 531.0, 2048, 1638.25), figures.latencyNs());
        assertEquals(Map.of(32, 118862.2, 2048, 1334.0), figures.messagesPerSecond());
    }

    @Test
    void shouldSayWhatCannotBeRead()
    {
        assertTrue(assertThrows(GrimException.class, () -> MpiFigures.parse("no slots\nleft\n")).getMessage()
            .endsWith("no slots | left"));
        assertThrows(GrimException.class, () -> MpiFigures.parse("latency 32 531.00\n"));
        assertTrue(assertThrows(GrimException.class, () -> MpiFigures.parse("latency 32 quick\n")).getMessage()
            .endsWith("latency 32 quick"));
        assertThrows(GrimException.class, () -> MpiFigures.parse("latency 32 nan\nstream 32 1\n"));
    }

    @Test
    void shouldSayWhichToolIsMissing() throws IOException
    {
        assertTrue(MpiPingPong.absence(null).startsWith("no mpicc on the path"));
        write("mpicc", "exit 0");
        assertTrue(MpiPingPong.absence(directory.toString()).startsWith("no mpirun on the path"));
        write("mpirun", "exit 0");
        assertNull(MpiPingPong.absence(directory.toString()));
    }

    @Test
    void shouldCompileAndRunTwoProcesses() throws IOException
    {
        final Path log = directory.resolve("log");
        write("mpicc", "echo \"mpicc $*\" >> " + log);
        write("mpirun", "echo \"mpirun $*\" >> " + log, "printf '" + OUTPUT.replace("\n", "\\n") + "'");
        final Path files = Files.createDirectory(directory.resolve("files"));

        final MpiFigures figures =
            MpiPingPong.compile(directory.toString(), files, 3, 4).measure(20, List.of(32, 2048));

        assertEquals(MpiFigures.parse(OUTPUT), figures);
        final String program = files.resolve("mpi-pingpong").toString();
        assertEquals(List.of("mpicc -O2 -o " + program + " " + files.resolve("pingpong.c"),
            "mpirun --bind-to none -n 1 taskset -c 3 " + program + " 20 32 2048 : -n 1 taskset -c 4 " + program +
                " 20 32 2048"), Files.readAllLines(log));
        assertTrue(Files.readString(files.resolve("pingpong.c")).contains("MPI_Init"));
    }

    @Test
    void shouldSayWhyAToolFailed() throws IOException
    {
        write("mpicc", "echo no such header; exit 1");
        write("mpirun", "exit 0");

        final GrimException error = assertThrows(GrimException.class, () -> MpiPingPong.compile(directory.toString(),
            directory, Pinning.NO_CPU, Pinning.NO_CPU));

        assertEquals("mpicc ended with code 1: no such header", error.getMessage());
    }

    @Test
    void shouldMeasureWhereItIsInstalled()
    {
        final String absence = MpiPingPong.absence(System.getenv("PATH"));
        Assumptions.assumeTrue(absence == null, absence);

        final MpiFigures figures = MpiPingPong.compile(System.getenv("PATH"), directory, Pinning.NO_CPU,
            Pinning.NO_CPU).measure(5, List.of(0, 8, 65504));

        assertEquals(Set.of(0, 8, 65504), figures.latencyNs().keySet());
        figures.latencyNs().forEach((size, ns) -> assertTrue(ns > 0, () -> "size=" + size + " ns=" + ns));
        figures.messagesPerSecond().forEach((size, rate) -> assertTrue(rate > 0, () -> "size=" + size));
    }

    private void write(final String tool, final String... lines) throws IOException
    {
        final Path program = Files.writeString(directory.resolve(tool),
            "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(program, Set.of(OWNER_READ, OWNER_EXECUTE));
    }
}
