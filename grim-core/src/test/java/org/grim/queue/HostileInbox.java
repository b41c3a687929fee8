// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.HostileInput;
import org.grim.Payloads;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An inbox of which a peer overwrites one queue with what a fuzzer says, and that has an honest sender on another: all
 * that the honest one sends arrives, and what the other queue hands over lies where payloads of that queue do. Memory
 * before and behind the inbox is watched. Queues: 0 and 1 exclusive, 2 shared, all of one channel.
 */
final class HostileInbox implements MessageSink, ArrivalQueues
{
    static final int HOSTILE_EXCLUSIVE = 0;
    static final int HONEST = 1;
    static final int SHARED = 2;
    static final InboxGeometry GEOMETRY = new InboxGeometry(2, 2, 1, 4, 64, 1024, 4, 256);

    private static final int CHANNEL = QueueFixture.CHANNEL;
    private static final int GUARD_LENGTH = 1024;
    private static final byte GUARD = 0x5A;
    private static final int HONEST_LENGTH_MAX = 448;

    /** One for all inputs, which come one after the other: memory outside the heap is slow to make. */
    private static final AtomicBuffer GUARDED = Buffers.allocate(Inbox.lengthOf(GEOMETRY) + GUARD_LENGTH * 2);

    final AtomicBuffer memory = Buffers.wrap(GUARDED, GUARD_LENGTH, Inbox.lengthOf(GEOMETRY));
    final Inbox inbox;
    final ChannelReceiver receiver;
    final HopClaim claim = new HopClaim();
    final QueueFixture.FakeMembership senderView = new QueueFixture.FakeMembership(QueueFixture.SENDER, 1);

    private final int hostileQueue;
    private final QueueFixture.FakeMembership receiverView =
        new QueueFixture.FakeMembership(QueueFixture.RECEIVER, 1);
    private final List<ArrivalQueue> queues = new ArrayList<>();
    private final NotificationTable table = new NotificationTable(4, new int[0]);
    private final Hop honest;
    private final List<int[]> targets = new ArrayList<>();
    private int sentCount;
    private int receivedCount;

    HostileInbox(final int hostileQueue, final long firstPosition)
    {
        this.hostileQueue = hostileQueue;
        GUARDED.setMemory(0, GUARDED.capacity(), GUARD);
        memory.setMemory(0, memory.capacity(), (byte)0);
        inbox = Inbox.create(memory, GEOMETRY, QueueFixture.RECEIVER, 1, firstPosition);
        inbox.tryOwn(CHANNEL, HOSTILE_EXCLUSIVE, QueueOwner.of(0, 0, 1));
        honest = ExclusiveSender.tryAttach(inbox, CHANNEL, 0, senderView, new DeafHost());
        if (hostileQueue == SHARED)
        {
            inbox.freeOwner(CHANNEL, HOSTILE_EXCLUSIVE);
        }
        receiver = new ChannelReceiver(inbox, CHANNEL, receiverView, this);
        addTargets();
    }

    /** A host that believes any doorbell. */
    static final class DeafHost implements SenderHost
    {
        @Override
        public void ring(final int bell)
        {
            // Files of that number do not exist.
        }

        @Override
        public void closed()
        {
            // The inbox belongs to the test.
        }
    }

    /** One thing that the peer, the honest sender or the receiver does. */
    void step(final HostileInput input)
    {
        switch (input.nextBelow(12))
        {
            case 0, 1, 2 -> scribble(input);
            case 3 -> memory.putLong(descriptor() + InboxLayout.OWNER_OFFSET, owner(input));
            case 4 -> memory.putLong(descriptor() + InboxLayout.HEAD_OFFSET, input.nextPosition());
            case 5 -> memory.putLong(descriptor() + InboxLayout.TAIL_OFFSET, input.nextPosition());
            case 6, 7 -> forge(input);
            case 8 -> poll(1 + input.nextBelow(8));
            case 9 -> sendHonestly(input.nextBelow(HONEST_LENGTH_MAX + 1));
            case 10 -> table.release();
            default -> housekeep(input);
        }
    }

    /** In every case the honest sender's messages all arrive, and nothing beside the inbox was touched. */
    void finish()
    {
        for (int i = 0; i < GEOMETRY.slotCount() * 2; i++)
        {
            pollAll();
            sendHonestly(i * HONEST_LENGTH_MAX / 8);
        }
        pollAll();
        assertEquals(sentCount, receivedCount);
        assertTrue(sentCount >= GEOMETRY.slotCount() * 2 - 1);
        assertFalse(inbox.isStopped(CHANNEL, HONEST));
        for (int i = 0; i < GUARD_LENGTH; i++)
        {
            assertEquals(GUARD, GUARDED.getByte(i));
            assertEquals(GUARD, GUARDED.getByte(GUARD_LENGTH + memory.capacity() + i));
        }
    }

    int descriptor()
    {
        return inbox.headIndex(CHANNEL, hostileQueue) - InboxLayout.HEAD_OFFSET;
    }

    int slots()
    {
        return inbox.slotsOffset(CHANNEL, hostileQueue);
    }

    void scribble(final HostileInput input)
    {
        final int[] target = targets.get(input.nextBelow(targets.size()));
        memory.putInt(target[0] + (input.nextBelow(target[1]) & ~3), input.nextInt());
    }

    private void addTargets()
    {
        targets.add(new int[]{slots(), GEOMETRY.slotCount() * GEOMETRY.slotLength()});
        targets.add(new int[]{descriptor(), InboxLayout.DESCRIPTOR_LENGTH});
        targets.add(new int[]{InboxLayout.ATTACH_OFFSET, InboxLayout.CHANNELS_OFFSET - InboxLayout.ATTACH_OFFSET});
        if (hostileQueue == SHARED)
        {
            final int senders = inbox.ringIndex(GEOMETRY.channelCount(), 0);
            targets.add(new int[]{senders, memory.capacity() - senders});
            targets.add(new int[]{senders + InboxLayout.SENDER_COUNT * Long.BYTES, Long.BYTES * 4});
            targets.add(new int[]{inbox.frameOffset(0) - 64, Integer.BYTES * GEOMETRY.frameCount()});
        }
        else
        {
            targets.add(new int[]{inbox.ringIndex(CHANNEL, hostileQueue), GEOMETRY.ringLength()});
        }
    }

    private static long owner(final HostileInput input)
    {
        final long owner = QueueOwner.of(input.nextBelow(5), input.nextByte(), input.nextBelow(3));
        return switch (input.nextBelow(4))
        {
            case 0 -> input.nextLong();
            case 1 -> 0;
            case 2 -> QueueOwner.detached(owner);
            default -> owner;
        };
    }

    /** A message whose header is good but for a few bits, with a payload that lies anywhere. */
    private void forge(final HostileInput input)
    {
        final int shift = Integer.numberOfTrailingZeros(GEOMETRY.slotCount());
        final long position = inbox.headAcquire(CHANNEL, hostileQueue) + input.nextBelow(GEOMETRY.slotCount());
        final int slot = slots() + ((int)position & GEOMETRY.slotCount() - 1) * GEOMETRY.slotLength();
        final int sender = input.nextBelow(4);
        new MessageHeader().wrap(memory, slot).put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sender << 4),
            QueueFixture.RECEIVER << 4, MessageHeader.routeWord(0, CHANNEL), 16,
            input.nextBelow(MessageHeader.PAYLOAD_LENGTH_MAX + 1), 0, 0);
        final int damaged = slot + Integer.BYTES + input.nextBelow(12);
        memory.putByte(damaged, (byte)(memory.getByte(damaged) ^ 1 << input.nextBelow(64)));
        memory.putInt(slot + MessageHeader.LENGTH, (int)input.nextPosition());
        if (hostileQueue == SHARED && input.nextBelow(2) == 0)
        {
            final int frame = input.nextBelow(GEOMETRY.frameCount());
            memory.putInt(slot + MessageHeader.LENGTH, frame);
            inbox.tryFrame(frame, Inbox.frameOwnerOf(CHANNEL, sender));
            inbox.trySender(CHANNEL, sender, QueueOwner.of(sender, 0, 1));
        }
        memory.putInt(slot, input.nextBelow(4) == 0 ?
            SlotState.claimed(position, shift, sender) : SlotState.published(position, shift));
    }

    private void housekeep(final HostileInput input)
    {
        receiverView.set(0, input.nextBelow(3));
        receiverView.set(3, input.nextBelow(3));
        receiver.housekeep(input.nextByte());
    }

    private void sendHonestly(final int length)
    {
        if (honest.tryClaim(length, claim) == SendStatus.SENT)
        {
            new MessageHeader().wrap(claim.buffer(), claim.headerOffset()).put(
                MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, QueueFixture.SENDER << 4),
                QueueFixture.RECEIVER << 4, MessageHeader.routeWord(0, CHANNEL), 16, length,
                MessageHeader.pair(sentCount, 0), 0);
            Payloads.fill(claim.buffer(), claim.offset(), length, sentCount);
            claim.publish();
            sentCount++;
        }
    }

    private void pollAll()
    {
        for (int i = 0; i < 4; i++)
        {
            poll(1000);
        }
        table.release();
    }

    private void poll(final int limit)
    {
        table.poll(this, limit);
        for (final ArrivalQueue queue : queues)
        {
            checkWord(queue);
        }
    }

    /** The loop loads this word by its address: it lies in the queue's slots for any head. */
    private void checkWord(final ArrivalQueue queue)
    {
        final long index = queue.notificationAddress() - memory.addressOffset();
        final int slotsLength = GEOMETRY.slotCount() * GEOMETRY.slotLength();
        final long first = queue instanceof final QueueReceiver known ?
            inbox.slotsOffset(CHANNEL, known.queue()) : InboxLayout.ATTACH_OFFSET;
        assertTrue(index >= first && index < first + slotsLength && index % Integer.BYTES == 0, "word " + index);
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        final int slotsLength = GEOMETRY.slotCount() * GEOMETRY.slotLength();
        final int honestSlots = inbox.slotsOffset(CHANNEL, HONEST);
        if (headerOffset >= honestSlots && headerOffset < honestSlots + slotsLength)
        {
            final int number = new MessageHeader().wrap(buffer, headerOffset).argument(0);
            assertEquals(receivedCount, number);
            for (int i = 0; i < payloadLength; i++)
            {
                assertEquals(Payloads.at(number, i), buffer.getByte(payloadOffset + i));
            }
            receivedCount++;
            return;
        }
        assertTrue(isSlot(headerOffset), "header " + headerOffset);
        assertTrue(payloadLength >= 0 && isOwnPayload(headerOffset, payloadOffset, payloadLength),
            "payload " + payloadOffset + " length " + payloadLength);
    }

    private boolean isSlot(final int offset)
    {
        return offset >= slots() && offset < slots() + GEOMETRY.slotCount() * GEOMETRY.slotLength();
    }

    /** Returns whether a payload lies where payloads of the hostile queue do. */
    boolean isOwnPayload(final int headerOffset, final int offset, final int length)
    {
        if (isSlot(headerOffset) && offset == headerOffset + MessageHeader.LENGTH)
        {
            return length <= GEOMETRY.inlineLength();
        }
        if (hostileQueue == SHARED)
        {
            final int within = (offset - inbox.frameOffset(0)) % GEOMETRY.frameLength();
            return offset >= inbox.frameOffset(0) && offset + length <= memory.capacity() &&
                within == MessageHeader.LENGTH && within + length <= GEOMETRY.frameLength();
        }
        final int ring = inbox.ringIndex(CHANNEL, hostileQueue);
        return offset >= ring && offset + length <= ring + GEOMETRY.ringLength();
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        assertTrue(!(queue instanceof final QueueReceiver known) || known.queue() != HONEST, "honest: " + reason);
    }

    @Override
    public void add(final ArrivalQueue queue)
    {
        queues.add(queue);
        table.add(queue);
    }

    @Override
    public void remove(final ArrivalQueue queue)
    {
        queues.remove(queue);
        table.remove(queue);
    }
}
