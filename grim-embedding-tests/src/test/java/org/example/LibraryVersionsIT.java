// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.example.hello.Hello;
import org.grim.FreePorts;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An application whose build chose other versions of the libraries than GRIM's. */
@Tag("process")
final class LibraryVersionsIT
{
    private static final List<String> PACKAGES =
        List.of("org/agrona/", "com/typesafe/config/", "org/slf4j/", "org/jgroups/", "io/aeron/");
    private static final Pattern JAR_NAME = Pattern.compile("([a-z0-9-]+)-([0-9].*)\\.jar");
    private static final String OLDEST = "oldest-libraries";
    private static final String TOO_OLD = "too-old-libraries";

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void deleteDirectory()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldLinkAgainstTheOldestVersionOfEachLibrary() throws IOException
    {
        final List<Path> modules = Jars.of(Jars.MODULES);
        final List<Path> everything = new ArrayList<>(Jars.in(OLDEST));
        everything.addAll(modules);
        everything.addAll(Jars.of(List.of("io.aeron.Aeron", "io.aeron.driver.MediaDriver")));
        try (LinkCheck check = new LinkCheck(everything, PACKAGES))
        {
            for (final Path module : modules)
            {
                check.check(module);
            }

            assertEquals(Set.of(), check.missing());
        }
    }

    @Test
    void shouldNameTheOldestVersionsInThePageAndInTheError() throws IOException
    {
        final Path project = FlagFormTest.project();
        final String page = Files.readString(project.resolve("docs/developers/embedding.md"));
        final String code = Files.readString(
            project.resolve("grim-core/src/main/java/org/grim/node/Libraries.java"));
        for (final Path jar : Jars.in(OLDEST))
        {
            final Matcher file = JAR_NAME.matcher(jar.getFileName().toString());
            assertTrue(file.matches(), jar::toString);

            assertTrue(page.contains("| `" + file.group(1) + "` | " + file.group(2) + " |"), jar::toString);
            assertTrue(code.contains('"' + file.group(2) + '"'), jar::toString);
        }
    }

    @Test
    void shouldFindWhatAnOlderVersionLacks() throws IOException
    {
        final List<Path> core = Jars.of(List.of("org.grim.Grim"));
        final List<Path> everything = new ArrayList<>(Jars.in(TOO_OLD));
        everything.addAll(core);
        try (LinkCheck check = new LinkCheck(everything, List.of("org/agrona/")))
        {
            check.check(core.get(0));

            assertTrue(check.missing().contains("org/agrona/concurrent/AtomicBuffer.getIntAcquire(I)I"),
                check.missing()::toString);
        }
    }

    @Test
    void shouldRunWithTheOldestVersionOfEachLibrary()
    {
        final int port = FreePorts.pair();
        final Outcome outcome = run(OLDEST, "-Dgrim.network.bind=127.0.0.1:" + port,
            "-Dgrim.network.discovery.hosts.0=127.0.0.1:" + port);

        assertEquals(0, outcome.exitStatus(), outcome.text());
        assertTrue(outcome.text().contains("hello over default"), outcome.text());
    }

    @Test
    void shouldNameLibraryVersionsAndJarWhenALibraryIsTooOld()
    {
        final Path tooOld = Jars.in(TOO_OLD).get(0);

        final Outcome outcome = run(TOO_OLD);

        assertEquals(1, outcome.exitStatus(), outcome.text());
        assertTrue(outcome.text().contains("org.grim.GrimException: GRIM needs agrona 2.1.0 or newer, and found " +
            "2.0.0 in " + tooOld), outcome.text());
    }

    /** Libraries of a directory come first on the class path. */
    private Outcome run(final String libraries, final String... options)
    {
        final List<Path> path = new ArrayList<>(Jars.in(libraries));
        path.add(Jars.of(Hello.class.getName()));
        path.addAll(Jars.of(Jars.MODULES));
        path.addAll(Jars.of(Jars.LIBRARIES));
        return Outcome.ofJava("", Stream.concat(Stream.concat(Stream.of(PeerJvm.OPEN_FLAG), Stream.of(options)),
            Stream.of("-cp", Jars.path(path), Hello.class.getName(), "default", directory.toString())).toList());
    }
}
