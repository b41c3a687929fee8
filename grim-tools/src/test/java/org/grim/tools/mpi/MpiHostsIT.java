// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.network.namespaces.NetworkNamespaces;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import programs.OracleCases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The programs of grim-mpi, which check themselves, on two hosts that are network namespaces, and over boards. */
@Tag("process")
@Tag("long")
@Timeout(600)
final class MpiHostsIT
{
    private static final String RANK_COUNT = "4";
    private static final String MANY_RANKS = "64";
    private static final int ORACLE_RANK_COUNT = 5;
    private static final int CASE_COUNT = 600;
    private static final long ORACLE_SEED = 37;
    private static final long MANY_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int DELAYS = 8;
    /** Ssh from outside of the namespaces. */
    private static final String SSH = """
        #!/bin/sh
        while [ "$1" = -o ]; do shift 2; done
        case $1 in
            ADDRESS-0) host=NAME-0 ;;
            ADDRESS-1) host=NAME-1 ;;
            *) exit 255 ;;
        esac
        shift
        exec ip netns exec $host sh -c "$*"
        """;

    @TempDir
    private Path directory;
    private Path files;

    @BeforeEach
    void makeDirectory() throws IOException
    {
        files = Files.createDirectory(directory.resolve("f"));
    }

    @AfterEach
    void assertNothingLeft() throws Exception
    {
        GrimProcess.assertNothingLeft(files);
        GrimProcess.assertNoRankLeft(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MpiJavaMessages", "MpiJavaCollectives", "OpenMpiMessages", "OpenMpiCollectives",
        "OpenMpiWindows", "OpenMpiFiles", "OpenMpiErrors"})
    void shouldRunOnTwoHosts(final String program) throws Exception
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        try (NetworkNamespaces hosts = new NetworkNamespaces(2))
        {
            run(RANK_COUNT, program, on(hosts));
        }
    }

    /** Calls made by chance, whose results on one host are those of Open MPI in C: see the tests of grim-mpi. */
    @Test
    void shouldHaveTheSameResultsOnTwoHostsAndOverBoards() throws Exception
    {
        final Path cases = Files.write(directory.resolve("cases"), new OracleCases(ORACLE_SEED).make(CASE_COUNT));
        final List<String> expected = results(cases, "shared");

        assertTrue(expected.size() >= CASE_COUNT, () -> "results=" + expected.size());
        assertEquals(expected, results(cases, "boards", "-Dgrim.transports.0=myrinet"));
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        try (NetworkNamespaces hosts = new NetworkNamespaces(2))
        {
            assertEquals(expected, results(cases, "hosts", on(hosts)));
        }
    }

    private List<String> results(final Path cases, final String name, final String... options) throws Exception
    {
        final List<String> words = words(Integer.toString(ORACLE_RANK_COUNT), "OracleProgram", options);
        words.addAll(List.of(cases.toString(), directory.resolve(name).toString()));
        run(words);
        final List<String> results = new ArrayList<>();
        for (int rank = 0; rank < ORACLE_RANK_COUNT; rank++)
        {
            for (final String line : Files.readAllLines(directory.resolve(name + "." + rank)))
            {
                results.add("rank " + rank + " case " + line);
            }
        }
        return results;
    }

    /** Three of four ranks die one after the other, also the first ones of a host: the others stay together. */
    @Test
    void shouldStayTogetherWhenRanksDieOnTwoHosts() throws Exception
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        try (NetworkNamespaces hosts = new NetworkNamespaces(2))
        {
            final List<String> words = words(RANK_COUNT, "Deaths", on(hosts));
            words.add(1, "--keep-going");
            words.addAll(List.of("2", "barrier", "recv-any", "allReduce"));
            try (GrimProcess grim = GrimProcess.run(directory, words.toArray(new String[0])))
            {
                final String all = grim.exitCode() + "\n" + grim.output() + grim.error();
                assertEquals(3 + 2 + 1, grim.output().lines().filter(line -> line.contains("SHRUNK")).count(), all);
                assertFalse(all.contains("WRONG") || all.contains("HUNG") || all.contains("Exception") ||
                    all.contains("is renewed"), all);
            }
        }
    }

    /** {@return options of a run on two hosts} */
    private String[] on(final NetworkNamespaces hosts) throws IOException
    {
        String ssh = SSH;
        for (int host = 0; host < 2; host++)
        {
            ssh = ssh.replace("ADDRESS-" + host, hosts.address(host))
                .replace("NAME-" + host, hosts.on(host, List.of()).get(3));
        }
        final Path script = Files.setPosixFilePermissions(
            Files.writeString(directory.resolve("ssh"), ssh), PosixFilePermissions.fromString("rwxr-xr-x"));
        return new String[] {"--hosts", hosts.address(0) + "," + hosts.address(1), "--ssh", script.toString()};
    }

    @ParameterizedTest
    @ValueSource(strings = {"MpiJavaMessages", "MpiJavaCollectives", "OpenMpiMessages", "OpenMpiCollectives",
        "OpenMpiWindows", "OpenMpiFiles", "OpenMpiErrors"})
    void shouldRunOverBoards(final String program) throws Exception
    {
        run(RANK_COUNT, program, "-Dgrim.transports.0=myrinet");
    }

    /** On two idle cores it takes less than the limit; elsewhere what a sleeping thread is late is added. */
    @Test
    void shouldStartAndEndManyRanksSoon() throws Exception
    {
        try (Yardstick yardstick = new Yardstick())
        {
            final long beginNs = System.nanoTime();
            run(MANY_RANKS, "Hello");
            final long endNs = System.nanoTime();

            final long delayNs = yardstick.delayNs(beginNs, endNs);
            LoggerFactory.getLogger(getClass()).warn("mpi: ranks={} started and ended after {} ms; a sleeping thread " +
                "was late by {} ms", MANY_RANKS, (endNs - beginNs) / 1_000_000, delayNs / 1_000_000);
            assertTrue(endNs - beginNs < MANY_LIMIT_NS + DELAYS * delayNs, () -> "ns=" + (endNs - beginNs));
        }
    }

    private List<String> words(final String count, final String program, final String... options)
    {
        final List<String> words =
            new ArrayList<>(List.of("run", "--directory", files.toString(), "-n", count, "--tag-output"));
        words.addAll(List.of(options));
        words.addAll(List.of("-cp", GrimProcess.classPath(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-Dfiles.directory=" + directory, "programs." + program));
        return words;
    }

    private void run(final String count, final String program, final String... options) throws Exception
    {
        run(words(count, program, options));
    }

    private void run(final List<String> words) throws Exception
    {
        try (GrimProcess grim = GrimProcess.run(directory, words.toArray(new String[0])))
        {
            assertEquals(0, grim.exitCode(), () -> grim.output() + grim.error());
            assertFalse(grim.error().contains("Exception") || grim.error().contains("INFO"), grim.error());
        }
    }
}
