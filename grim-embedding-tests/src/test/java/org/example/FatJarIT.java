// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.example.hello.Hello;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program in one jar with all that it needs, and with a library whose configuration is not GRIM's. */
@Tag("process")
final class FatJarIT
{
    /** Of another library: it cannot be resolved, and its keys are not GRIM's. */
    private static final String FOREIGN = """
        akka.version = 2.6
        app.a = ${app.b}
        app.a { x = 1 }
        app.b { y = 2 }
        app.c = ${no.such.key}
        """;

    private final Path directory = ShmDirectory.create();

    @TempDir
    private Path folder;

    @AfterEach
    void deleteDirectory()
    {
        ShmDirectory.delete(directory);
    }

    @ParameterizedTest
    @CsvSource({"FIRST_WINS, false", "FIRST_WINS, true", "LAST_WINS, false", "LAST_WINS, true", "ALL_MERGED, false",
        "SERVICES_MERGED, false", "META_INF_LEFT_OUT, false"})
    void shouldRunTheSameInOneJar(final FatJar.Merge merge, final boolean isReversed) throws IOException
    {
        final List<Path> parts = parts();
        if (isReversed)
        {
            Collections.reverse(parts);
        }

        final Outcome outcome = run(merge, parts);

        assertEquals(0, outcome.exitStatus(), outcome.text());
        assertTrue(outcome.text().contains("hello over default"), outcome.text());
    }

    private Outcome run(final FatJar.Merge merge, final List<Path> parts) throws IOException
    {
        final Path jar = folder.resolve("fat.jar");
        FatJar.write(jar, merge, Hello.class.getName(), parts);
        return Outcome.ofJava("", List.of("-jar", jar.toString(), "default", directory.toString()));
    }

    private List<Path> parts() throws IOException
    {
        final Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("reference.conf"), FOREIGN);
        final List<Path> parts = new ArrayList<>(List.of(Jars.of(Hello.class.getName()), foreign));
        parts.addAll(Jars.of(Jars.MODULES));
        parts.addAll(Jars.of(Jars.LIBRARIES));
        return parts;
    }
}
