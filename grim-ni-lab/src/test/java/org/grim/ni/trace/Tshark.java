// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs tshark with GRIM's dissector, with no configuration but its own, and not for long. */
final class Tshark
{
    private static final long TIMEOUT_S = 60;
    private static final String SCRIPT = "grim.lua";

    private final Path directory;

    Tshark(final Path directory)
    {
        this.directory = directory;
    }

    static boolean isInstalled()
    {
        final String path = System.getenv("PATH");
        if (path == null)
        {
            return false;
        }
        for (final String entry : path.split(File.pathSeparator, -1))
        {
            if (!entry.isEmpty() && Files.isExecutable(Path.of(entry, "tshark")))
            {
                return true;
            }
        }
        return false;
    }

    boolean hasLua() throws IOException, InterruptedException
    {
        // Lines are broken anywhere between words.
        return run(List.of("--version")).replaceAll("\\s+", " ").contains(" with Lua");
    }

    String explain(final Path trace, final List<String> options) throws IOException, InterruptedException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "-n", "-X", "lua_script:" + script(), "-r", trace.toString()));
        arguments.addAll(options);
        return run(arguments);
    }

    private String run(final List<String> arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("tshark"));
        command.addAll(arguments);
        final Path output = directory.resolve("output");
        final Path error = directory.resolve("error");
        final ProcessBuilder builder = new ProcessBuilder(command)
            .redirectOutput(output.toFile()).redirectError(error.toFile());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        builder.environment().put("LC_ALL", "C");

        final Process process = builder.start();
        try
        {
            process.getOutputStream().close();
            assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), "tshark still runs after " + TIMEOUT_S + " s");
        }
        finally
        {
            process.destroyForcibly();
        }

        final String errorText = Files.readString(error, StandardCharsets.UTF_8);
        assertEquals(0, process.exitValue(), errorText);
        assertFalse(errorText.toLowerCase(Locale.ROOT).contains("lua"), errorText);
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    private static Path script()
    {
        // Tests run in the folder of the module or of the whole project.
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null)
        {
            final Path script = folder.resolve("docs").resolve(SCRIPT);
            if (Files.exists(script))
            {
                return script;
            }
            folder = folder.getParent();
        }
        throw new AssertionError("no folder above " + Path.of("").toAbsolutePath() + " holds docs/" + SCRIPT);
    }
}
