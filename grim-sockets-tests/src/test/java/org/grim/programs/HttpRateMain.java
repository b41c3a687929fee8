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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A client of keep-alive HTTP whose own cost is small: each line of input asks for as many ms of requests, one at a
 * time on each connection. Its arguments are address, port and number of connections.
 */
public final class HttpRateMain
{
    private static final byte[] REQUEST = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8);
    private static final byte[] RESPONSE_END = "\r\n\r\nhello /x".getBytes(UTF_8);

    private HttpRateMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        try (Selector selector = Selector.open();
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            final List<Requests> all = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(args[2]); i++)
            {
                all.add(new Requests(new InetSocketAddress(args[0], Integer.parseInt(args[1])), selector));
            }
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(rate(all, selector, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line))));
            }
        }
        Runtime.getRuntime().exit(0);
    }

    /** Requests per second. */
    private static long rate(final List<Requests> all, final Selector selector, final long durationNs)
        throws IOException
    {
        final long startNs = System.nanoTime();
        for (final Requests requests : all)
        {
            requests.send();
        }
        long count = 0;
        int underWayCount = all.size();
        while (underWayCount > 0)
        {
            selector.select();
            for (final SelectionKey key : selector.selectedKeys())
            {
                final Requests requests = (Requests)key.attachment();
                if (requests.hasAnswer())
                {
                    count++;
                    if (System.nanoTime() - startNs < durationNs)
                    {
                        requests.send();
                    }
                    else
                    {
                        underWayCount--;
                    }
                }
            }
            selector.selectedKeys().clear();
        }
        return count * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - startNs);
    }

    /** Of one connection. */
    private static final class Requests
    {
        private final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST.length).put(REQUEST);
        private final ByteBuffer response = ByteBuffer.allocateDirect(1 << 10);
        private final ByteBuffer expectedEnd = ByteBuffer.wrap(RESPONSE_END);
        private final SocketChannel channel;

        Requests(final InetSocketAddress server, final Selector selector) throws IOException
        {
            channel = SocketChannel.open(server);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send() throws IOException
        {
            response.clear();
            channel.write(request.rewind());
        }

        boolean hasAnswer() throws IOException
        {
            if (channel.read(response) < 0)
            {
                throw new IOException("the server has closed the connection");
            }
            final int start = response.position() - RESPONSE_END.length;
            return start >= 0 && response.slice(start, RESPONSE_END.length).equals(expectedEnd);
        }
    }
}
