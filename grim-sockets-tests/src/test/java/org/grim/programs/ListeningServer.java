// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Where TCP is forbidden a server of another host is there as soon as the hosts see each other. */
final class ListeningServer
{
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private ListeningServer()
    {
    }

    /** An error of the program ends it, whatever threads it has. */
    static void await(final String host, final String port) throws IOException
    {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) ->
        {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        boolean isThere = false;
        while (!isThere)
        {
            try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(host, Integer.parseInt(port))))
            {
                isThere = channel.isConnected();
            }
            catch (final ConnectException ex)
            {
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw ex;
                }
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }
}
