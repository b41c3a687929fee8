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

import org.grim.GrimException;
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
        assertEquals("", run("umask 0777"));

        assertEquals("rwx------", mode("made"));
        assertEquals("rw-------", mode("made/lock"));
        assertEquals("rw-------", mode("made/file"));
    }

    @Test
    void shouldNameTheLimitWhenFilesMayNotBeSoLong() throws Exception
    {
        final String text = run("ulimit -f 2000");

        assertTrue(text.contains("needed=" + LENGTH) && text.contains("raise its limit (ulimit -f)"), text);
        assertTrue(Files.notExists(directory.resolve("made/file")));
    }

    private String mode(final String name) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }

    /** Runs the program behind a command of the shell, and returns what it printed. */
    private String run(final String command) throws Exception
    {
        final Process process = new ProcessBuilder("/bin/sh", "-c", command + " && exec \"$0\" \"$@\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-UsePerfData", "-cp",
            System.getProperty("java.class.path"), Main.class.getName(), directory.toString())
            .redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }
}
