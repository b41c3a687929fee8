// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

import org.grim.tools.pair.Benchmark;

/**
 * Answers each message by the same bytes, and a whole file by one byte.
 * <p>Threads: the command's; one that accepts, and without selectors answers; one for each selector.
 */
final class ProgramServer extends ProgramSide
{
    private static final int FILE_READ_LENGTH = 1 << 16;

    private ServerSocketChannel listener;
    private ProgramThreads threads;

    @Override
    String begin(final ProgramRow row, final int unused) throws IOException
    {
        final ServerSocketChannel of = ServerSocketChannel.open();
        listener = of;
        of.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        final ProgramThreads group = new ProgramThreads();
        threads = group;
        group.start(() ->
        {
            if (row.benchmark() == Benchmark.SELECT)
            {
                accept(of, row, group);
            }
            else
            {
                serve(of, row);
            }
            return null;
        });
        return Integer.toString(((InetSocketAddress)of.getLocalAddress()).getPort());
    }

    @Override
    String round(final long roundMs)
    {
        throw new IllegalStateException("rounds are the client's");
    }

    @Override
    String end() throws Exception
    {
        threads.end();
        listener.close();
        return "";
    }

    @Override
    public void close() throws IOException
    {
        if (listener != null)
        {
            listener.close();
        }
    }

    private static void accept(final ServerSocketChannel listener, final ProgramRow row, final ProgramThreads threads)
        throws IOException
    {
        final List<SelectLoop> loops = new ArrayList<>();
        for (int i = 0; i < row.selectors(); i++)
        {
            loops.add(new SelectLoop(row.size()));
        }
        for (int i = 0; i < row.connections(); i++)
        {
            loops.get(i % row.selectors()).add(prepared(listener.accept()));
        }
        for (final SelectLoop loop : loops)
        {
            threads.start(() ->
            {
                try (loop)
                {
                    loop.serve();
                }
                return null;
            });
        }
    }

    /** One connection after the other, until the thread is interrupted. */
    private static void serve(final ServerSocketChannel listener, final ProgramRow row) throws IOException
    {
        final boolean isFile = row.benchmark() == Benchmark.TRANSFER;
        final ByteBuffer bytes = ByteBuffer.allocateDirect(isFile ? FILE_READ_LENGTH : row.size());
        while (!Thread.currentThread().isInterrupted())
        {
            try (SocketChannel channel = prepared(listener.accept()))
            {
                while (receive(channel, bytes, row.size()))
                {
                    writeAll(channel, isFile ? bytes.clear().limit(1) : bytes.flip());
                }
            }
        }
    }
}
