// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Passes reads and writes on to a channel of the JDK's. The end of that channel, for instance by an interrupt, ends the
 * channel above.
 * <p>Thread: any.
 */
record TcpStream(SocketChannel tcp, GrimSocketChannel channel) implements ByteStream
{
    @Override
    public int read(final ByteBuffer target) throws IOException
    {
        try
        {
            return tcp.read(target);
        }
        finally
        {
            channel.closeWithTcp();
        }
    }

    @Override
    public long read(final ByteBuffer[] targets, final int offset, final int length) throws IOException
    {
        try
        {
            return tcp.read(targets, offset, length);
        }
        finally
        {
            channel.closeWithTcp();
        }
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        try
        {
            return tcp.write(source);
        }
        finally
        {
            channel.closeWithTcp();
        }
    }

    @Override
    public long write(final ByteBuffer[] sources, final int offset, final int length) throws IOException
    {
        try
        {
            return tcp.write(sources, offset, length);
        }
        finally
        {
            channel.closeWithTcp();
        }
    }

    @Override
    public void shutInput() throws IOException
    {
        tcp.shutdownInput();
    }

    @Override
    public void shutOutput() throws IOException
    {
        tcp.shutdownOutput();
    }

    @Override
    public int readyOperations()
    {
        return 0;
    }
}
