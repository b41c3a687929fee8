// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A client of keep-alive HTTP whose own cost is small: each line of input asks for as many ms of requests. */
public final class HttpRateMain
{
    private static final String REQUEST = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String RESPONSE_END = "\r\n\r\nhello /x";

    private HttpRateMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
            Selector selector = Selector.open();
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(rate(channel, selector, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line))));
            }
        }
        Runtime.getRuntime().exit(0);
    }

    /** Requests per second. */
    private static long rate(final SocketChannel channel, final Selector selector, final long durationNs)
        throws IOException
    {
        final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST.length()).put(REQUEST.getBytes(UTF_8)).flip();
        final ByteBuffer response = ByteBuffer.allocateDirect(1 << 10);
        final byte[] end = RESPONSE_END.getBytes(UTF_8);
        final ByteBuffer expectedEnd = ByteBuffer.wrap(end);
        final long startNs = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - startNs < durationNs)
        {
            channel.write(request.rewind());
            response.clear();
            while (response.position() < end.length ||
                !response.slice(response.position() - end.length, end.length).equals(expectedEnd))
            {
                selector.select();
                selector.selectedKeys().clear();
                if (channel.read(response) < 0)
                {
                    throw new IOException("the server has closed the connection");
                }
            }
            count++;
        }
        return count * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - startNs);
    }
}
