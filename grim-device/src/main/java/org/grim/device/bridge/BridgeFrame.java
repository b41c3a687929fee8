// SPDX-License-Identifier: Apache-2.0
package org.grim.device.bridge;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * A frame on a connection: length, header, payload; big endian. Immutable.
 * <pre>
 *   0 length of what follows: 32 and more
 *   4 kind          8 id           12 destination's length u16, handler's length u16   16 source: key of an endpoint
 *  20 a0           24 a1           28 a2           32 a3
 *  36 destination, handler (UTF-8), data
 * </pre>
 */
final class BridgeFrame
{
    /** Outside: token as data. Answered by a welcome, or by a refusal and the end of the connection. */
    static final int HELLO = 1;
    static final int WELCOME = 2;
    /** Outside: a message. */
    static final int SEND = 3;
    /** Outside: a request. Answered by an answer, or a refusal. */
    static final int REQUEST = 4;
    static final int ANSWER = 5;
    /** Data: a sentence. */
    static final int REFUSED = 6;
    /** From a node of the cluster. */
    static final int MESSAGE = 7;

    private static final int HEADER_LENGTH = 32;
    private static final int ARGUMENT_COUNT = 4;
    private static final int U16 = 0xFFFF;

    final int kind;
    /** Of a request, chosen by its sender, and of the answer; of a welcome: number of the connection. */
    final int id;
    /** Key of the endpoint that a frame to the outside came from. */
    final int source;
    final int[] arguments;
    /** Name of a node, or {@code device:KIND}; empty to the outside, as the handler. */
    final String destination;
    final String handler;
    final byte[] data;

    BridgeFrame(
        final int kind, final int id, final int source, final int[] arguments, final String destination,
        final String handler, final byte[] data)
    {
        this.kind = kind;
        this.id = id;
        this.source = source;
        this.arguments = arguments;
        this.destination = destination;
        this.handler = handler;
        this.data = data;
    }

    /**
     * Reads a frame.
     *
     * @param input     of a connection.
     * @param lengthMax most bytes of header and payload.
     * @return the frame; null at the end of the connection.
     * @throws IOException if the bytes are no frame, or the connection breaks within it.
     */
    static BridgeFrame read(final DataInputStream input, final int lengthMax) throws IOException
    {
        final int length;
        try
        {
            length = input.readInt();
        }
        catch (final EOFException ex)
        {
            return null;
        }
        if (length < HEADER_LENGTH || length > lengthMax)
        {
            throw new IOException("frame of length=" + length + " is outside " + HEADER_LENGTH + " to " + lengthMax);
        }
        final int kind = input.readInt();
        final int id = input.readInt();
        final int lengths = input.readInt();
        final int source = input.readInt();
        final int[] arguments = new int[ARGUMENT_COUNT];
        for (int i = 0; i < ARGUMENT_COUNT; i++)
        {
            arguments[i] = input.readInt();
        }
        final int destinationLength = lengths >>> Short.SIZE;
        final int handlerLength = lengths & U16;
        if (destinationLength + handlerLength > length - HEADER_LENGTH)
        {
            throw new IOException("frame of length=" + length + " is shorter than its names");
        }
        final String destination = new String(input.readNBytes(destinationLength), UTF_8);
        final String handler = new String(input.readNBytes(handlerLength), UTF_8);
        final byte[] data = new byte[length - HEADER_LENGTH - destinationLength - handlerLength];
        input.readFully(data);
        return new BridgeFrame(kind, id, source, arguments, destination, handler, data);
    }

    /** A frame to the outside. */
    static BridgeFrame of(
        final int kind, final int id, final int source, final int a0, final int a1, final int a2, final byte[] data)
    {
        return new BridgeFrame(kind, id, source, new int[] {a0, a1, a2, 0}, "", "", data);
    }

    static BridgeFrame refusal(final int id, final String text)
    {
        return of(REFUSED, id, 0, 0, 0, 0, text.getBytes(UTF_8));
    }

    byte[] bytes()
    {
        final byte[] destinationBytes = destination.getBytes(UTF_8);
        final byte[] handlerBytes = handler.getBytes(UTF_8);
        final int length = HEADER_LENGTH + destinationBytes.length + handlerBytes.length + data.length;
        final ByteBuffer buffer = ByteBuffer.allocate(SIZE_OF_INT + length);
        buffer.putInt(length).putInt(kind).putInt(id).putShort((short)destinationBytes.length)
            .putShort((short)handlerBytes.length).putInt(source);
        for (final int argument : arguments)
        {
            buffer.putInt(argument);
        }
        return buffer.put(destinationBytes).put(handlerBytes).put(data).array();
    }
}
