// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
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
}
