// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.Payloads;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One run of an inbox: a victim and a bystander that send, and a receiver that checks every byte. The message's number
 * shows its sender and content.
 */
final class CrashRun implements MessageSink
{
    static final InboxGeometry EXCLUSIVE = new InboxGeometry(1, 2, 0, 8, 64, 1024, 0, 0);
    static final InboxGeometry SHARED = new InboxGeometry(1, 0, 1, 8, 64, 1024, 3, 256);
    static final int RECEIVER = 0;
    static final int VICTIM = 1;
    static final int BYSTANDER = 2;
    static final int SMALL = 8;
    static final int LARGE = 200;

    final InboxGeometry geometry;
    final Inbox inbox;
    final AtomicBuffer incarnations = FixedMembership.firstIncarnations(3);
    final NotificationTable table = new NotificationTable(64, new int[]{1});
    final ChannelReceiver receiver;
    final Hop bystander;
    final List<Integer> published = new ArrayList<>();
    final List<Integer> bystanding = new ArrayList<>();
    final List<Integer> received = new ArrayList<>();
    RejectReason expectedReason;

    private final Inbox victimInbox;
    private int next = 1;

    CrashRun(final InboxGeometry geometry, final Lifetime victim, final Lifetime recovery)
    {
        this.geometry = geometry;
        final AtomicBuffer buffer = Buffers.allocate(Inbox.lengthOf(geometry));
        inbox = Inbox.create(buffer, geometry, RECEIVER, 1, 0);
        victimInbox = Inbox.wrap(CrashingMemory.over(buffer, victim));
        receiver = new ChannelReceiver(Inbox.wrap(CrashingMemory.over(buffer, recovery)), 0,
            new FixedMembership(RECEIVER, incarnations), table);
        bystander = attach(inbox, BYSTANDER);
    }

    Hop attachVictim()
    {
        return attach(victimInbox, VICTIM);
    }

    /** The next incarnation of the dead. */
    Hop attachSuccessor()
    {
        return attach(inbox, VICTIM);
    }

    /** Leftovers of a victim that runs amok: a word that no sender writes, and something that looks like a message. */
    void scribble(final int position)
    {
        final int shift = Integer.numberOfTrailingZeros(geometry.slotCount());
        final int slot = (position & geometry.slotCount() - 1) * geometry.slotLength();
        final int slotAfter = (position + 1 & geometry.slotCount() - 1) * geometry.slotLength();
        final AtomicBuffer buffer = victimInbox.buffer();
        buffer.putIntRelease(victimInbox.slotsOffset(0, 1) + slotAfter, SlotState.published(position + 1, shift));
        buffer.putIntRelease(victimInbox.slotsOffset(0, 1) + slot, 0x1234_5678);
    }

    void killVictim()
    {
        FixedMembership.kill(incarnations, VICTIM);
    }

    /** A message by claim and publish. */
    void send(final Hop hop, final int length)
    {
        assertEquals(SendStatus.SENT, trySend(hop, length));
    }

    SendStatus trySend(final Hop hop, final int length)
    {
        final HopClaim claim = new HopClaim();
        final SendStatus status = hop.tryClaim(length, claim);
        if (status == SendStatus.SENT)
        {
            publish(hop, claim);
        }
        return status;
    }

    void publish(final Hop hop, final HopClaim claim)
    {
        final int number = number(hop);
        fill(claim, number, claim.length());
        claim.publish();
        history(hop).add(number);
    }

    /** A message in one step, as links do it. */
    void sendInOneStep(final Hop hop, final int length)
    {
        final int number = number(hop);
        final AtomicBuffer payload = Buffers.wrap(new byte[length]);
        Payloads.fill(payload, 0, length, number);
        final SendStatus status = hop.trySend(
            MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, number >>> 16 << 4) | MessageHeader.correction(length),
            MessageHeader.extentWords(RECEIVER << 4, MessageHeader.routeWord(0, 0), length),
            MessageHeader.pair(number, 0), 0, payload, 0, length);
        assertEquals(SendStatus.SENT, status);
        history(hop).add(number);
    }

    void claimAndAbort(final Hop hop, final int length)
    {
        final HopClaim claim = new HopClaim();
        assertEquals(SendStatus.SENT, hop.tryClaim(length, claim));
        fill(claim, number(hop), length);
        claim.abort();
    }

    /** Reads all that there is; its room goes back when a batch is full. */
    void read()
    {
        // A new sender shows at the first poll, its messages at the next.
        table.poll(this, Integer.MAX_VALUE);
        int count = 1;
        while (count > 0)
        {
            count = table.poll(this, Integer.MAX_VALUE);
        }
    }

    void drain()
    {
        read();
        table.release();
    }

    /** Work of the receiver until it has taken everything back: idle cycles with housekeeping. */
    void recover()
    {
        for (int i = 0; i < 4; i++)
        {
            drain();
            receiver.housekeep(1);
        }
        table.release();
    }

    void checkAll()
    {
        assertEquals(published, sentBy(VICTIM));
        assertEquals(bystanding, sentBy(BYSTANDER));
        checkNothingHeld();
        checkWholeQueueUsable();
    }

    void checkNothingHeld()
    {
        for (int frame = 0; frame < geometry.frameCount(); frame++)
        {
            assertEquals(0, inbox.frameOwner(frame), "owner of frame " + frame);
        }
        for (int queue = 0; queue < geometry.exclusiveQueueCount(); queue++)
        {
            final long owner = inbox.owner(0, queue);
            assertTrue(owner == 0 || QueueOwner.node(owner) == BYSTANDER, "owner of queue " + queue);
        }
        for (int sender = 0; isShared() && sender < InboxLayout.SENDER_COUNT; sender++)
        {
            final long owner = inbox.sender(0, sender);
            assertTrue(owner == 0 || QueueOwner.node(owner) == BYSTANDER, "sender " + sender);
        }
    }

    /** A new sender takes the dead one's place, finds every slot and every frame, and nobody hears of old messages. */
    private void checkWholeQueueUsable()
    {
        final Hop successor = attachSuccessor();
        drain();
        final int count = geometry.slotCount() - (isShared() ? geometry.sharedSenderCountMax() : 0);
        final int largeCount = isShared() ? geometry.frameCount() : geometry.ringLength() / 256;
        send(successor, SMALL);
        drain();
        assertEquals(published, sentBy(VICTIM));
        for (int i = 0; i < count; i++)
        {
            send(successor, i < largeCount ? LARGE : SMALL);
        }
        drain();
        assertEquals(published, sentBy(VICTIM));
        assertEquals(bystanding, sentBy(BYSTANDER));
    }

    List<Integer> sentBy(final int node)
    {
        return received.stream().filter(number -> number >>> 16 == node).toList();
    }

    boolean isShared()
    {
        return geometry.sharedQueueCount() > 0;
    }

    @Override
    public void onMessage(
        final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
        final int payloadOffset, final int payloadLength)
    {
        final int number = new MessageHeader().wrap(buffer, headerOffset).argument(0);
        assertEquals(MessageHeader.sourceAddress(first) >>> 4, number >>> 16);
        for (int i = 0; i < payloadLength; i++)
        {
            assertEquals(Payloads.at(number, i), buffer.getByte(payloadOffset + i),
                "message " + Integer.toHexString(number) + " byte " + i);
        }
        received.add(number);
    }

    @Override
    public void onReject(final RejectReason reason, final ArrivalQueue queue)
    {
        assertEquals(expectedReason, reason);
    }

    private Hop attach(final Inbox over, final int node)
    {
        final FixedMembership membership = new FixedMembership(node, incarnations);
        return isShared() ? SharedSender.tryAttach(over, 0, 0, membership, new SilentHost()) :
            ExclusiveSender.tryAttach(over, 0, 0, membership, new SilentHost());
    }

    private int number(final Hop hop)
    {
        return (hop == bystander ? BYSTANDER : VICTIM) << 16 | next++;
    }

    private List<Integer> history(final Hop hop)
    {
        return hop == bystander ? bystanding : published;
    }

    private static void fill(final HopClaim claim, final int number, final int length)
    {
        new MessageHeader().wrap(claim.buffer(), claim.headerOffset()).put(
            MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, number >>> 16 << 4), RECEIVER << 4,
            MessageHeader.routeWord(0, 0), 0, length, MessageHeader.pair(number, 0), 0);
        final byte[] payload = new byte[length];
        for (int i = 0; i < length; i++)
        {
            payload[i] = Payloads.at(number, i);
        }
        claim.buffer().putBytes(claim.offset(), payload);
    }
}
