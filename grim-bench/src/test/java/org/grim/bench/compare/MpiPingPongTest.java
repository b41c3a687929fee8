// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.grim.GrimException;
import org.grim.tools.process.Pinning;
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

@Timeout(180)
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
    void shouldReadBothFiguresOfASize()
    {
        assertEquals(new MpiPingPong.Figures(531, 118862.2), MpiPingPong.parse(OUTPUT, 32));
        assertEquals(new MpiPingPong.Figures(1638.25, 1334), MpiPingPong.parse(OUTPUT, 2048));
    }

    @Test
    void shouldSayWhatCannotBeRead()
    {
        assertRefused("no slots\nleft", "no slots | left");
        assertRefused("latency 32 531.00", "no stream 32: latency 32 531.00");
        assertRefused("latency 32 quick", "latency 32 quick");
        assertRefused("latency 32 nan\nstream 32 1", "latency 32 nan");
    }

    @Test
    void shouldSayWhichToolIsMissing() throws IOException
    {
        assertTrue(OpenMpi.absence(null).startsWith("no mpicc on the path"));
        write("mpicc", "exit 0");
        assertTrue(OpenMpi.absence(directory.toString()).startsWith("no mpirun on the path"));
        write("mpirun", "exit 0");
        assertNull(OpenMpi.absence(directory.toString()));
        write("mpicc", "echo no such header; exit 1");
        assertEquals("mpicc cannot use mpi.h (Debian has it in libopenmpi-dev): " +
            "mpicc ended with code 1: no such header", OpenMpi.absence(directory.toString()));
    }

    @Test
    void shouldCompileAndRunTwoProcesses() throws IOException
    {
        final Path log = directory.resolve("log");
        write("mpicc", "echo \"mpicc $*\" >> " + log);
        write("mpirun", "echo \"mpirun $*\" >> " + log, "printf '" + OUTPUT.replace("\n", "\\n") + "'");
        final Path files = Files.createDirectory(directory.resolve("files"));

        final MpiPingPong.Figures figures =
            MpiPingPong.compile(directory.toString(), files, false, 3, 4).measure(20, 32);

        assertEquals(MpiPingPong.parse(OUTPUT, 32), figures);
        final String program = files.resolve("mpi-pingpong").toString();
        assertEquals(List.of("mpicc -O2 -o " + program + " " + files.resolve("pingpong.c"),
            "mpirun --bind-to none -n 1 taskset -c 3 " + program + " 20 32 : -n 1 taskset -c 4 " + program +
                " 20 32"), Files.readAllLines(log));
        assertTrue(Files.readString(files.resolve("pingpong.c")).contains("MPI_Init"));
    }

    @Test
    void shouldSayWhyAToolFailed() throws IOException
    {
        write("mpicc", "echo no such header; exit 1");
        write("mpirun", "exit 0");

        final GrimException error = assertThrows(GrimException.class, () -> MpiPingPong.compile(directory.toString(),
            directory, false, Pinning.NO_CPU, Pinning.NO_CPU));

        assertEquals("mpicc ended with code 1: no such header", error.getMessage());
    }

    @Test
    void shouldMeasureWhereItIsInstalled()
    {
        final String absence = OpenMpi.absence(System.getenv("PATH"));
        Assumptions.assumeTrue(absence == null, absence);

        final MpiPingPong program =
            MpiPingPong.compile(System.getenv("PATH"), directory, false, Pinning.NO_CPU, Pinning.NO_CPU);
        for (final int size : new int[] {0, 8, 65504})
        {
            final MpiPingPong.Figures figures = program.measure(5, size);
            assertTrue(figures.latencyNs() > 0 && figures.messagesPerSecond() > 0, () -> size + ": " + figures);
        }
    }

    private static void assertRefused(final String output, final String end)
    {
        final GrimException error = assertThrows(GrimException.class, () -> MpiPingPong.parse(output, 32));
        assertTrue(error.getMessage().endsWith(end), error::getMessage);
    }

    private void write(final String tool, final String... lines) throws IOException
    {
        final Path program = Files.writeString(directory.resolve(tool),
            "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(program, Set.of(OWNER_READ, OWNER_EXECUTE));
    }
}
