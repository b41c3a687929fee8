// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A JVM whose shell has taken rights away. */
public final class NarrowProcess
{
    private NarrowProcess()
    {
    }

    /** Runs a program behind a command of the shell, until it ends with status 0; returns what it printed. */
    public static String run(final String command, final Class<?> program, final String... arguments)
        throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", command + " && exec \"$0\" \"$@\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-UsePerfData", "-cp",
            System.getProperty("java.class.path"), program.getName()));
        words.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }
}
