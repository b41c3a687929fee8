// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A Chromium without a window, that looks at one page. */
final class Browser
{
    /** Wide enough for plots in two columns. */
    private static final int WIDTH = 1400;

    private static final String PROPERTY = "grim.test.browser";
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long TIMEOUT_S = 60;

    private final Path program;

    private Browser(final Path program)
    {
        this.program = program;
    }

    /** The one that a system property names, or the first on the path. */
    static Optional<Browser> find()
    {
        final String named = System.getProperty(PROPERTY, "");
        final Stream<Path> candidates = !named.isEmpty() ? Stream.of(Path.of(named)) :
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)));
        return candidates.filter(Files::isExecutable).findFirst().map(Browser::new);
    }

    /** Shows a page, takes a picture, and returns the document as scripts left it. */
    String show(final Path page, final int height, final Path picture, final Path directory)
        throws IOException, InterruptedException
    {
        final Path document = Files.createTempFile(directory, "document", ".html");
        final Path errors = Files.createTempFile(directory, "browser", ".txt");
        final Process process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox",
            "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--no-first-run",
            "--disable-dev-shm-usage", "--user-data-dir=" + directory.resolve("profile"),
            "--window-size=" + WIDTH + "," + height, "--virtual-time-budget=2000", "--screenshot=" + picture,
            "--dump-dom", page.toUri().toString())
            .redirectOutput(document.toFile()).redirectError(errors.toFile()).start();
        try
        {
            assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), () -> "still runs: " + text(errors));
            assertEquals(0, process.exitValue(), () -> text(errors));
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return Files.readString(document);
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(file + " cannot be read", ex);
        }
    }
}
