// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rogue writes into the memory of an inbox: senders answer with a status, and count accepted messages. */
final class ScribbledQueueTest
{
    private static final InboxGeometry GEOMETRY = new InboxGeometry(2, 1, 1, 4, 64, 1024, 4, 256);
    private static final int GUARD_LENGTH = 1024;
    private static final byte GUARD = 0x5A;
    private static final int LARGE = 100;
    private static final AtomicBuffer PAYLOAD = Buffers.allocate(LARGE);
    private static final AtomicBuffer GUARDED = Buffers.allocate(Inbox.lengthOf(GEOMETRY) + GUARD_LENGTH * 2);

    private final AtomicBuffer memory = Buffers.wrap(GUARDED, GUARD_LENGTH, Inbox.lengthOf(GEOMETRY));
    private final QueueFixture.FakeMembership senderView =
        new QueueFixture.FakeMembership(QueueFixture.SENDER, 1);
    private final HopClaim claim = new HopClaim();
    private Inbox inbox;

    @Test
    void shouldAnswerWithAStatusWhateverAWordSays()
    {
        for (int word = 0; word < memory.capacity(); word += Integer.BYTES)
        {
            for (final int value : new int[]{0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x06360002, 0x80010001})
            {
                make();
                final List<Hop> hops = List.of(exclusive(), shared());
                hops.forEach(this::send);
                memory.putInt(word, value);
                hops.forEach(this::send);
                memory.putInt(word, ~value);
                hops.forEach(this::send);
                hops.forEach(hop -> assertTrue(hop.unknownCount() <= GEOMETRY.slotCount()));
                hops.forEach(Hop::close);
                checkGuards("word=" + word + " value=" + value);
            }
        }
    }

    /** Which node it is of was checked when it was mapped: what stands there later is not used. */
    @Test
    void shouldAttachToTheNodeThatWasChecked()
    {
        make();
        memory.putInt(InboxLayout.NODE_OFFSET, Integer.MAX_VALUE);
        memory.putInt(InboxLayout.INCARNATION_OFFSET, 77);

        assertEquals(SendStatus.SENT, exclusive().tryClaim(0, claim));
        assertEquals(SendStatus.SENT, shared().tryClaim(0, claim));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, LARGE})
    void shouldCountAnAcceptedMessageThatFindsNoSlot(final int length)
    {
        make();
        final Hop sender = shared();
        assertEquals(SendStatus.SENT, sender.tryClaim(length, claim));
        new MessageHeader().wrap(claim.buffer(), claim.headerOffset()).put(0, 0, 0, 16, length, 0, 0);
        for (int slot = 0; slot < GEOMETRY.slotCount(); slot++)
        {
            memory.putInt(inbox.slotsOffset(QueueFixture.CHANNEL, 1) + slot * GEOMETRY.slotLength(), 0x77777777);
        }

        claim.publish();

        assertEquals(1, sender.undeliveredCount());
        assertEquals(0, sender.unknownCount());
        assertEquals(SendStatus.CLOSED, sender.tryClaim(length, claim));
        for (int frame = 0; frame < GEOMETRY.frameCount(); frame++)
        {
            assertEquals(0, inbox.frameOwner(frame));
        }
    }

    private void make()
    {
        GUARDED.setMemory(0, GUARDED.capacity(), GUARD);
        memory.setMemory(0, memory.capacity(), (byte)0);
        inbox = Inbox.create(memory, GEOMETRY, QueueFixture.RECEIVER, 1, 0);
    }

    private Hop exclusive()
    {
        final Hop hop = ExclusiveSender.tryAttach(
            inbox, QueueFixture.CHANNEL, 0, senderView, new HostileInbox.DeafHost());
        assertNotNull(hop);
        return hop;
    }

    private Hop shared()
    {
        final Hop hop =
            SharedSender.tryAttach(inbox, QueueFixture.CHANNEL, 0, senderView, new HostileInbox.DeafHost());
        assertNotNull(hop);
        return hop;
    }

    private void send(final Hop hop)
    {
        final SendStatus sent = hop.trySend(0, MessageHeader.extentWords(0, 16, 8), 0, 0, PAYLOAD, 0, 8);
        assertTrue(sent == SendStatus.SENT || sent == SendStatus.BACK_PRESSURED || sent == SendStatus.CLOSED);
        for (final int length : new int[]{0, LARGE})
        {
            final SendStatus claimed = hop.tryClaim(length, claim);
            assertTrue(claimed == SendStatus.SENT || claimed == SendStatus.BACK_PRESSURED ||
                claimed == SendStatus.CLOSED);
            if (claimed == SendStatus.SENT)
            {
                claim.publish();
            }
        }
    }

    private static void checkGuards(final String when)
    {
        for (int i = 0; i < GUARD_LENGTH; i += Long.BYTES)
        {
            assertEquals(0x5A5A5A5A5A5A5A5AL, GUARDED.getLong(i), when);
            assertEquals(0x5A5A5A5A5A5A5A5AL,
                GUARDED.getLong(GUARDED.capacity() - GUARD_LENGTH + i), when);
        }
    }
}
