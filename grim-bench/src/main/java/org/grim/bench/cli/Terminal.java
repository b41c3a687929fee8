// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody watches. */
final class Terminal
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal()
    {
    }

    static boolean isStandardError()
    {
        try
        {
            final Path device = Files.readSymbolicLink(STANDARD_ERROR);
            return device.startsWith("/dev/pts") || device.startsWith("/dev/tty");
        }
        catch (final IOException | UnsupportedOperationException ignored)
        {
            return false;               // No /proc: lines do everywhere.
        }
    }
}
