// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.buffer.Uninterrupted;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Another process of this host, which does nothing. Only on Linux. */
final class OtherProcess implements AutoCloseable
{
    private static final long DEADLINE_MS = 60_000;

    private final Process process;

    private OtherProcess(final Process process)
    {
        this.process = process;
    }

    static OtherProcess start() throws IOException
    {
        assumeTrue(ProcessIdentity.own().namespace() != 0, "no /proc");
        return new OtherProcess(new ProcessBuilder("sleep", "600").start());
    }

    ProcessIdentity identity()
    {
        return identity(process.pid());
    }

    /** As it is found in /proc, while it exists. */
    static ProcessIdentity identity(final long number)
    {
        final String[] fields = fields(number);
        return new ProcessIdentity(number, Long.parseLong(fields[19]), ProcessIdentity.own().namespace());
    }

    /** Waits until the system shows a process as one that has ended, and that its parent has not asked for. */
    static void awaitZombie(final long number)
    {
        final long beginNs = System.nanoTime();
        while (!"Z".equals(fields(number)[0]))
        {
            assertTrue(System.nanoTime() - beginNs < DEADLINE_MS * 1_000_000, "process=" + number + " does not end");
            Uninterrupted.park(1_000_000);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly().onExit().join();
    }

    private static String[] fields(final long number)
    {
        try
        {
            final String text = Files.readString(Path.of("/proc/" + number + "/stat"));
            return text.substring(text.lastIndexOf(')') + 2).split(" ");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
