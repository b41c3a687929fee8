// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.grim.NarrowProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A note that a process writes whose mask of modes takes all rights away. */
@Timeout(120)
final class ClientNoteTest
{
    @TempDir
    private Path directory;

    /** Writes a note, and another one in its place. */
    static final class Main
    {
        public static void main(final String[] arguments) throws IOException
        {
            new ClientNote("a driver with a long name", 1, 2, "").write(Path.of(arguments[0]));
            new ClientNote("driver", 3, 4, "timeout").write(Path.of(arguments[0]));
        }
    }

    @Test
    void shouldBeReadableForItsUserWhenTheMaskTakesAllRights() throws Exception
    {
        final Path file = directory.resolve("note");

        assertEquals("", NarrowProcess.run("umask 0777", Main.class, file.toString()));

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(new ClientNote("driver", 3, 4, "timeout"), ClientNote.read(file));
    }
}
