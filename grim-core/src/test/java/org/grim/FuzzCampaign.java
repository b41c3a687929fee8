// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Explores one fuzz test for a few seconds, in a JVM of its own that Jazzer instruments and that writes below the build
 * directory only. {@code -Dfuzz.seconds} says how long, {@code -Dfuzz.seed} repeats the order of the inputs.
 * <p>Thread: one. Inputs that fail are printed, and stay in the build directory: keep them beside the committed ones.
 */
public final class FuzzCampaign
{
    private static final Logger LOGGER = LoggerFactory.getLogger(FuzzCampaign.class);
    private static final Pattern EXECUTIONS = Pattern.compile("stat::number_of_executed_units: (\\d+)");
    private static final int EXECUTION_COUNT_MIN = 1_000;
    private static final int PATIENCE = 8;
    private static final int INPUT_TIMEOUT_S = 60;
    private static final int START_TIMEOUT_S = 120;
    private static final int TAIL_LENGTH = 6_000;

    private FuzzCampaign()
    {
    }

    /**
     * Fails if an input did, if none are committed beside the test, or if there were too few of them to say anything,
     * on a busy machine even in more time.
     */
    public static void run(final Class<?> target, final int seconds) throws IOException, InterruptedException
    {
        assertNotNull(target.getResource(target.getSimpleName() + "Inputs"), () -> "no inputs beside " + target);
        final int fuzzSeconds = Integer.getInteger("fuzz.seconds", seconds);
        if (explore(target, fuzzSeconds) < EXECUTION_COUNT_MIN)
        {
            final long count = explore(target, fuzzSeconds * PATIENCE);
            assertTrue(count >= EXECUTION_COUNT_MIN, () -> target + " executed only " + count + " inputs");
        }
    }

    private static long explore(final Class<?> target, final int seconds) throws IOException, InterruptedException
    {
        final Path directory = Path.of(System.getProperty("build.directory", "target"), "fuzz", target.getName());
        final Path temporary = Files.createDirectories(directory.resolve("tmp"));
        final Path output = directory.resolve("output.txt");
        final Process process = new ProcessBuilder(command(target, seconds, temporary))
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try
        {
            assertTrue(process.waitFor(seconds + START_TIMEOUT_S, TimeUnit.SECONDS), "endless: " + output);
        }
        finally
        {
            process.destroyForcibly();
        }
        final String text = Files.readString(output, StandardCharsets.ISO_8859_1);
        final long count = executionCount(text);
        LOGGER.warn("fuzz: " + target.getSimpleName() + " executions=" + count + " seconds=" + seconds);
        assertEquals(0, process.exitValue(),
            () -> target + " failed:\n" + text.substring(Math.max(0, text.length() - TAIL_LENGTH)));
        return count;
    }

    private static List<String> command(final Class<?> target, final int seconds, final Path temporary)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(System.getProperty("build.jvmFlags").split(" ")));
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
            "-XX:-OmitStackTraceInFastThrow",
            "-Djava.io.tmpdir=" + temporary.toAbsolutePath(), "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp", System.getProperty("java.class.path"), "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + target.getName(), "--instrumentation_includes=org.grim.**",
            "-max_total_time=" + seconds, "-len_control=0", "-timeout=" + INPUT_TIMEOUT_S, "-print_final_stats=1"));
        if (Integer.getInteger("fuzz.seed") != null)
        {
            command.add("-seed=" + Integer.getInteger("fuzz.seed"));
        }
        return command;
    }

    private static long executionCount(final String output)
    {
        final Matcher matcher = EXECUTIONS.matcher(output);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
