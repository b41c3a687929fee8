// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The command {@code run} with real processes; other hosts are loopback addresses behind a script in place of ssh. */
@Tag("process")
@Timeout(240)
final class RunProcessIT
{
    private static final String CLASS_PATH = GrimProcess.classPath();
    private static final String JVM_FLAGS = "-XX:TieredStopAtLevel=1";
    /** Ssh without a network: host "127.0.0.9" is off, and all others are this machine. */
    private static final String SSH = """
        #!/bin/sh
        while [ "$1" = -o ]; do shift 2; done
        if [ "$1" = 127.0.0.9 ]
        then
            echo "ssh: connect to host $1 port 22: No route to host" >&2
            exit 255
        fi
        shift
        exec sh -c "$*"
        """;
    /** Srun of one host: labels, input for one task, and a sentence about each that fails. */
    private static final String SRUN = """
        #!/bin/sh
        tasks=1
        while :
        do
            case $1 in
                -n) tasks=$2; shift 2 ;;
                -N) shift 2 ;;
                -*) shift ;;
                *) break ;;
            esac
        done
        work=$(mktemp -d) || exit 1
        exec 4<&0
        export SLURM_NTASKS=$tasks SLURM_STEP_NODELIST=one SLURMD_NODENAME=one SLURM_PROCID=0
        run()
        {
            { { "$@"; echo $? >"$work/$SLURM_PROCID"; } 2>&1 >&3 | sed "s/^/$SLURM_PROCID: /" >&2; } 3>&1 |
                sed "s/^/$SLURM_PROCID: /"
        }
        while [ $SLURM_PROCID -lt $tasks ]
        do
            if [ $SLURM_PROCID = 0 ]; then run "$@" <&4 & else run "$@" & fi
            SLURM_PROCID=$((SLURM_PROCID + 1))
        done
        wait
        highest=0
        for file in "$work"/*
        do
            code=$(cat "$file")
            [ "$code" = 0 ] || echo "srun: error: one: task ${file##*/}: Exited with exit code $code" >&2
            [ "$code" -le $highest ] || highest=$code
        done
        rm -rf "$work"
        exit $highest
        """;

    @TempDir
    private Path directory;
    private Path files;

    @BeforeEach
    void makeDirectory() throws IOException
    {
        files = Files.createDirectory(directory.resolve("f"));
        script("ssh", SSH);
        script("srun", SRUN);
    }

    @AfterEach
    void assertNothingLeft() throws Exception
    {
        GrimProcess.assertNothingLeft(files);
        GrimProcess.assertNoRankLeft(directory);
    }

    @Test
    void shouldRunUnmodifiedProgramAsOneCluster() throws Exception
    {
        try (GrimProcess grim = run("-n", "4", "--tag-output", "-cp", CLASS_PATH, JVM_FLAGS, "-Da=b",
            RankedNode.class.getName(), "-x", "--", "@y"))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(IntStream.range(0, 4).mapToObj(rank -> "[" + rank + "] node-" + rank +
                " of 4: greeted by 3 -x,--,@y").toList(), sorted(grim));
        }
    }

    @Test
    void shouldRunAnyCommandWithoutTheNoteOfItsJvm() throws Exception
    {
        try (GrimProcess grim = run("-n", "2", "--", "java", JVM_FLAGS, "-cp", CLASS_PATH,
            RankedNode.class.getName(), "--", "z"))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(List.of("node-0 of 2: greeted by 1 --,z", "node-1 of 2: greeted by 1 --,z"), sorted(grim));
            assertTrue(!grim.error().contains("JDK_JAVA_OPTIONS"), grim.error());
        }
    }

    @Test
    void shouldConnectTwoHosts() throws Exception
    {
        final Path hostfile = Files.writeString(directory.resolve("hosts"), "127.0.0.2 slots=1 # one\n127.0.0.3:3\n");
        try (GrimProcess grim = run("-n", "4", "--hostfile", hostfile.toString(), "--ssh", tool("ssh"), "-cp",
            CLASS_PATH, JVM_FLAGS, RankedNode.class.getName()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(
                IntStream.range(0, 4).mapToObj(rank -> "node-" + rank + " of 4: greeted by 3").toList(), sorted(grim));
        }
    }

    @Test
    void shouldRunBySrunInAnAllocation() throws Exception
    {
        try (GrimProcess grim = runInAllocation("-n", "2", "--tag-output", "-cp", CLASS_PATH, JVM_FLAGS,
            RankedNode.class.getName()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(List.of("[0] node-0 of 2: greeted by 1", "[1] node-1 of 2: greeted by 1"), sorted(grim));
        }
    }

    @Test
    void shouldNameTheRankThatFailsUnderSrun() throws Exception
    {
        try (GrimProcess grim = runInAllocation("-n", "3", "--", "sh", "-c",
            "[ $GRIM_RUN_RANK != 1 ] || { echo bad >&2; exit 5; }"))
        {
            assertEquals(5, grim.exitCode(), grim.error());
            assertReport(grim, "rank 1 on host one ended, as srun says: Exited with exit code 5; its last lines:",
                "  [1] bad");
        }
    }

    /** With ssh as a script, too: it says exit codes as ssh does. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.2"})
    void shouldEndAllWhenOneFails(final String host) throws Exception
    {
        try (GrimProcess grim = run("-n", "3", "--hosts", host, "--ssh", tool("ssh"), "--", "sh", "-c",
            "[ $GRIM_RUN_RANK != 2 ] || { echo one >&2; echo two >&2; exit 3; }; sleep 200 & exec sleep 100"))
        {
            assertEquals(3, grim.exitCode(), grim.error());
            assertReport(grim, "rank 2 on host " + host +
                " ended with exit code=3; all others were ended; its last lines:", "  [2] one", "  [2] two");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.2"})
    void shouldNameTheSignalThatEndedARank(final String host) throws Exception
    {
        try (GrimProcess grim = run("-n", "2", "--hosts", host, "--ssh", tool("ssh"), "--", "sh", "-c",
            "[ $GRIM_RUN_RANK = 0 ] || kill -9 $$; sleep 100"))
        {
            assertEquals(137, grim.exitCode(), grim.error());
            assertReport(grim,
                "rank 1 on host " + host + " was ended by signal 9 (KILL): exit code=137; all others were ended");
        }
    }

    /** The one that ignores signals has a child that does, too, and one in a session of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.2"})
    void shouldKillWhatDoesNotEndAfterASignal(final String host) throws Exception
    {
        final String ready = directory.resolve("ready").toString();
        try (GrimProcess grim = run("-n", "2", "--hosts", host, "--ssh", tool("ssh"), "--", "sh", "-c",
            "[ $GRIM_RUN_RANK = 0 ] && exec sleep 100; trap '' INT TERM; setsid sleep 300 & sleep 200 & : >" + ready +
            "; wait; sleep 100"))
        {
            grim.await("the second rank", () -> Files.exists(Path.of(ready)));
            grim.process().destroy();

            assertEquals(143, grim.exitCode(), grim.error());
            assertReport(grim, "interrupted; all ranks were ended; not ended within 5 s, and killed: ranks=1");
        }
    }

    /** A shell that starts a command in the background has it ignore Ctrl-C; this one does not. */
    @ParameterizedTest
    @CsvSource({"HUP, 129", "INT, 130", "TERM, 143"})
    void shouldEndAllAfterASignal(final String signal, final int exitCode) throws Exception
    {
        final String ready = directory.resolve("ready").toString();
        final List<String> words = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        words.addAll(command("-n", "2", "--", "sh", "-c", ": >" + ready + "$GRIM_RUN_RANK; exec sleep 200"));
        try (GrimProcess grim = GrimProcess.start(directory, new ProcessBuilder(words)))
        {
            grim.await("all ranks", () -> Files.exists(Path.of(ready + 0)) && Files.exists(Path.of(ready + 1)));
            GrimProcess.signal(signal, grim.process().toHandle());

            assertEquals(exitCode, grim.exitCode(), grim.error());
            assertReport(grim, "interrupted; all ranks were ended");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.2"})
    void shouldEndAllWhenTheLauncherIsKilled(final String host) throws Exception
    {
        final String ready = directory.resolve("ready").toString();
        try (GrimProcess grim = run("-n", "2", "--hosts", host, "--ssh", tool("ssh"), "--", "sh", "-c",
            "trap '' TERM; : >" + ready + "$GRIM_RUN_RANK; sleep 200"))
        {
            grim.await("all ranks", () -> Files.exists(Path.of(ready + 0)) && Files.exists(Path.of(ready + 1)));
            grim.process().destroyForcibly();
            assertEquals(137, grim.exitCode());
        }
        GrimProcess.awaitNothingLeft(files);
    }

    @Test
    void shouldEndAllWhenTheGuardIsKilled() throws Exception
    {
        final String ready = directory.resolve("ready").toString();
        try (GrimProcess grim = run("-n", "2", "--", "sh", "-c",
            "sleep 200 & : >" + ready + "$GRIM_RUN_RANK; wait"))
        {
            grim.await("all ranks", () -> Files.exists(Path.of(ready + 0)) && Files.exists(Path.of(ready + 1)));
            grim.process().children().filter(child -> Stream.of(child.info().arguments().orElse(new String[0]))
                .anyMatch(argument -> argument.contains("grim-run ready"))).forEach(ProcessHandle::destroyForcibly);

            assertEquals(1, grim.exitCode(), grim.error());
            assertReport(grim, "host=localhost is lost: exit code=137; all ranks were ended");
        }
    }

    /** Each rank does its part when the launcher has said how the one before ended: the first decides on the code. */
    @Test
    void shouldKeepGoingWhenARankFails() throws Exception
    {
        final String go = directory.resolve("go").toString();
        try (GrimProcess grim = run("-n", "3", "--keep-going", "--", "sh", "-c", "until [ -e " + go +
            "$GRIM_RUN_RANK ]; do sleep 0.1; done; " +
            "case $GRIM_RUN_RANK in 1) echo bad >&2; exit 3;; 2) kill -9 $$;; esac; echo done"))
        {
            Files.createFile(Path.of(go + 1));
            grim.await("the end of rank 1", () -> grim.error().contains("grim: rank 1 on host localhost ended"));
            Files.createFile(Path.of(go + 2));
            grim.await("the end of rank 2", () -> grim.error().contains("grim: rank 2 on host localhost was ended"));
            Files.createFile(Path.of(go + 0));
            assertEquals(3, grim.exitCode(), grim.error());
            assertEquals("done\n", grim.output());
            assertTrue(grim.error().contains("grim: rank 1 on host localhost ended with exit code=3; the others go " +
                "on; its last lines:\n  [1] bad\n"), grim.error());
            assertTrue(grim.error().contains("grim: rank 2 on host localhost was ended by signal 9 (KILL): exit " +
                "code=137; the others go on\n"), grim.error());
        }
    }

    @Test
    void shouldTakeTheLoggerOfTheApplication() throws Exception
    {
        final Path services = Files.createDirectories(directory.resolve("app/META-INF/services"));
        Files.writeString(services.resolve("org.slf4j.spi.SLF4JServiceProvider"), "# one\norg.example.None\n");
        try (GrimProcess grim = run("-n", "1", "-cp", directory.resolve("app") + File.pathSeparator + CLASS_PATH,
            JVM_FLAGS, RankedNode.class.getName()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.error().contains("org.example.None") && !grim.error().contains("multiple"), grim.error());
        }
    }

    @Test
    void shouldRefuseTheClassesOfAnotherMpi() throws Exception
    {
        Files.createFile(Files.createDirectories(directory.resolve("other/mpi")).resolve("MPI.class"));
        try (GrimProcess grim = run("-n", "1", "-cp", directory.resolve("other").toString(), "Main"))
        {
            assertEquals(2, grim.exitCode(), grim.error());
            assertTrue(grim.error().contains("class path entry=" + directory.resolve("other") + " has an MPI library"),
                grim.error());
        }
    }

    @Test
    void shouldSayThatAClassDoesNotExist() throws Exception
    {
        try (GrimProcess grim = run("-n", "2", "org.example.None"))
        {
            assertEquals(1, grim.exitCode(), grim.error());
            assertTrue(grim.error().matches("(?s).*grim: rank ([01]) on host localhost ended with exit code=1; all " +
                "others were ended; its last lines:\n.*  \\[\\1] Error: Could not find or load main class " +
                "org.example.None\n.*"), grim.error());
        }
    }

    @Test
    void shouldSayThatAHostIsUnreachableAndStartNothing() throws Exception
    {
        try (GrimProcess grim = run("-n", "2", "--hosts", "127.0.0.2,127.0.0.9", "--ssh", tool("ssh"), "--", "touch",
            directory.resolve("started").toString()))
        {
            assertEquals(1, grim.exitCode(), grim.error());
            assertEquals("grim: host=127.0.0.9 cannot be reached: exit code=255 of " + tool("ssh") +
                "; ssh: connect to host 127.0.0.9 port 22: No route to host\n", grim.error());
        }
        assertTrue(Files.notExists(directory.resolve("started")), "a rank was started");
    }

    @Test
    void shouldSayThatACommandIsMissingOnAnotherHost() throws Exception
    {
        try (GrimProcess grim = run("-n", "1", "--hosts", "127.0.0.2", "--ssh", tool("ssh"), "--", "no-such-command"))
        {
            assertEquals(127, grim.exitCode(), grim.error());
            assertTrue(grim.error().contains("grim: rank 0 on host 127.0.0.2 ended with exit code=127 (command not " +
                "found)"), grim.error());
        }
    }

    @Test
    void shouldPassStandardInputToTheFirstRankAlone() throws Exception
    {
        final Path input = directory.resolve("input");
        final byte[] bytes = new byte[300_000];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte)(i * i / 7));
        Files.write(input, bytes);
        final Path copy = directory.resolve("copy");
        final ProcessBuilder builder = new ProcessBuilder(command("-n", "2", "--hosts", "127.0.0.2", "--ssh",
            tool("ssh"), "--", "sh", "-c", "cat >" + copy + "$GRIM_RUN_RANK")).redirectInput(input.toFile());
        try (GrimProcess grim = GrimProcess.start(directory, builder))
        {
            assertEquals(0, grim.exitCode(), grim.error());
        }
        assertEquals(-1, Files.mismatch(input, Path.of(copy + "0")));
        assertEquals(0, Files.size(Path.of(copy + "1")));
    }

    @Test
    void shouldGiveTheFirstRankNothingToReadWhenStandardInputIsClosed() throws Exception
    {
        final List<String> words = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" <&-", "sh"));
        words.addAll(command("-n", "1", "--", "cat"));
        try (GrimProcess grim = GrimProcess.start(directory, new ProcessBuilder(words)))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals("", grim.output());
        }
    }

    private static void assertReport(final GrimProcess grim, final String sentence, final String... lines)
    {
        final StringBuilder report = new StringBuilder("grim: ").append(sentence).append('\n');
        for (final String line : lines)
        {
            report.append(line).append('\n');
        }
        assertTrue(grim.error().endsWith(report.toString()), () -> report + "is not the end of\n" + grim.error());
    }

    private static List<String> sorted(final GrimProcess grim)
    {
        return grim.output().lines().sorted().toList();
    }

    private GrimProcess run(final String... arguments) throws IOException
    {
        return GrimProcess.start(directory, new ProcessBuilder(command(arguments)));
    }

    private GrimProcess runInAllocation(final String... arguments) throws IOException
    {
        final List<String> words = new ArrayList<>(List.of("--srun", tool("srun")));
        words.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command(words.toArray(new String[0])));
        builder.environment().put("SLURM_JOB_ID", "1");
        return GrimProcess.start(directory, builder);
    }

    private List<String> command(final String... arguments)
    {
        final List<String> words = new ArrayList<>(List.of("run", "--directory", files.toString()));
        words.addAll(List.of(arguments));
        return GrimProcess.command(words.toArray(new String[0]));
    }

    private String tool(final String name)
    {
        return directory.resolve(name).toString();
    }

    private void script(final String name, final String text) throws IOException
    {
        Files.setPosixFilePermissions(Files.writeString(directory.resolve(name), text),
            PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
