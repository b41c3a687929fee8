// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs every stress test in jcstress, which starts JVMs of its own, and believes nothing but a complete run: on too few
 * processors jcstress leaves tests out and calls that a success.
 * <p>The property {@code jcstress.timeBudget} says how many seconds all of it takes on processors that nobody else
 * uses; {@code jcstress.tests} is a regular expression that chooses tests. From {@value #ALL_MODES_SECONDS} seconds
 * on each test also runs interpreted, by each compiler, and with its actors compiled apart.
 */
@Tag("slow")
final class StressIT
{
    /** Classes marked as jcstress tests in this module. */
    private static final int TEST_COUNT = 30;
    private static final String ALL_TESTS = ".*";

    private static final long PROBE_MS = 6_000;
    private static final long FORK_MS = 500;
    private static final long ITERATION_MS_MIN = 50;
    /** JDK 17 still has biased locking: jcstress runs everything with and without. */
    private static final int MODE_COUNT = 2;
    private static final int ALL_MODES_SECONDS = 600;
    private static final int ALL_MODES_COUNT = 28;
    /** Far beyond the budget: an actor hangs. */
    private static final long PATIENCE_SECONDS = 300;

    private static final Pattern LAST_RESULTS =
        Pattern.compile("Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");

    private final Path directory = Path.of(System.getProperty("jcstress.directory"));
    private final long budgetSeconds = Long.parseLong(System.getProperty("jcstress.timeBudget"));
    private final String tests = System.getProperty("jcstress.tests");

    @Test
    void shouldKeepEveryPromiseOfMemoryOrder() throws Exception
    {
        Files.createDirectories(directory);
        final Path log = directory.resolve("jcstress.log");

        final Process process = new ProcessBuilder(command()).directory(directory.toFile()).redirectErrorStream(true)
            .redirectOutput(log.toFile()).start();
        final boolean hasEnded = end(process, budgetSeconds * 3 + PATIENCE_SECONDS);
        final String output = Files.readString(log);

        assertTrue(hasEnded, () -> "jcstress hangs; its output is " + log + ", the end of it:\n" + tail(output));
        assertFalse(output.contains("these tests would not run"), () -> "too few processors for a test: " + log);
        requireResults(output);
        assertEquals(0, process.exitValue(), () -> log + " ends so:\n" + tail(output));
    }

    private void requireResults(final String output)
    {
        final Matcher matcher = LAST_RESULTS.matcher(output);
        int planned = 0;
        int passed = 0;
        int bad = 0;
        while (matcher.find())
        {
            planned = Integer.parseInt(matcher.group(1));
            passed = Integer.parseInt(matcher.group(2));
            bad = Integer.parseInt(matcher.group(3)) + Integer.parseInt(matcher.group(4)) +
                Integer.parseInt(matcher.group(5));
        }
        final String what = planned + " planned, " + passed + " passed, " + bad + " failed; the end:\n" + tail(output);
        assertEquals(0, bad, what);
        assertEquals(planned, passed, what);
        assertTrue(planned > 0, what);

        final String summary = output.substring(Math.max(0, output.lastIndexOf("RUN RESULTS:")));
        final long testCount = Pattern.compile("^\\.* ?\\[OK\\] org\\.grim\\.", Pattern.MULTILINE).matcher(summary)
            .results().count();
        if (tests.equals(ALL_TESTS))
        {
            assertEquals(TEST_COUNT, testCount, what);
        }
        assertTrue(testCount > 0, what);
    }

    private List<String> command()
    {
        final boolean isLong = budgetSeconds >= ALL_MODES_SECONDS;
        final long forkCount = (long)TEST_COUNT * (isLong ? ALL_MODES_COUNT : MODE_COUNT);
        final long iterationMs =
            Math.max(ITERATION_MS_MIN, (budgetSeconds * 1_000 - PROBE_MS) / forkCount - FORK_MS);
        // Without -jvmArgs, jcstress would add its own choice of compilers. The strides bound the memory in use.
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"),
            "org.openjdk.jcstress.Main", "-t", tests, isLong ? "-jvmArgsPrepend" : "-jvmArgs",
            System.getProperty("jcstress.jvmFlags") + " -XX:MaxDirectMemorySize=256m", "-time",
            Long.toString(iterationMs), "-iters", "1", "-f", "1", "-fsm", "1", "-sc", Boolean.toString(isLong),
            "-af", "NONE", "-pth", "false", "-strideSize", "64", "-strideCount", "16", "-v", "-r",
            directory.resolve("report").toString());
    }

    private static boolean end(final Process process, final long timeoutSeconds) throws InterruptedException
    {
        try
        {
            return process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String tail(final String output)
    {
        final int start = Math.max(0, output.lastIndexOf("RUN RESULTS:"));
        return output.substring(Math.max(start, output.length() - 8_000));
    }
}
