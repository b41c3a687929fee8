// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Exit status and output of a process. */
record Outcome(int exitStatus, String output)
{
    private static final int SIGNAL_STATUS_MIN = 128;

    /** Runs a command to its end; its output is short. */
    static Outcome of(final List<String> command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(60, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new IllegalStateException("does not end: " + command);
            }
            return new Outcome(process.exitValue(),
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    /** A shell reports a death by signal 7 as 128 + 7. */
    boolean isDeathBySignal()
    {
        return exitStatus >= SIGNAL_STATUS_MIN;
    }
}
