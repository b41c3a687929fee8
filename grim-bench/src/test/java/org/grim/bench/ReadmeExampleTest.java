// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReadmeExampleTest
{
    private static final int LINE_COUNT_MAX = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The program of one node, greeting another, which is this test. */
    @Test
    void shouldRunTheProgramInTheReadme(@TempDir final Path directory) throws IOException
    {
        ExampleCompiler.assertCompiles("import java.time.Duration;\nimport org.grim.*;\npublic class Hello\n{\n" +
            "public static void main(final String[] args)\n{\n" + program() + "}\n}\n", directory);
        final List<String> texts = new ArrayList<>();
        final GrimConfig config =
            GrimConfig.builder().nodeName("nancy").directory(directory).transports("shmem").build();
        try (Grim nancy = Grim.enable(config))
        {
            nancy.handlers().register("print", message -> texts.add(message.text()));
            nancy.start();
            final Process metz = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dgrim.cluster.directory=" + directory,
                "-Dgrim.transports.0=shmem", "-cp", directory + File.pathSeparator +
                System.getProperty("java.class.path"), "Hello").inheritIO().start();
            try
            {
                final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
                while (texts.isEmpty() && metz.isAlive() && System.nanoTime() - deadlineNs < 0)
                {
                    nancy.run(Duration.ofMillis(10));
                }
            }
            finally
            {
                metz.destroyForcibly().onExit().join();
            }
        }

        assertEquals(List.of("hello from metz"), texts);
    }

    @Test
    void shouldKeepTheProgramInTheReadmeShort() throws IOException
    {
        final long lineCount = program().lines().count();

        assertTrue(lineCount <= LINE_COUNT_MAX, "lines=" + lineCount + " exceeds max=" + LINE_COUNT_MAX);
    }

    @Test
    void shouldCompileTheProgramOfRemoteMemory(@TempDir final Path classes) throws IOException
    {
        final List<String> programs =
            ExampleCompiler.blocks("docs/embedding.md", "java").stream().filter(ExampleCompiler::isProgram).toList();

        assertEquals(1, programs.size());
        ExampleCompiler.assertCompiles(programs.get(0), classes);
    }

    /** The only block of Java in the README. */
    private static String program() throws IOException
    {
        final List<String> blocks = ExampleCompiler.blocks("README.md", "java");
        assertEquals(1, blocks.size(), "blocks of Java in the README");
        return blocks.get(0);
    }
}
