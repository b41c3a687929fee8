// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.ReceiveEngine;
import org.grim.ni.board.SendEngine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Packets in which each byte shows the packet's number and the byte's place. */
final class Packets
{
    private Packets()
    {
    }

    static byte at(final int number, final int index)
    {
        return (byte)(number * 31 + index * 7 + (index >>> 8));
    }

    static AtomicBuffer of(final int number, final int length)
    {
        final AtomicBuffer packet = Buffers.allocate(length);
        for (int i = 0; i < length; i++)
        {
            packet.putByte(i, at(number, i));
        }
        return packet;
    }

    static void send(final SendEngine engine, final int ni, final int number, final int length)
    {
        engine.begin(ni, length);
        engine.feed(of(number, length), 0, length);
    }

    /** Takes the packet that stands there, whole, and checks each byte. */
    static void take(final ReceiveEngine engine, final int number, final int length)
    {
        assertTrue(engine.hasPacket(), () -> "packet " + number);
        assertEquals(length, engine.length());
        assertEquals(length, engine.arrivedLength());
        assertFalse(engine.isCut());
        check(engine.buffer(), engine.offset(), number, length);
        engine.release();
    }

    /** Takes a packet that is cut behind some bytes. */
    static void takeCut(final ReceiveEngine engine, final int number, final int arrivedLength)
    {
        assertTrue(engine.hasPacket());
        assertTrue(engine.isCut());
        assertEquals(arrivedLength, engine.arrivedLength());
        check(engine.buffer(), engine.offset(), number, arrivedLength);
        engine.release();
    }

    static void check(final DirectBuffer buffer, final int offset, final int number, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != at(number, i))
            {
                assertEquals(at(number, i), buffer.getByte(offset + i), "packet " + number + " byte " + i);
            }
        }
    }
}
