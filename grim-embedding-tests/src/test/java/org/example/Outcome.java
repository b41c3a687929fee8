// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.death.PeerJvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Exit status and output of a JVM. */
record Outcome(int exitStatus, String text)
{
    private static final long DEADLINE_S = 90;

    /**
     * Runs a JVM to its end.
     *
     * @param toolOptions value of JAVA_TOOL_OPTIONS; empty for none.
     * @param options     for the command line, the class path and the main class or module with its arguments included.
     */
    static Outcome ofJava(final String toolOptions, final List<String> options)
    {
        final List<String> command =
            new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        try
        {
            final Path output = Files.createTempFile("grim-embedding-", ".txt");
            final ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            if (!toolOptions.isEmpty())
            {
                builder.environment().put("JAVA_TOOL_OPTIONS", toolOptions);
            }
            final Process process = PeerJvm.start(builder);
            try
            {
                assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), "endless");
                return new Outcome(process.exitValue(), Files.readString(output));
            }
            finally
            {
                process.destroyForcibly();
                Files.delete(output);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
