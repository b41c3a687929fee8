// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EnvelopeWireTest
{
    private static final int MESSAGE_LENGTH = 40;
    private static final int PACKET_LENGTH = EnvelopeWire.ENVELOPE_LENGTH + MESSAGE_LENGTH;

    private final AtomicBuffer message = Buffers.wrap(new byte[256]);
    private final DirectFabric near = new DirectFabric(2, 1, 512);       // NI 0 sends, NI 1 is where packets are caught
    private final DirectFabric far = new DirectFabric(2, 4, 512);        // NI 0 replays them, NI 1 receives
    private final EnvelopeWire sender = new EnvelopeWire(near.wire(0), 0, 5, 256);
    private final EnvelopeWire receiver = new EnvelopeWire(far.wire(1), 1, 9, 256);

    @Test
    void shouldPinTheLayout()
    {
        final AtomicBuffer packet = sent(sender, 77);

        assertEquals(PACKET_LENGTH, packet.capacity());
        assertEquals(0x47524D01, packet.getInt(0, BIG_ENDIAN));
        assertEquals(PACKET_LENGTH, packet.getInt(8, BIG_ENDIAN));
        assertEquals(0x0000_0001, packet.getInt(12, BIG_ENDIAN));
        assertEquals(1, packet.getLong(16, BIG_ENDIAN));
        assertEquals(5, packet.getInt(24, BIG_ENDIAN));
        assertEquals(0, packet.getInt(28));
        assertEquals(77, packet.getInt(32));
    }

    @Test
    void shouldShowTheMessageWithoutItsEnvelope()
    {
        inject(sent(sender, 77));

        assertTrue(receiver.hasPacket());
        assertEquals(MESSAGE_LENGTH, receiver.length());
        assertEquals(MESSAGE_LENGTH, receiver.arrivedLength());
        assertEquals(77, receiver.buffer().getInt(receiver.offset()));
        assertTrue(receiver.isLossy());
        receiver.release();
        assertFalse(receiver.hasPacket());
        assertEquals(1, receiver.receivedCount());
        assertEquals(1, sender.sentCount());
    }

    @Test
    void shouldDropCopiesAndWhatWasOvertaken()
    {
        final AtomicBuffer first = sent(sender, 1);
        final AtomicBuffer second = sent(sender, 2);
        final AtomicBuffer third = sent(sender, 3);

        assertEquals(2, take(second));
        assertEquals(-1, take(second));
        assertEquals(-1, take(first));
        assertEquals(3, take(third));
        assertEquals(2, receiver.rejectCount(EnvelopeReject.LATE));
    }

    @Test
    void shouldDropLatePacketsOfAnEarlierEpoch()
    {
        final AtomicBuffer old = sent(sender, 1);
        final AtomicBuffer late = sent(sender, 2);
        final EnvelopeWire restarted = new EnvelopeWire(near.wire(0), 0, 6, 256);

        assertEquals(1, take(old));
        assertEquals(3, take(sent(restarted, 3)));
        assertEquals(-1, take(late));
        assertEquals(4, take(sent(restarted, 4)));
        assertEquals(1, receiver.rejectCount(EnvelopeReject.LATE));
    }

    @Test
    void shouldTellSourcesApart()
    {
        final EnvelopeWire other = new EnvelopeWire(near.wire(0), 65_535, 1, 256);

        assertEquals(1, take(sent(sender, 1)));
        assertEquals(2, take(sent(other, 2)));
        assertEquals(3, take(sent(sender, 3)));
    }

    @Test
    void shouldDropAPacketWithAnyByteChanged()
    {
        final AtomicBuffer packet = sent(sender, 1);
        for (int i = 0; i < PACKET_LENGTH; i++)
        {
            final byte before = packet.getByte(i);
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                packet.putByte(i, (byte)(before ^ 1 << bit));
                assertEquals(-1, take(packet), "byte " + i);
            }
            packet.putByte(i, before);
        }

        assertEquals(PACKET_LENGTH * 8 - 32, receiver.rejectCount(EnvelopeReject.CHECKSUM));
        assertEquals(32, receiver.rejectCount(EnvelopeReject.MAGIC));
        assertEquals(1, take(packet));
    }

    @Test
    void shouldDropAPacketTruncatedAtAnyLength()
    {
        final AtomicBuffer packet = sent(sender, 1);
        for (int length = 1; length < PACKET_LENGTH; length++)
        {
            inject(Buffers.wrap(packet, 0, length));
            assertFalse(receiver.hasPacket(), "whole packet of " + length);
            far.wire(0).begin(1, PACKET_LENGTH);
            far.wire(0).feed(packet, 0, length);
            far.wire(0).abort();
            assertFalse(receiver.hasPacket(), "cut at " + length);
        }

        assertEquals(PACKET_LENGTH - 1, receiver.rejectCount(EnvelopeReject.CUT));
        assertEquals(EnvelopeWire.ENVELOPE_LENGTH, receiver.rejectCount(EnvelopeReject.LENGTH));
        assertEquals(1, take(packet));
    }

    @Test
    void shouldDropWhatIsForAnotherOrTooLong()
    {
        sender.begin(2, 8);
        assertThrows(IllegalArgumentException.class, () -> sender.feed(message, 0, 8));
        final EnvelopeWire stranger = new EnvelopeWire(far.wire(0), 0, 1, 400);
        final EnvelopeWire misled = new EnvelopeWire(far.wire(1), 7, 1, 256);
        send(stranger, 1);
        assertFalse(misled.hasPacket());
        stranger.begin(1, 257);
        stranger.feed(Buffers.wrap(new byte[257]), 0, 257);
        assertFalse(misled.hasPacket());

        assertEquals(1, misled.rejectCount(EnvelopeReject.DESTINATION));
        assertEquals(1, misled.rejectCount(EnvelopeReject.LENGTH));
    }

    @Test
    void shouldCheckNothingThatItsGuardsDoNotAskFor()
    {
        final AtomicBuffer packet = sent(sender, 1);
        final EnvelopeWire forgetful =
            Guards.without(Guard.PACKET_NUMBER).envelope(far.wire(1), 1, 1, 256);
        inject(packet);
        inject(packet);
        assertTrue(forgetful.hasPacket());
        forgetful.release();
        assertTrue(forgetful.hasPacket());
        forgetful.release();

        packet.putByte(40, (byte)99);
        final EnvelopeWire trusting =
            Guards.without(Guard.PACKET_CHECKSUM).envelope(far.wire(1), 1, 1, 256);
        inject(packet);
        assertTrue(trusting.hasPacket());
    }

    @Test
    void shouldBeIdleOnlyWhenTheRawWireTookThePacket()
    {
        final DirectFabric full = new DirectFabric(2, 1, 512);
        final EnvelopeWire wire = new EnvelopeWire(full.wire(0), 0, 1, 256);
        send(wire, 1);
        assertTrue(wire.isIdle());
        send(wire, 2);                      // Waits in the raw wire, which is busy with it.
        assertTrue(wire.isIdle());
        send(wire, 3);
        assertFalse(wire.isIdle());
        assertThrows(IllegalStateException.class, () -> wire.begin(1, 8));

        full.wire(1).release();

        assertTrue(wire.isIdle());
        assertEquals(3, wire.sentCount());
    }

    @Test
    void shouldSendNothingOfAnAbortedPacket()
    {
        sender.begin(1, 20);
        sender.feed(message, 0, 10);
        sender.abort();

        assertTrue(sender.isIdle());
        assertFalse(near.wire(1).hasPacket());
        assertEquals(8, take(sent(sender, 8)));
    }

    @Test
    void shouldAllocateNothingPerPacket()
    {
        final EnvelopeWire from = new EnvelopeWire(far.wire(0), 0, 1, 256);

        final long allocated = Allocation.of(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                send(from, i);
                assertTrue(receiver.hasPacket());
                receiver.release();
            }
        });

        assertEquals(0, allocated);
    }

    private void send(final Wire wire, final int number)
    {
        message.putInt(0, number);
        wire.begin(1, MESSAGE_LENGTH);
        wire.feed(message, 0, 8);
        wire.feed(message, 8, MESSAGE_LENGTH - 8);
    }

    private AtomicBuffer sent(final EnvelopeWire wire, final int number)
    {
        send(wire, number);
        final Wire caught = near.wire(1);
        final byte[] bytes = new byte[caught.length()];
        caught.buffer().getBytes(caught.offset(), bytes);
        caught.release();
        return Buffers.wrap(bytes);
    }

    private void inject(final AtomicBuffer packet)
    {
        far.wire(0).begin(1, packet.capacity());
        far.wire(0).feed(packet, 0, packet.capacity());
    }

    private int take(final AtomicBuffer packet)
    {
        inject(packet);
        if (!receiver.hasPacket())
        {
            return -1;
        }
        final int number = receiver.buffer().getInt(receiver.offset());
        receiver.release();
        return number;
    }
}
