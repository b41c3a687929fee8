// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ports of loopback that nobody uses, as far as can be told. Thread: any; no state. */
public final class FreePorts
{
    private static final int TRY_COUNT = 100;

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
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ServerSocket second = new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress()))
        {
            return second.isBound() ? first.getLocalPort() : -1;
        }
        catch (final IOException ex)
        {
            return -1;                  // The next one is taken.
        }
    }
}
