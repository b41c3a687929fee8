// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.GrimException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PrivateDirectoryTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldRemoveTheDirectoriesThatItMade() throws IOException
    {
        final Path top = directory.resolve("a");
        try (PrivateDirectory made = PrivateDirectory.create("test-", top.resolve("b/c")))
        {
            Files.writeString(made.path().resolve("file"), "text");
            assertEquals(top.resolve("b/c"), made.path().getParent());
        }

        assertTrue(Files.notExists(top));
        assertTrue(Files.exists(directory));
    }

    @Test
    void shouldKeepWhatOthersHave() throws IOException
    {
        final Path other = directory.resolve("a/other");
        try (PrivateDirectory made = PrivateDirectory.create("test-", directory.resolve("a/b")))
        {
            assertTrue(Files.exists(made.path()));
            Files.writeString(other, "text");
        }

        assertTrue(Files.exists(other));
        assertTrue(Files.notExists(directory.resolve("a/b")));
    }

    @Test
    void shouldKeepADirectoryThatWasThere()
    {
        try (PrivateDirectory made = PrivateDirectory.create("test-", directory))
        {
            assertTrue(Files.exists(made.path()));
        }

        assertEquals(0, directory.toFile().list().length);
    }

    @Test
    void shouldLeaveNothingWhenItCannotBeMade()
    {
        final Path base = directory.resolve("a/" + "b".repeat(300));

        assertThrows(GrimException.class, () -> PrivateDirectory.create("test-", base));

        assertEquals(0, directory.toFile().list().length);
    }
}
