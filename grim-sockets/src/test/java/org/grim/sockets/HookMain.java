// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * A program that exits when its client says so, and ends its work in a shutdown hook, as servers do that drain: it goes
 * on with that client, and connects to a server whose port is its argument.
 */
public final class HookMain
{
    private HookMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final ServerSocketChannel listening = ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        PeerOutput.print(((InetSocketAddress)listening.getLocalAddress()).getPort() + " listens");
        final SocketChannel client = listening.accept();
        client.read(ByteBuffer.allocate(1));
        final InetSocketAddress server =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(client, server), "drain"));
        System.exit(0);
    }

    private static void drain(final SocketChannel client, final InetSocketAddress server)
    {
        try (SocketChannel late = SocketChannel.open())
        {
            client.write(ByteBuffer.wrap(new byte[] {1}));
            // Its client has it wait, so that all other work of the exiting JVM is done before it goes on.
            final ByteBuffer answer = ByteBuffer.allocate(1);
            client.read(answer);
            late.connect(server);
            late.write(answer.flip());
            client.write(ByteBuffer.wrap(new byte[] {2, 3}));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
