// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import org.grim.GrimException;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.process.Pinning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class UcxPerftestTest
{
    // As version 1.13.1 prints it.
    private static final String NAMES = "iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr," +
        "overall_mr";
    private static final String OUTPUT = NAMES + "\n100000,0.065,0.068,0.069,111.53,110.50,14618884,14618884\n";

    @TempDir
    private Path directory;

    @Test
    void shouldReadMedianAndBandwidth()
    {
        final UcxPerftest.Figures figures = UcxPerftest.parse("[1763] some warning, perhaps\n" + OUTPUT);

        assertEquals(100_000, figures.iterations());
        assertEquals(65, figures.latencyNs(), 1e-9);
        assertEquals(110.5 * (1 << 20), figures.bytesPerSecond());
    }

    @Test
    void shouldReadTheLastLineWhereItTookLong()
    {
        final String text = OUTPUT.replace(NAMES, NAMES + "\n[thread 0]1266,115.7,2041,2430,467.18,392.37,490,411");

        assertEquals(UcxPerftest.parse(OUTPUT), UcxPerftest.parse(text));
        assertThrows(GrimException.class, () -> UcxPerftest.parse(text.substring(0, text.indexOf("\n100000"))));
    }

    @Test
    void shouldSayWhatCannotBeRead()
    {
        assertTrue(assertThrows(GrimException.class, () -> UcxPerftest.parse("no device\nof this kind\n")).getMessage()
            .endsWith("no device | of this kind"));
        assertTrue(assertThrows(GrimException.class, () -> UcxPerftest.parse(NAMES)).getMessage().endsWith(NAMES));
        assertTrue(assertThrows(GrimException.class, () -> UcxPerftest.parse(NAMES + "\n12,")).getMessage()
            .contains("50.0_percentile_lat="));
        assertTrue(assertThrows(GrimException.class, () -> UcxPerftest.parse(NAMES + "\n12")).getMessage()
            .contains("no 50.0_percentile_lat"));
    }

    @Test
    void shouldFindTheProgramOnlyWhereItCanBeRun() throws IOException
    {
        final Path other = Files.createDirectory(directory.resolve("other"));
        final String path = other + File.pathSeparator + File.pathSeparator + directory;

        assertNull(ForeignProcess.find("ucx_perftest", null));
        assertNull(ForeignProcess.find("ucx_perftest", path));
        final Path program = write("exit 0");
        assertEquals(program, ForeignProcess.find("ucx_perftest", path));
        Files.setPosixFilePermissions(program, Set.of(OWNER_READ));
        assertNull(ForeignProcess.find("ucx_perftest", path));
    }

    @Test
    void shouldRunServerAndClientWithTheSameTest() throws IOException
    {
        final Path log = directory.resolve("log");
        write("echo \"$UCX_TLS $*\" >> " + log, "printf '" + OUTPUT.replace("\n", "\\n") + "'");

        final UcxPerftest.Figures figures =
            new UcxPerftest(directory.toString(), false, 3, Pinning.NO_CPU).run("ucp_put_lat", 64, 5_000);

        assertEquals(100_000, figures.iterations());
        final String text = Files.readString(log).replaceAll("-p \\d+", "-p PORT");
        assertTrue(text.contains("posix,self -t ucp_put_lat -s 64 -n 5000 -w 500 -v -f -p PORT\n"), text);
        assertTrue(text.contains("posix,self 127.0.0.1 -t ucp_put_lat -s 64 -n 5000 -w 500 -v -f -c 3 -p PORT\n"),
            text);
    }

    @Test
    void shouldSayWhyTheProgramFailed() throws IOException
    {
        write("echo first; echo no shared memory; exit 3");

        final GrimException error = assertThrows(GrimException.class,
            () -> new UcxPerftest(directory.toString(), false, Pinning.NO_CPU, Pinning.NO_CPU).run("ucp_get", 8, 10));

        assertEquals("-t ucp_get -s 8: ucx_perftest ended with code 3: no shared memory", error.getMessage());
    }

    private Path write(final String... lines) throws IOException
    {
        final Path program = directory.resolve("ucx_perftest");
        Files.writeString(program, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        return Files.setPosixFilePermissions(program, Set.of(OWNER_READ, OWNER_WRITE, OWNER_EXECUTE));
    }
}
