// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Connects to a {@link PeerMain} until that goes over GRIM, sends bytes and compares what comes back, and then reads
 * until the connection ends. Prints a line for both.
 */
public final class EchoClientMain
{
    private static final int ROUND_COUNT = 40;
    private static final int LENGTH = 200_000;

    private EchoClientMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final InetSocketAddress server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
            SocketChannel channel = connect(server))
        {
            for (int round = 0; round < ROUND_COUNT; round++)
            {
                final ByteBuffer bytes = pattern(round);
                final Thread writer = new Thread(() -> write(channel, bytes.duplicate()), "writer");
                writer.start();
                if (!ProviderPair.readFully(channel, LENGTH).equals(bytes))
                {
                    throw new IllegalStateException("round " + round + " came back changed");
                }
            }
            output.println("echoed from " + channel.getLocalAddress() + " to " + channel.getRemoteAddress());
            try
            {
                output.println("read " + channel.read(ByteBuffer.allocate(1)));
            }
            catch (final IOException ex)
            {
                output.println(ex.getMessage());
            }
        }
    }

    private static SocketChannel connect(final InetSocketAddress server) throws IOException
    {
        ProviderPair.joined((GrimSelectorProvider)SelectorProvider.provider());
        final long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (System.nanoTime() - deadlineNs < 0)
        {
            final SocketChannel channel = SocketChannel.open(server);
            if (((GrimSocketChannel)channel).grimStream() != null)
            {
                return channel;
            }
            channel.close();
        }
        throw new IllegalStateException(server + " is not reached over GRIM");
    }

    /** Without 0, which means something to the server. */
    private static ByteBuffer pattern(final long seed)
    {
        final ByteBuffer bytes = ProviderPair.pattern(LENGTH, seed);
        for (int i = 0; i < LENGTH; i++)
        {
            bytes.put(i, (byte)(bytes.get(i) | 1));
        }
        return bytes;
    }

    private static void write(final SocketChannel channel, final ByteBuffer bytes)
    {
        try
        {
            channel.write(bytes);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
