// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * First message of a client that connects: the wanted address, and its own.
 * <pre>
 *   +------------+-------------+---------------------+   twice: target, client
 *   | port (i32) | length (u8) | address (4 or 16 B) |
 *   +------------+-------------+---------------------+
 * </pre>
 * <p>Thread: under the node's lock.
 */
final class Greeting
{
    private static final int PORT_MAX = 65535;
    private static final int ADDRESS_OFFSET = Integer.BYTES + 1;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private InetAddress target;
    private int targetPort;
    private InetSocketAddress client;
    private InetAddress address;
    private int port;

    /** {@return what {@link #write} wrote} */
    DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Writes both addresses.
     *
     * @return bytes.
     */
    int write(final InetSocketAddress newTarget, final InetSocketAddress newClient)
    {
        return put(put(0, newTarget), newClient);
    }

    /** Reads what a client wrote. Returns false if it is no greeting. */
    boolean read(final DirectBuffer source, final int offset, final int length)
    {
        final int limit = offset + length;
        final int middle = take(source, offset, limit);
        if (middle < 0)
        {
            return false;
        }
        target = address;
        targetPort = port;
        if (take(source, middle, limit) != limit)
        {
            return false;
        }
        client = new InetSocketAddress(address, port);
        return true;
    }

    /** {@return address that the client wants} */
    InetAddress target()
    {
        return target;
    }

    /** {@return port that the client wants} */
    int targetPort()
    {
        return targetPort;
    }

    /** {@return address of the client} */
    InetSocketAddress client()
    {
        return client;
    }

    private int put(final int offset, final InetSocketAddress socketAddress)
    {
        final byte[] bytes = socketAddress.getAddress().getAddress();
        buffer.putInt(offset, socketAddress.getPort());
        buffer.putByte(offset + Integer.BYTES, (byte)bytes.length);
        buffer.putBytes(offset + ADDRESS_OFFSET, bytes);
        return offset + ADDRESS_OFFSET + bytes.length;
    }

    private int take(final DirectBuffer source, final int offset, final int limit)
    {
        if (limit - offset < ADDRESS_OFFSET)
        {
            return -1;
        }
        port = source.getInt(offset);
        final int length = source.getByte(offset + Integer.BYTES);
        final int end = offset + ADDRESS_OFFSET + length;
        if (port < 0 || port > PORT_MAX || length < 0 || end > limit)
        {
            return -1;
        }
        final byte[] bytes = new byte[length];
        source.getBytes(offset + ADDRESS_OFFSET, bytes);
        try
        {
            address = InetAddress.getByAddress(bytes);
            return end;
        }
        catch (final UnknownHostException ex)
        {
            return -1;                      // Neither 4 nor 16 bytes.
        }
    }
}
