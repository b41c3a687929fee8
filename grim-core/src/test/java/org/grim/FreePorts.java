// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Ports of loopback that are unused, and that no other JVM gets from this class until this one ends: it locks a
 * byte of a file for each pair, which the kernel gives back when a JVM ends. They lie below the kernel's ports for
 * connections, and each JVM begins somewhere else.
 * <p>Thread: any.
 */
public final class FreePorts
{
    private static final int TRY_COUNT = 1_000;
    private static final int FIRST = 10_000;
    private static final int COUNT = 22_000;
    private static final int PER_PROCESS = 220;
    private static final Path FILE =
        Path.of(System.getProperty("java.io.tmpdir"), "grim-test-ports-" + System.getProperty("user.name"));

    /** Held until this JVM ends. */
    private static final List<FileLock> LOCKS = new ArrayList<>();
    private static FileChannel channel;
    private static int next = (int)(ProcessHandle.current().pid() * PER_PROCESS % COUNT);

    private FreePorts()
    {
    }

    /** A port whose next one is free, too. */
    public static synchronized int pair()
    {
        int port = -1;
        for (int i = 0; i < TRY_COUNT && port < 0; i++)
        {
            port = tryPair();
        }
        assertTrue(port > 0, "no two free ports side by side");
        return port;
    }

    private static int tryPair()
    {
        final int port = FIRST + next;
        next = (next + 2) % COUNT;
        return isOurs(port) && isFree(port) ? port : -1;
    }

    private static boolean isOurs(final int port)
    {
        try
        {
            if (channel == null)
            {
                channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
            final FileLock lock = channel.tryLock(port, 1, false);
            if (lock != null)
            {
                LOCKS.add(lock);
            }
            return lock != null;
        }
        catch (final OverlappingFileLockException ex)
        {
            return false;               // Another caller of this JVM has it.
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean isFree(final int port)
    {
        try (ServerSocket first = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            ServerSocket second = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress()))
        {
            return first.isBound() && second.isBound();
        }
        catch (final IOException ex)
        {
            return false;               // One of them is taken.
        }
    }
}
