// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A program that knows nothing of GRIM: listens at the address that it is given, or on loopback, prints its port,
 * accepts, and echoes on each connection in a thread of its own until the first byte is 0; then it reads no more. Ends
 * with its input.
 */
public final class PeerMain
{
    private PeerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Thread input = new Thread(PeerMain::awaitEnd, "input");
        input.setDaemon(true);
        input.start();
        try (ServerSocketChannel listening = ServerSocketChannel.open();
            PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            listening.bind(new InetSocketAddress(
                args.length > 0 ? InetAddress.getByName(args[0]) : InetAddress.getLoopbackAddress(), 0));
            try (Selector selector = Selector.open())
            {
                output.println(((InetSocketAddress)listening.getLocalAddress()).getPort() + " " +
                    selector.getClass().getSimpleName());
            }
            while (true)
            {
                final SocketChannel channel = listening.accept();
                final Thread thread = new Thread(() -> echo(channel), "echo");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void echo(final SocketChannel channel)
    {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(65_536);
        try (channel)
        {
            while (channel.read(bytes.clear()) >= 0)
            {
                bytes.flip();
                if (bytes.get(0) == 0)
                {
                    Thread.sleep(60_000);
                }
                while (bytes.hasRemaining())
                {
                    channel.write(bytes);
                }
            }
        }
        catch (final java.io.IOException | InterruptedException ex)
        {
            Thread.currentThread().interrupt();             // The test is gone, or has reset the connection.
        }
    }

    private static void awaitEnd()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final java.io.IOException ex)
        {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().exit(0);
    }
}
