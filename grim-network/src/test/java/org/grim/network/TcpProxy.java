// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections to another address, as address translation does. Thread: any; two of its own per connection. */
final class TcpProxy implements AutoCloseable
{
    private final ServerSocket server;
    private final InetSocketAddress target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connectionCount = new AtomicInteger();

    private TcpProxy(final ServerSocket server, final InetSocketAddress target)
    {
        this.server = server;
        this.target = target;
    }

    static TcpProxy start(final String address, final int port, final String targetAddress, final int targetPort)
        throws IOException
    {
        final TcpProxy proxy = new TcpProxy(new ServerSocket(port, 50, InetAddress.getByName(address)),
            new InetSocketAddress(targetAddress, targetPort));
        run(proxy::accept);
        return proxy;
    }

    int connectionCount()
    {
        return connectionCount.get();
    }

    @Override
    public void close() throws IOException
    {
        server.close();
        for (final Socket socket : sockets)
        {
            socket.close();
        }
    }

    private void accept() throws IOException
    {
        while (true)
        {
            final Socket near = server.accept();
            final Socket far = new Socket();
            sockets.add(near);
            sockets.add(far);
            run(() ->
            {
                try (near; far)
                {
                    far.connect(target);
                    connectionCount.incrementAndGet();
                    run(() -> pass(far, near));
                    pass(near, far);
                }
            });
        }
    }

    private static void pass(final Socket from, final Socket to) throws IOException
    {
        try (from; to)
        {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    private static void run(final Action action)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                action.run();
            }
            catch (final IOException ex)
            {
                Thread.currentThread().interrupt();     // One side has closed: so does the other.
            }
        }, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Something that ends with its sockets. */
    private interface Action
    {
        void run() throws IOException;
    }
}
