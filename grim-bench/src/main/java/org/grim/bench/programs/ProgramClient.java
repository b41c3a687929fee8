// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;

/**
 * Begins exchanges, and times them.
 * <p>Threads: the command's; one for each selector, or one.
 */
final class ProgramClient extends ProgramSide
{
    private static final long TIME_NS_MAX = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private final List<Part> parts = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Histogram ofRound = histogram();
    private final Path file;
    private InetSocketAddress address;
    private ProgramThreads threads;

    ProgramClient(final Path file)
    {
        this.file = file;
    }

    /** The work of one thread in a round, and its times. */
    private record Part(Exchanges exchanges, Histogram times)
    {
    }

    /** Exchanges one after the other until a deadline. */
    private interface Exchanges
    {
        void run(long deadlineNs, Histogram times) throws IOException;
    }

    /** One exchange. */
    private interface Single
    {
        void run() throws IOException;
    }

    @Override
    String begin(final ProgramRow row, final int port) throws IOException
    {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        threads = new ProgramThreads();
        final ByteBuffer message = ByteBuffer.allocateDirect(row.size());
        switch (row.benchmark())
        {
            case SELECT -> select(row);
            case BLOCKING ->
            {
                final SocketChannel channel = opened(connect());
                add(oneByOne(() -> exchange(channel, message)));
            }
            case CONNECT -> add(oneByOne(() ->
            {
                try (SocketChannel channel = connect())
                {
                    exchange(channel, message);
                }
            }));
            case TRANSFER ->
            {
                final FileSender sender = opened(new FileSender(file, connect()));
                add(oneByOne(sender::send));
            }
            default -> throw new IllegalArgumentException("not of programs: benchmark=" + row.benchmark());
        }
        return "";
    }

    @Override
    String round(final long roundMs) throws Exception
    {
        final long startNs = System.nanoTime();
        final long deadlineNs = startNs + TimeUnit.MILLISECONDS.toNanos(roundMs);
        final List<Callable<Void>> works = new ArrayList<>();
        for (final Part part : parts)
        {
            part.times().reset();
            works.add(() ->
            {
                part.exchanges().run(deadlineNs, part.times());
                return null;
            });
        }
        threads.runAll(works, roundMs + ROUND_TIMEOUT_MS);
        final long elapsedNs = System.nanoTime() - startNs;
        ofRound.reset();
        parts.forEach(part -> ofRound.add(part.times()));
        return elapsedNs + " " + ofRound.getTotalCount() + " " + ofRound.getValueAtPercentile(MEDIAN) + " " +
            ofRound.getValueAtPercentile(TAIL);
    }

    @Override
    String end() throws Exception
    {
        close();
        threads.end();
        return "";
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(opened);
        opened.clear();
        parts.clear();
    }

    private void select(final ProgramRow row) throws IOException
    {
        final List<SelectLoop> loops = new ArrayList<>();
        for (int i = 0; i < row.selectors(); i++)
        {
            final SelectLoop loop = opened(new SelectLoop(row.size()));
            loops.add(loop);
            add(loop::exchange);
        }
        for (int i = 0; i < row.connections(); i++)
        {
            loops.get(i % row.selectors()).add(connect());
        }
    }

    private void add(final Exchanges exchanges)
    {
        parts.add(new Part(exchanges, histogram()));
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }

    private SocketChannel connect() throws IOException
    {
        return prepared(SocketChannel.open(address));
    }

    /** At least one: a file may take longer than the round. */
    private static Exchanges oneByOne(final Single single)
    {
        return (deadlineNs, times) ->
        {
            long startNs = System.nanoTime();
            do
            {
                single.run();
                final long nowNs = System.nanoTime();
                times.recordValue(nowNs - startNs);
                startNs = nowNs;
            }
            while (startNs - deadlineNs < 0);
        };
    }

    private static void exchange(final SocketChannel channel, final ByteBuffer message) throws IOException
    {
        writeAll(channel, message.clear());
        if (!receive(channel, message, message.capacity()))
        {
            throw new EOFException("the server has closed the connection");
        }
    }

    private static Histogram histogram()
    {
        return new Histogram(TIME_NS_MAX, DIGITS);
    }

    /**
     * Sends a file through a connection, as a web server does: without blocking, and with a select where nothing goes.
     * <p>Thread: one. Owns: the file and the connection.
     */
    private static final class FileSender implements AutoCloseable
    {
        private final ByteBuffer answer = ByteBuffer.allocateDirect(1);
        private final FileChannel file;
        private final SocketChannel channel;
        private final Selector selector;
        private final SelectionKey key;

        FileSender(final Path path, final SocketChannel channel) throws IOException
        {
            this.channel = channel;
            file = FileChannel.open(path);
            selector = Selector.open();
            channel.configureBlocking(false);
            key = channel.register(selector, 0);
        }

        /** Sends the file, and waits until the other side says that it has read it. */
        void send() throws IOException
        {
            final long length = file.size();
            long position = 0;
            while (position < length)
            {
                final long count = file.transferTo(position, length - position, channel);
                position += count;
                if (count == 0)
                {
                    await(SelectionKey.OP_WRITE);
                }
            }
            answer.clear();
            while (answer.hasRemaining())
            {
                await(SelectionKey.OP_READ);
                if (channel.read(answer) < 0)
                {
                    throw new EOFException("the server has closed the connection");
                }
            }
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(channel, selector, file);
        }

        private void await(final int operation) throws IOException
        {
            key.interestOps(operation);
            if (selector.select() == 0 && Thread.currentThread().isInterrupted())
            {
                throw new ClosedByInterruptException();
            }
            selector.selectedKeys().clear();
        }
    }
}
