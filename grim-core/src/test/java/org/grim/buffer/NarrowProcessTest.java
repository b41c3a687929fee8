// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.NarrowProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A process whose shell has taken rights away. */
@Timeout(60)
final class NarrowProcessTest
{
    private static final long LENGTH = 8 << 20;

    @TempDir
    private Path directory;

    /** Makes a directory, a lock file and a file that is mapped. */
    static final class Main
    {
        public static void main(final String[] arguments) throws IOException
        {
            final Path made = Path.of(arguments[0]).resolve("made");
            OwnFiles.makeDirectory(made);
            LockFile.open(made.resolve("lock"), true).close();
            try
            {
                NewFile.create(made.resolve("file"), LENGTH, "; nothing else").publish();
            }
            catch (final GrimException ex)
            {
                final PrintStream out =
                    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
                out.println(ex.getMessage());
            }
        }
    }

    @Test
    void shouldMakeFilesThatItCanOpenWhenTheMaskTakesAllRights() throws Exception
    {
        assertEquals("", NarrowProcess.run("umask 0777", Main.class, directory.toString()));

        assertEquals("rwx------", mode("made"));
        assertEquals("rw-------", mode("made/lock"));
        assertEquals("rw-------", mode("made/file"));
    }

    @Test
    void shouldNameTheLimitWhenFilesMayNotBeSoLong() throws Exception
    {
        final String text = NarrowProcess.run("ulimit -f 2000", Main.class, directory.toString());

        assertTrue(text.contains("needed=" + LENGTH) && text.contains("raise its limit (ulimit -f)"), text);
        try (Stream<Path> files = Files.list(directory.resolve("made")))
        {
            assertEquals(List.of("lock"), files.map(file -> file.getFileName().toString()).toList());
        }
    }

    private String mode(final String name) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }
}
