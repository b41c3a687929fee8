// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.agrona.CloseHelper;

/**
 * Sends a file through a connection, as a web server does: without blocking, and with a select where nothing goes.
 * <p>Thread: one. Owns: the file and the connection.
 */
final class FileSender implements AutoCloseable
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
