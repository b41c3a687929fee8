// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends back what comes through one TCP connection, and knows nothing of GRIM.
 * <p>Thread: one of its own.
 */
final class EchoSocket implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EchoSocket.class);
    private static final int LENGTH_MAX = 1 << 16;

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

    EchoSocket() throws IOException
    {
        final Thread thread = new Thread(this::run, "grim-bench-echo");
        thread.setDaemon(true);
        thread.start();
    }

    int port()
    {
        return server.getLocalPort();
    }

    @Override
    public void close() throws IOException
    {
        server.close();
    }

    private void run()
    {
        final byte[] bytes = new byte[LENGTH_MAX];
        try (Socket socket = server.accept())
        {
            socket.setTcpNoDelay(true);
            final InputStream input = socket.getInputStream();
            final OutputStream output = socket.getOutputStream();
            for (int length = input.read(bytes); length >= 0; length = input.read(bytes))
            {
                output.write(bytes, 0, length);
            }
        }
        catch (final IOException ex)
        {
            LOGGER.debug("the bare socket has ended", ex);
        }
    }
}
