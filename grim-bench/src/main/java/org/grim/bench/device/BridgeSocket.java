// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A program outside of the cluster, at a bridge or at a bare socket.
 * <p>Thread: one.
 */
final class BridgeSocket implements AutoCloseable
{
    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int REQUEST = 4;
    private static final int ANSWER = 5;
    private static final int HEADER_LENGTH = 32;
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket;
    private final DataInputStream input;
    private final OutputStream output;

    BridgeSocket(final int port) throws IOException
    {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        input = new DataInputStream(socket.getInputStream());
        output = socket.getOutputStream();
    }

    /** Introduces itself to a bridge. */
    void greet() throws IOException
    {
        output.write(frame(HELLO, "", "", 0));
        expect(WELCOME, 0);
    }

    /** Asks a node through the bridge for an echo, one time after the other. */
    void request(final String node, final int length, final int count)
    {
        try
        {
            final byte[] frame = frame(REQUEST, node, DeviceSide.ECHO, length);
            for (int i = 0; i < count; i++)
            {
                output.write(frame);
                expect(ANSWER, length);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Has as many bytes as such a request echoed by a bare socket. */
    void echo(final String node, final int length, final int count)
    {
        try
        {
            final byte[] frame = frame(REQUEST, node, DeviceSide.ECHO, length);
            final byte[] answer = new byte[frame.length];
            for (int i = 0; i < count; i++)
            {
                output.write(frame);
                input.readFully(answer);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static byte[] frame(final int kind, final String destination, final String handler, final int dataLength)
    {
        final int length = HEADER_LENGTH + destination.length() + handler.length() + dataLength;
        final ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + length);
        buffer.putInt(length).putInt(kind).putInt(1).putShort((short)destination.length())
            .putShort((short)handler.length()).putInt(0).putLong(0).putLong(0);
        return buffer.put(destination.getBytes(UTF_8)).put(handler.getBytes(UTF_8)).array();
    }

    private void expect(final int kind, final int dataLength) throws IOException
    {
        final byte[] frame = new byte[input.readInt()];
        input.readFully(frame);
        final ByteBuffer buffer = ByteBuffer.wrap(frame);
        if (buffer.getInt() != kind || frame.length < HEADER_LENGTH + dataLength)
        {
            throw new IOException("the bridge sends no frame of kind=" + kind + ": " + new String(
                frame, HEADER_LENGTH, frame.length - HEADER_LENGTH, UTF_8));
        }
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
