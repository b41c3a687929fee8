// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.example.hello.Hello;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program that is started as it is everywhere, by a script that its user cannot change. */
@Tag("process")
final class JvmFlagsIT
{
    private static final Pattern FLAG_IN_TEXT = Pattern.compile("the flag that GRIM needs: (--.*)");

    private final Path directory = ShmDirectory.create();
    private final List<String> program = List.of(
        "-cp", System.getProperty("java.class.path"), Hello.class.getName(), "shmem", directory.toString());

    @AfterEach
    void deleteDirectory()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldRunWhenJavaToolOptionsHasTheFlagAsTheErrorNamesIt()
    {
        final Matcher flag = FLAG_IN_TEXT.matcher(Outcome.ofJava("", program).text());
        assertTrue(flag.find());

        final Outcome outcome = Outcome.ofJava(flag.group(1), program);

        assertEquals(0, outcome.exitStatus(), outcome.text());
        assertTrue(outcome.text().contains("hello over shmem"), outcome.text());
    }
}
