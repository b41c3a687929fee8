// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Ports of loopback that are probably unused: below the kernel's ports for connections, and each JVM begins somewhere
 * else.
 * <p>Thread: any.
 */
public final class FreePorts
{
    private static final int TRY_COUNT = 1_000;
    private static final int FIRST = 10_000;
    private static final int COUNT = 22_000;
    private static final int PER_PROCESS = 220;
    private static final AtomicInteger NEXT =
        new AtomicInteger((int)(ProcessHandle.current().pid() * PER_PROCESS % COUNT));

    private FreePorts()
    {
    }

    /** A port whose next one is free, too. */
    public static int pair()
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
        final int port = FIRST + NEXT.getAndAdd(2) % COUNT;
        try (ServerSocket first = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            ServerSocket second = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress()))
        {
            return first.isBound() && second.isBound() ? port : -1;
        }
        catch (final IOException ex)
        {
            return -1;                  // One of them is taken.
        }
    }
}
