// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.sockets.GrimSelectorProvider;

/**
 * Where TCP is forbidden a server of another host is there as soon as the hosts see each other. A client whose provider
 * is GRIM's has joined first.
 */
public final class ListeningServer
{
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private ListeningServer()
    {
    }

    /** An error of the program ends it, with any threads. */
    public static void await(final String host, final String port) throws IOException
    {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) ->
        {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        if (SelectorProvider.provider() instanceof final GrimSelectorProvider grim && !grim.awaitJoined(PATIENCE))
        {
            throw new IOException("this process has not joined");
        }
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
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
