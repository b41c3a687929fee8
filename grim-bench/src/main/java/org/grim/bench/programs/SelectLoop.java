// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;

/**
 * A selector with its connections, on either side.
 * <p>Thread: one of its own, once all connections were added. Owns: the selector and the connections.
 */
final class SelectLoop implements Closeable
{
    private final List<Exchange> exchanges = new ArrayList<>();
    private final Selector selector;
    private final int size;

    SelectLoop(final int size) throws IOException
    {
        this.size = size;
        selector = Selector.open();
    }

    void add(final SocketChannel channel) throws IOException
    {
        exchanges.add(new Exchange(channel, size, selector));
    }

    /** Server: answers until the thread is interrupted. */
    void serve() throws IOException
    {
        while (!Thread.currentThread().isInterrupted())
        {
            selector.select();
            for (final SelectionKey key : selector.selectedKeys())
            {
                answer((Exchange)key.attachment());
            }
            selector.selectedKeys().clear();
        }
    }

    /** Client: keeps one exchange under way on each connection until the deadline, and waits for the last ones. */
    void exchange(final long deadlineNs, final Histogram times) throws IOException
    {
        int underWayCount = 0;
        for (final Exchange exchange : exchanges)
        {
            exchange.begin(System.nanoTime());
            underWayCount++;
        }
        while (underWayCount > 0)
        {
            if (selector.select() == 0 && Thread.currentThread().isInterrupted())
            {
                throw new ClosedByInterruptException();
            }
            for (final SelectionKey key : selector.selectedKeys())
            {
                final Exchange exchange = (Exchange)key.attachment();
                if (exchange.advance())
                {
                    final long nowNs = System.nanoTime();
                    times.recordValue(exchange.timeNs(nowNs));
                    if (nowNs - deadlineNs < 0)
                    {
                        exchange.begin(nowNs);
                    }
                    else
                    {
                        underWayCount--;
                    }
                }
            }
            selector.selectedKeys().clear();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(exchanges);
        CloseHelper.close(selector);
    }

    private static void answer(final Exchange exchange) throws IOException
    {
        try
        {
            if (exchange.advance())
            {
                exchange.answer();
            }
        }
        catch (final EOFException expected)
        {
            exchange.close();                   // The client has ended its row.
        }
    }

    /**
     * A connection of a selector, with one message under way in one of the two directions.
     * <p>Thread: the selector's. Owns: the channel.
     */
    private static final class Exchange implements AutoCloseable
    {
        private final SocketChannel channel;
        private final ByteBuffer message;
        private final SelectionKey key;
        private boolean isWriting;
        private long sequence;
        private long startNs;

        /** Takes a connected channel. */
        Exchange(final SocketChannel channel, final int size, final Selector selector) throws IOException
        {
            this.channel = channel;
            message = ByteBuffer.allocateDirect(size);
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        /** Client: sends the next message. */
        void begin(final long nowNs) throws IOException
        {
            startNs = nowNs;
            sequence++;
            message.clear();
            message.putLong(0, sequence);
            write();
        }

        /** Client: how long the exchange has taken, once {@link #advance()} has said that its answer is there. */
        long timeNs(final long nowNs)
        {
            if (message.getLong(0) != sequence)
            {
                throw new IllegalStateException(
                    "an answer is wrong: it begins with " + message.getLong(0) + ", not with " + sequence);
            }
            return nowNs - startNs;
        }

        /** Server: sends the message that came. */
        void answer() throws IOException
        {
            message.flip();
            write();
        }

        /** Does what the key is ready for; returns whether a whole message has come. */
        boolean advance() throws IOException
        {
            if (isWriting)
            {
                write();
                return false;
            }
            if (channel.read(message) < 0)
            {
                throw new EOFException("the other side has closed the connection");
            }
            return !message.hasRemaining();
        }

        @Override
        public void close() throws IOException
        {
            channel.close();
        }

        private void write() throws IOException
        {
            channel.write(message);
            if (isWriting != message.hasRemaining())
            {
                isWriting = !isWriting;
                key.interestOps(isWriting ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
            if (!isWriting)
            {
                message.clear();
            }
        }
    }
}
