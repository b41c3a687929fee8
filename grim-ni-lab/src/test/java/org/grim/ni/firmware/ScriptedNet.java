// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

import org.agrona.DirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * Wires that do what a test's script says: each whole packet is lost, held back or passed on. Passed packets keep the
 * order of their pair; injected ones do not. Allocates as it likes.
 */
final class ScriptedNet
{
    private static final int ENVELOPE_LENGTH = 32;

    final List<Packet> sent = new ArrayList<>();
    final Deque<Packet> held = new ArrayDeque<>();
    final boolean[] isBusy;
    boolean isLossy = true;             // Read when a firmware starts.
    Predicate<Packet> isLost = packet -> false;
    Predicate<Packet> isHeld = packet -> false;
    private final End[] ends;

    ScriptedNet(final int niCount)
    {
        ends = new End[niCount];
        isBusy = new boolean[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            ends[ni] = new End(ni);
        }
    }

    /** A packet that has left its sender; {@code length} is what was announced. */
    @SuppressWarnings("ArrayRecordComponent")       // Compared by identity only.
    record Packet(int from, int to, byte[] bytes, int length)
    {
        boolean isBetween(final int sender, final int receiver)
        {
            return from == sender && to == receiver;
        }

        boolean isData()
        {
            return typeCode() == MessageType.ACTIVE_MESSAGE.code();
        }

        boolean isAnswer()
        {
            return bytes.length - start() == Long.BYTES;
        }

        boolean isRefusal()
        {
            return isAnswer() && typeCode() == MessageType.REFUSED.code();
        }

        boolean isAnnouncement()
        {
            return typeCode() == MessageType.SYNCHRONISE.code();
        }

        /** First argument of a data message: the number that the test gave it. */
        int number()
        {
            return Buffers.wrap(bytes).getInt(start() + 16, ByteOrder.BIG_ENDIAN);
        }

        int start()
        {
            return (bytes[0] << Byte.SIZE | bytes[1]) == MessageHeader.GRIM_ID ? 0 : ENVELOPE_LENGTH;
        }

        Packet with(final byte[] otherBytes)
        {
            return new Packet(from, to, otherBytes, otherBytes.length);
        }

        private int typeCode()
        {
            return bytes.length < start() + Long.BYTES ? 0 : (bytes[start() + 4] & 0xFF) >>> 2;
        }
    }

    Wire wire(final int ni)
    {
        return ends[ni];
    }

    /** Passes on what was held back, in its order; nothing is held from now on. */
    void release()
    {
        isHeld = packet -> false;
        while (!held.isEmpty())
        {
            releaseOne();
        }
    }

    void releaseOne()
    {
        inject(held.remove());
    }

    void inject(final Packet packet)
    {
        ends[packet.to].arrivals.add(packet);
    }

    /** Packets on the wires are lost. */
    void clear()
    {
        held.clear();
        for (final End end : ends)
        {
            end.arrivals.clear();
        }
    }

    private void send(final Packet packet)
    {
        sent.add(packet);
        if (isLost.test(packet))
        {
            return;
        }
        if (isHeld.test(packet))
        {
            held.add(packet);
        }
        else
        {
            inject(packet);
        }
    }

    private final class End implements Wire
    {
        private final int ni;
        private final Deque<Packet> arrivals = new ArrayDeque<>();
        private int destinationNi;
        private byte[] bytes;
        private int fedLength;

        End(final int ni)
        {
            this.ni = ni;
        }

        @Override
        public boolean isLossy()
        {
            return isLossy;
        }

        @Override
        public boolean isIdle()
        {
            return bytes == null && !isBusy[ni];
        }

        @Override
        public void begin(final int newDestinationNi, final int packetLength)
        {
            if (bytes != null || isBusy[ni])
            {
                throw new IllegalStateException("the packet before has not left");
            }
            destinationNi = newDestinationNi;
            bytes = new byte[packetLength];
            fedLength = 0;
        }

        @Override
        public void feed(final DirectBuffer source, final int offset, final int length)
        {
            source.getBytes(offset, bytes, fedLength, length);
            fedLength += length;
            if (fedLength == bytes.length)
            {
                finish();
            }
        }

        @Override
        public void abort()
        {
            finish();
        }

        private void finish()
        {
            final byte[] fed = Arrays.copyOf(bytes, fedLength);
            final int length = bytes.length;
            bytes = null;
            send(new Packet(ni, destinationNi, fed, length));
        }

        @Override
        public boolean hasPacket()
        {
            return !arrivals.isEmpty();
        }

        @Override
        public DirectBuffer buffer()
        {
            final Packet packet = arrivals.element();
            return Buffers.wrap(Arrays.copyOf(packet.bytes, packet.length));
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public int length()
        {
            return arrivals.element().length;
        }

        @Override
        public int arrivedLength()
        {
            return arrivals.element().bytes.length;
        }

        @Override
        public boolean isCut()
        {
            return arrivals.element().bytes.length < arrivals.element().length;
        }

        @Override
        public void release()
        {
            arrivals.remove();
        }
    }
}
