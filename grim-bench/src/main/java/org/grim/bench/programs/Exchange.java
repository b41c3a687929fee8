// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection of a selector, with one message under way in one of the two directions.
 * <p>Thread: the selector's. Owns: the channel.
 */
final class Exchange implements AutoCloseable
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
