// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody watches. */
public final class Terminal
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal()
    {
    }

    /**
     * Whether standard error goes to a terminal.
     *
     * @return false if it does not, or nothing is known.
     */
    public static boolean isStandardError()
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
