// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.sockets.node.Connection;
import org.grim.sockets.node.SocketNode;

/**
 * Reads and writes of a channel whose bytes go over GRIM.
 * <p>Thread: any; one reads and one writes at a time.
 */
final class GrimStream implements ByteStream
{
    private final SocketNode node;
    private final Connection connection;
    private final BlockingChannel channel;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ByteBuffer[] single = new ByteBuffer[1];

    GrimStream(final SocketNode node, final Connection connection, final BlockingChannel channel)
    {
        this.node = node;
        this.connection = connection;
        this.channel = channel;
    }

    @Override
    public int readyOperations()
    {
        return (connection.isReadable() ? SelectionKey.OP_READ : 0) |
            (connection.isWritable() ? SelectionKey.OP_WRITE : 0);
    }

    /** {@return bytes that can be read} */
    int unreadLength()
    {
        node.poll();
        return connection.unreadLength();
    }

    @Override
    public int read(final ByteBuffer target) throws IOException
    {
        return read(target, Long.MAX_VALUE);
    }

    /**
     * Reads.
     *
     * @throws SocketTimeoutException if the channel blocks and the deadline is over.
     */
    int read(final ByteBuffer target, final long deadlineNs) throws IOException
    {
        readLock.lock();
        try
        {
            requireOpen();
            requireTarget(target);
            if (!target.hasRemaining())
            {
                return connection.isInputShut() ? -1 : 0;
            }
            final int taken = connection.read(target);
            return taken != 0 ? taken : readLater(target, deadlineNs);
        }
        finally
        {
            readLock.unlock();
        }
    }

    private int readLater(final ByteBuffer target, final long deadlineNs) throws IOException
    {
        if (!channel.isBlocking())
        {
            return node.read(connection, target);
        }
        int taken = 0;
        try
        {
            channel.beginBlocking();
            while (taken == 0 && channel.isOpen())
            {
                taken = node.awaitRead(connection, channel, target, deadlineNs);
                channel.beginBlocking();
            }
        }
        finally
        {
            channel.endBlocking(taken > 0);
        }
        return taken;
    }

    /** Only the first bytes are waited for. */
    @Override
    public long read(final ByteBuffer[] targets, final int offset, final int length) throws IOException
    {
        readLock.lock();
        try
        {
            requireOpen();
            long total = 0;
            for (int i = offset; i < offset + length; i++)
            {
                requireTarget(targets[i]);
                if (targets[i].hasRemaining())
                {
                    // An end or a reset behind bytes shows in the next read.
                    final int taken =
                        total > 0 && connection.unreadLength() == 0 ? 0 : read(targets[i], Long.MAX_VALUE);
                    if (taken <= 0)
                    {
                        return total > 0 ? total : taken;
                    }
                    total += taken;
                }
            }
            return total;
        }
        finally
        {
            readLock.unlock();
        }
    }

    @Override
    public void shutInput()
    {
        connection.shutInput();
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        writeLock.lock();
        try
        {
            single[0] = source;
            return (int)write(single, 0, 1);
        }
        finally
        {
            single[0] = null;
            writeLock.unlock();
        }
    }

    @Override
    public long write(final ByteBuffer[] sources, final int offset, final int length) throws IOException
    {
        writeLock.lock();
        try
        {
            requireOutput();
            final long remaining = remaining(sources, offset, length);
            long written = remaining == 0 ? 0 : node.write(connection, sources, offset, length);
            if (written < remaining)
            {
                written = writeLater(sources, offset, length, remaining, written);
            }
            if (written == 0 && remaining > 0)
            {
                connection.requireOutput();
            }
            return written;
        }
        finally
        {
            writeLock.unlock();
        }
    }

    private static long remaining(final ByteBuffer[] sources, final int offset, final int length)
    {
        long remaining = 0;
        for (int i = offset; i < offset + length; i++)
        {
            remaining += Objects.requireNonNull(sources[i], "source").remaining();
        }
        return remaining;
    }

    /** Returns what was written before and now. An output that ends behind some bytes shows in the next write. */
    private long writeLater(
        final ByteBuffer[] sources, final int offset, final int length, final long remaining, final long writtenBefore)
        throws IOException
    {
        if (!channel.isBlocking())
        {
            return writtenBefore + (node.poll() ? node.write(connection, sources, offset, length) : 0);
        }
        long written = writtenBefore;
        try
        {
            channel.beginBlocking();
            while (written < remaining && channel.isOpen() && !connection.hasOutputEnded())
            {
                node.waiting().await(channel, SelectionKey.OP_WRITE, Long.MAX_VALUE);
                channel.beginBlocking();
                written += node.write(connection, sources, offset, length);
            }
        }
        finally
        {
            channel.endBlocking(written > 0);
        }
        return written;
    }

    /** {@return true after {@link #shutInput()}} */
    boolean isInputShut()
    {
        return connection.isInputShut();
    }

    /** {@return true after {@link #shutOutput()}} */
    boolean isOutputShut()
    {
        return connection.isOutputShut();
    }

    @Override
    public void shutOutput()
    {
        node.shutOutput(connection);
    }

    /** The channel is closed. */
    void close(final boolean isAbort)
    {
        node.close(connection, isAbort);
    }

    private void requireOpen() throws ClosedChannelException
    {
        if (!channel.isOpen())
        {
            throw new ClosedChannelException();
        }
    }

    private void requireOutput() throws ClosedChannelException
    {
        requireOpen();
        if (connection.isOutputShut())
        {
            throw new ClosedChannelException();
        }
    }

    private static void requireTarget(final ByteBuffer target)
    {
        if (target.isReadOnly())
        {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }
}
