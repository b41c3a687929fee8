// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.grim.NarrowProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A registry that a process writes whose mask of modes takes all rights away. */
@Timeout(120)
final class RegistryFileTest
{
    @TempDir
    private Path directory;

    /** Writes the file twice, as each decision does. */
    static final class Main
    {
        public static void main(final String[] arguments)
        {
            final Decision empty = new Decision("cluster", 0, 0, List.of(), List.of(), List.of());
            final Path path = Path.of(arguments[0]);
            final RegistryFile file = new RegistryFile(path, path.resolveSibling("registry.tmp"));
            file.write("host", List.of(), empty, Pledge.NONE);
            file.write("host", List.of(), empty, Pledge.NONE);
        }
    }

    @Test
    void shouldBeReadableForItsUserWhenTheMaskTakesAllRights() throws Exception
    {
        final Path path = directory.resolve("registry");
        assertEquals("", NarrowProcess.run("umask 0777", Main.class, path.toString()));

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
}
