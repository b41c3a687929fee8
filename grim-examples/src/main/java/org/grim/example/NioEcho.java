// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An echo by {@code java.nio.channels}, with no word of GRIM: the property
 * {@code java.nio.channels.spi.SelectorProvider} makes its connections run over it. Argument: a port.
 */
public final class NioEcho
{
    private static final int RETRY_MS = 50;

    private NioEcho()
    {
    }

    /** Serves as the first process, asks as the other one. */
    public static void main(final String[] args) throws IOException, InterruptedException
    {
        final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
            args.length == 0 ? 7007 : Integer.parseInt(args[0]));
        if (System.getenv("GRIM_RUN_RANK").equals("0"))
        {
            serve(address);
        }
        else
        {
            ask(address);
        }
    }

    private static void serve(final InetSocketAddress address) throws IOException
    {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(address);
            SocketChannel client = server.accept())
        {
            final ByteBuffer bytes = ByteBuffer.allocate(1024);
            while (client.read(bytes) >= 0)
            {
                bytes.flip();
                while (bytes.hasRemaining())
                {
                    client.write(bytes);
                }
                bytes.clear();
            }
        }
    }

    private static void ask(final InetSocketAddress address) throws IOException, InterruptedException
    {
        try (SocketChannel server = connect(address))
        {
            System.out.println("connected by " + server);
            server.write(ByteBuffer.wrap("hello".getBytes(UTF_8)));
            final ByteBuffer answer = ByteBuffer.allocate(5);
            while (answer.hasRemaining() && server.read(answer) >= 0)
            {
                Thread.onSpinWait();
            }
            System.out.println("echo: " + new String(answer.array(), UTF_8));
        }
    }

    /** Connects as soon as the server listens. */
    private static SocketChannel connect(final InetSocketAddress address) throws IOException, InterruptedException
    {
        while (true)
        {
            try
            {
                return SocketChannel.open(address);
            }
            catch (final ConnectException notYet)
            {
                Thread.sleep(RETRY_MS);
            }
        }
    }
}
