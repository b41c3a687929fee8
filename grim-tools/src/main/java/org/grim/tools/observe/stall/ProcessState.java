// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.stall;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * What the system says of a process: for display only. Whether a node lives is said by its byte of the liveness file.
 */
public enum ProcessState
{
    /** Runs, or waits for something. */
    RUNNING,
    /** Stopped by a signal or a debugger. */
    STOPPED,
    /** Not there, ended, or in another process namespace. */
    UNKNOWN;

    /**
     * Asks for the state of a process.
     *
     * @param processId whatever a file says it is.
     * @return what the system says; unknown if nothing.
     */
    public static ProcessState of(final long processId)
    {
        if (processId <= 0)
        {
            return UNKNOWN;
        }
        try
        {
            return ofStat(Files.readString(Path.of("/proc", Long.toString(processId), "stat"), ISO_8859_1));
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }

    /** The state stands behind the name, which may itself hold anything. */
    static ProcessState ofStat(final String stat)
    {
        final int index = stat.lastIndexOf(')') + 2;
        if (index >= stat.length())
        {
            return UNKNOWN;
        }
        return switch (stat.charAt(index))
        {
            case 'T', 't' -> STOPPED;
            case 'Z', 'X' -> UNKNOWN;
            default -> RUNNING;
        };
    }
}
