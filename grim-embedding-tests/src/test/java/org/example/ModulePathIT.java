// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An application of named modules: nothing is on its path but what core and shared memory need. */
@Tag("process")
final class ModulePathIT
{
    /** Jars and class directories of GRIM's two modules, of the program, and of Agrona, config and SLF4J. */
    private static final Pattern NEEDED = Pattern.compile(".*/(grim-core|grim-transport-shmem|grim-embedding-tests)" +
        "/((jdk25/)?target/classes|.*SNAPSHOT\\.jar)|.*/(agrona|config|slf4j-api)-[0-9.]+\\.jar");
    private static final int NEEDED_COUNT = 6;

    @ParameterizedTest
    @ValueSource(strings = {"shmem", "rings"})
    void shouldRunAsNamedModules(final String transport)
    {
        final List<String> path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> NEEDED.matcher(entry).matches()).toList();
        assertEquals(NEEDED_COUNT, path.size(), path::toString);
        final Path directory = ShmDirectory.create();
        try
        {
            final Outcome outcome = Outcome.ofJava("", List.of("--add-opens=java.base/jdk.internal.misc=org.agrona",
                "-p", String.join(File.pathSeparator, path), "-m", "org.example/org.example.hello.Hello", transport,
                directory.toString()));

            assertEquals(0, outcome.exitStatus(), outcome.text());
            assertTrue(outcome.text().contains("hello over " + transport + " from module org.grim.core, value=42"),
                outcome.text());
        }
        finally
        {
            ShmDirectory.delete(directory);
        }
    }
}
