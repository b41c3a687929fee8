// SPDX-License-Identifier: Apache-2.0
package programs;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs of both dialects with a process for each rank. */
@Tag("process")
@Timeout(300)
final class MpiProgramsIT
{
    private static final long TIMEOUT_S = 120;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"1, MpiJavaMessages", "2, MpiJavaMessages", "3, MpiJavaMessages", "1, MpiJavaCollectives",
        "2, MpiJavaCollectives", "4, MpiJavaCollectives", "1, OpenMpiMessages", "3, OpenMpiMessages",
        "1, OpenMpiCollectives", "2, OpenMpiCollectives", "4, OpenMpiCollectives",
        "1, OpenMpiWindows", "3, OpenMpiWindows", "1, OpenMpiFiles", "3, OpenMpiFiles", "2, WarmCalls",
        "1, OpenMpiErrors", "2, OpenMpiErrors", "3, OpenMpiErrors"})
    void shouldRunAProgramThatChecksItself(final int size, final String name) throws Exception
    {
        final List<Rank> ranks = run(size, Class.forName("programs." + name));

        assertEquals(Collections.nCopies(size, new Rank(0, "")), ranks);
    }

    @Test
    void shouldRefuseNullArguments() throws Exception
    {
        final Rank rank = run(1, NullArguments.class).get(0);

        assertEquals(0, rank.exitCode, rank.error);         // Calls that do not wait are in progress at the end.
    }

    @Test
    void shouldEndAProcessWithOneLineAfterAFatalError() throws Exception
    {
        final List<Rank> ranks = run(1, Failing.class, "fatal");

        assertEquals(List.of(new Rank(1, "grim-mpi: rank 0: send: rank=1 is outside 0 to 0\n")), ranks);
    }

    @Test
    void shouldRefuseCallsBeforeTheStart() throws Exception
    {
        final List<Rank> ranks = run(1, Failing.class, "early");

        assertEquals(List.of(new Rank(1, "grim-mpi: rank ?: getRank: MPI is not initialized\n")), ranks);
    }

    @Test
    void shouldAbortWithTheCodeOfTheProgram() throws Exception
    {
        final List<Rank> ranks = run(2, Failing.class, "abort");

        assertEquals(new Rank(7, "grim-mpi: rank 0: Abort: errorcode=7\n"), ranks.get(0));
        assertEquals(new Rank(0, ""), ranks.get(1));
    }

    @Test
    void shouldSayThatOperationsAreInProgressAtTheEnd() throws Exception
    {
        final List<Rank> ranks = run(2, Failing.class, "open");

        ranks.forEach(rank -> assertEquals(0, rank.exitCode, rank.error));
        assertTrue(ranks.get(1).error.startsWith("grim-mpi: rank 1: Finalize: operations=1 in progress"),
            ranks.get(1).error);
    }

    @Test
    void shouldPassTheLockOfADeadProcessOn() throws Exception
    {
        final List<Rank> ranks = run(3, Failing.class, "window");

        assertEquals(7, ranks.get(1).exitCode);
        assertEquals(new Rank(0, ""), ranks.get(0));
        assertEquals(new Rank(0, ""), ranks.get(2));
    }

    @Test
    void shouldNameTheFlagThatTheJvmLacks() throws Exception
    {
        final List<String> command = PeerJvm.command(Failing.class, false);
        command.add("early");
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertTrue(
            output.contains("that GRIM needs: --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"), output);
    }

    @Test
    void shouldRefuseTwoLibraries() throws Exception
    {
        Files.createFile(Files.createDirectories(directory.resolve("other/mpi")).resolve("MPI.class"));
        final List<Rank> ranks = run(1, Failing.class, "other");

        assertEquals(1, ranks.get(0).exitCode);
        assertTrue(ranks.get(0).error.contains("Init: two MPI libraries are on the class path: GRIM at ") &&
            ranks.get(0).error.contains("and another one at file:" + directory.resolve("other") + "/; take one"),
            ranks.get(0).error);
    }

    @Test
    void shouldEndCallsThatNeedADeadProcess() throws Exception
    {
        final List<Rank> ranks = run(3, Failing.class, "death");

        assertEquals(7, ranks.get(0).exitCode);
        assertEquals(new Rank(0, ""), ranks.get(1));
        assertEquals(new Rank(0, ""), ranks.get(2));
    }

    /** Starts the ranks and waits for their ends. */
    private List<Rank> run(final int size, final Class<?> program, final String... arguments) throws Exception
    {
        final List<Process> processes = new ArrayList<>();
        try
        {
            for (int rank = 0; rank < size; rank++)
            {
                processes.add(start(rank, size, program, arguments));
            }
            final List<Rank> ranks = new ArrayList<>();
            for (int rank = 0; rank < size; rank++)
            {
                final String where = program.getSimpleName() + ": of " + size + " rank " + rank + " does not end\n";
                assertTrue(processes.get(rank).waitFor(TIMEOUT_S, TimeUnit.SECONDS),
                    () -> where + processes.stream().map(MpiProgramsIT::callsOf).collect(Collectors.joining("\n")));
                ranks.add(new Rank(processes.get(rank).exitValue(), Files.readString(log(rank))));
            }
            return ranks;
        }
        finally
        {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** The innermost calls of the thread that runs the program. */
    private static String callsOf(final Process process)
    {
        return PeerJvm.stacks(process).lines().dropWhile(line -> !line.startsWith("\"main\"")).limit(25)
            .collect(Collectors.joining("\n"));
    }

    private Process start(final int rank, final int size, final Class<?> program, final String... arguments)
        throws IOException
    {
        final List<String> command = PeerJvm.command(program, true);
        command.replaceAll(word -> word.equals(System.getProperty("java.class.path")) ?
            word + File.pathSeparator + directory.resolve("other") : word);     // Only one test makes it.
        command.addAll(1, List.of("-Dgrim.cluster.directory=" + directory, "-Dgrim.transports.0=shmem"));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(log(rank).toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("GRIM_RUN_RANK", Integer.toString(rank));
        builder.environment().put("GRIM_RUN_SIZE", Integer.toString(size));
        return builder.start();
    }

    private Path log(final int rank)
    {
        return directory.resolve("rank-" + rank + ".log");
    }

    private record Rank(int exitCode, String error)
    {
    }
}
