// SPDX-License-Identifier: Apache-2.0
package programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Calls made by chance have the same results in C under Open MPI and here, byte for byte. */
@Tag("process")
@Timeout(900)
final class OracleIT
{
    private static final int PROCESS_COUNT = 5;
    private static final long TIMEOUT_S = 400;
    private static final int SHOWN_MAX = 10;
    private static final int CASE_COUNT = Integer.getInteger("oracle.cases", 600);
    private static final long SEED = Long.getLong("campaign.seed", 37);

    @TempDir
    private Path directory;

    @Test
    void shouldDoWhatOpenMpiDoes() throws Exception
    {
        assumeTrue(isInstalled("mpicc") && isInstalled("mpirun"), "Open MPI (mpicc, mpirun) is not installed");
        final List<String> cases = new OracleCases(SEED).make(CASE_COUNT);
        final Path file = Files.write(directory.resolve("cases"), cases, UTF_8);

        runC(file);
        runJava(file);

        final Map<String, String> expected = results("c");
        final Map<String, String> found = results("java");
        final List<String> differences = new ArrayList<>();
        for (final String line : cases)
        {
            for (int rank = 0; rank < PROCESS_COUNT; rank++)
            {
                final String key = line.substring(0, line.indexOf(' ')) + " rank " + rank;
                if (!Objects.equals(expected.get(key), found.get(key)))
                {
                    differences.add("\n" + line + "\n rank " + rank + " in C: " + expected.get(key) + "\n rank " +
                        rank + " here: " + found.get(key));
                }
            }
        }
        assertTrue(expected.size() >= cases.size(), "results in C: " + expected.size());
        assertEquals(List.of(), differences.stream().limit(SHOWN_MAX).toList(), "seed=" + SEED + " differences=" +
            differences.size());
    }

    private static boolean isInstalled(final String command)
    {
        return Stream.of(System.getenv("PATH").split(":", -1)).anyMatch(
            place -> Files.isExecutable(Path.of(place, command)));
    }

    private void runC(final Path cases) throws Exception
    {
        final Path program = directory.resolve("oracle");
        run(List.of("mpicc", "-O1", "-o", program.toString(), "src/test/resources/oracle.c"));
        run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca",
            "btl", "self,vader", "--mca", "btl_vader_single_copy_mechanism", "none", "-n",
            Integer.toString(PROCESS_COUNT), program.toString(), cases.toString(), directory.resolve("c").toString()));
    }

    private void runJava(final Path cases) throws Exception
    {
        final List<Process> processes = new ArrayList<>();
        try
        {
            for (int rank = 0; rank < PROCESS_COUNT; rank++)
            {
                final List<String> command = PeerJvm.command(OracleProgram.class, true);
                command.addAll(1, List.of("-Dgrim.cluster.directory=" + directory, "-Dgrim.transports.0=shmem"));
                command.addAll(List.of(cases.toString(), directory.resolve("java").toString()));
                final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log" + rank).toFile());
                builder.environment().put("GRIM_RUN_RANK", Integer.toString(rank));
                builder.environment().put("GRIM_RUN_SIZE", Integer.toString(PROCESS_COUNT));
                processes.add(builder.start());
            }
            for (int rank = 0; rank < PROCESS_COUNT; rank++)
            {
                final boolean hasEnded = processes.get(rank).waitFor(TIMEOUT_S, TimeUnit.SECONDS);
                assertTrue(hasEnded && processes.get(rank).exitValue() == 0, () -> "a rank here has failed" + logs());
            }
        }
        finally
        {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private void run(final List<String> command) throws Exception
    {
        final Path log = directory.resolve("log");
        final Process process =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try
        {
            final boolean hasEnded = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
            assertTrue(hasEnded && process.exitValue() == 0, () -> command + " has failed: " + text(log));
        }
        finally
        {
            process.destroy();
        }
    }

    private String logs()
    {
        final StringBuilder all = new StringBuilder();
        for (int rank = 0; rank < PROCESS_COUNT; rank++)
        {
            all.append("\nrank ").append(rank).append(": ").append(text(directory.resolve("log" + rank)));
        }
        return all.toString();
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file, UTF_8);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    /** Results by case and rank. */
    private Map<String, String> results(final String name) throws IOException
    {
        final Map<String, String> results = new HashMap<>();
        for (int rank = 0; rank < PROCESS_COUNT; rank++)
        {
            for (final String line : Files.readAllLines(directory.resolve(name + "." + rank), UTF_8))
            {
                final int space = line.indexOf(' ');
                results.put(line.substring(0, space) + " rank " + rank, line.substring(space + 1));
            }
        }
        return results;
    }
}
