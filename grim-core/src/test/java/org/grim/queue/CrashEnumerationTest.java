// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;
import org.grim.wire.HeaderWords;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills a sender before every single store that it makes, with every choice of its unordered stores made visible, and
 * checks that the receiver gives all that was published to the application, takes back all that was held, and disturbs
 * nobody.
 */
final class CrashEnumerationTest
{
    private static final int RECEIVER = 0;
    private static final int VICTIM = 1;
    private static final int BYSTANDER = 2;
    private static final int SLOT_COUNT = 8;
    private static final int FRAME_COUNT = 3;
    private static final int FRAME_LENGTH = 256;
    private static final int SMALL = 8;
    private static final int LARGE = 200;
    private static final int UNORDERED_MAX = 12;
    private static final int CASE_COUNT_MIN = 200;

    private final List<Integer> received = new ArrayList<>();
    private final MessageSink sink = new RecordingSink();

    @Test
    void shouldSurviveDeathBeforeEveryStoreOfAnExclusiveSender()
    {
        final int caseCount = enumerate(new InboxGeometry(1, 2, 0, SLOT_COUNT, 64, 2048, 0, 0), false);

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldSurviveDeathBeforeEveryStoreOfASharedSender()
    {
        final int caseCount =
            enumerate(new InboxGeometry(1, 0, 1, SLOT_COUNT, 64, 1024, FRAME_COUNT, FRAME_LENGTH), true);

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    /** Every prefix of the victim's stores, times every subset of its unordered ones. Returns how many that were. */
    private int enumerate(final InboxGeometry geometry, final boolean isShared)
    {
        int caseCount = 0;
        boolean isDead = true;
        for (int storeCount = 0; isDead; storeCount++)
        {
            int maskCount = 1;
            for (int mask = 0; mask < maskCount; mask++)
            {
                final Run run = new Run(geometry, isShared, storeCount);
                isDead = run.untilDeath();
                assertTrue(run.memory.unorderedCount() <= UNORDERED_MAX);
                maskCount = 1 << run.memory.unorderedCount();
                run.memory.keepOnly(mask);
                final int storeCountNow = storeCount;
                final int maskNow = mask;
                run.recoverAndCheck(() -> "stores=" + storeCountNow + " visible=0b" +
                    Integer.toBinaryString(maskNow));
                caseCount++;
            }
        }
        return caseCount;
    }

    /** One life of an inbox. */
    private final class Run
    {
        private final AtomicBuffer buffer;
        private final Inbox inbox;
        private final CrashingMemory memory;
        private final Cluster cluster = new Cluster();
        private final NotificationTable table = new NotificationTable(64, new int[]{1});
        private final ChannelReceiver receiver;
        private final boolean isShared;
        private final Hop bystander;
        private final List<Integer> published = new ArrayList<>();
        private final List<Integer> bystanding = new ArrayList<>();
        private int next = 1;

        Run(final InboxGeometry geometry, final boolean isShared, final int storeCount)
        {
            received.clear();
            this.isShared = isShared;
            buffer = Buffers.allocate(Inbox.lengthOf(geometry));
            inbox = Inbox.create(buffer, geometry, RECEIVER, 1, 0);
            memory = CrashingMemory.over(buffer, storeCount);
            receiver = new ChannelReceiver(inbox, 0, cluster.as(RECEIVER), table);
            bystander = attach(inbox, BYSTANDER);
        }

        /** False: the victim lived through its whole script. */
        boolean untilDeath()
        {
            try
            {
                final Hop victim = attach(Inbox.wrap(memory.buffer()), VICTIM);
                send(victim, SMALL, published, VICTIM);
                sendBystanding(LARGE);
                send(victim, LARGE, published, VICTIM);
                drain();
                claimAndAbort(victim, LARGE);
                send(victim, SMALL, published, VICTIM);
                drain();
                claimAndAbort(victim, SMALL);
                drain();
                send(victim, LARGE, published, VICTIM);
                sendBystanding(SMALL);
                send(victim, SMALL, published, VICTIM);
                drain();
                victim.close();
                return false;
            }
            catch (final CrashingMemory.Death ex)
            {
                return true;
            }
        }

        void recoverAndCheck(final Supplier<String> which)
        {
            cluster.kill(VICTIM);
            for (int i = 0; i < 4; i++)
            {
                drain();
                receiver.housekeep(1);
            }
            table.release();

            assertEquals(published, sentBy(VICTIM), which);
            assertEquals(bystanding, sentBy(BYSTANDER), which);
            checkNothingHeld(which);
            checkWholeQueueUsable(which);
        }

        private void checkNothingHeld(final Supplier<String> which)
        {
            for (int frame = 0; frame < inbox.geometry().frameCount(); frame++)
            {
                assertEquals(0, inbox.frameOwner(frame), which);
            }
            for (int queue = 0; queue < inbox.geometry().queueCount(); queue++)
            {
                final long owner = inbox.owner(0, queue);
                assertTrue(owner == 0 || QueueOwner.node(owner) == BYSTANDER, which);
            }
            for (int sender = 0; isShared && sender < InboxLayout.SENDER_COUNT; sender++)
            {
                final long owner = inbox.sender(0, sender);
                assertTrue(owner == 0 || QueueOwner.node(owner) == BYSTANDER, which);
            }
        }

        /** A new sender takes the dead one's place and finds every slot and every frame. */
        private void checkWholeQueueUsable(final Supplier<String> which)
        {
            final Hop successor = attach(inbox, VICTIM);
            final int before = received.size();
            final int count = isShared ? SLOT_COUNT - inbox.geometry().sharedSenderCountMax() : SLOT_COUNT;
            for (int i = 0; i < count; i++)
            {
                assertEquals(SendStatus.SENT,
                    trySend(successor, i < FRAME_COUNT ? LARGE : SMALL, new ArrayList<>(), VICTIM), which);
            }
            drain();
            assertEquals(before + count, received.size(), which);
        }

        private Hop attach(final Inbox over, final int node)
        {
            final Membership membership = cluster.as(node);
            return isShared ? SharedSender.tryAttach(over, 0, 0, membership, new SilentHost()) :
                ExclusiveSender.tryAttach(over, 0, 0, membership, new SilentHost());
        }

        private void sendBystanding(final int length)
        {
            send(bystander, length, bystanding, BYSTANDER);
        }

        private void send(final Hop hop, final int length, final List<Integer> history, final int node)
        {
            assertEquals(SendStatus.SENT, trySend(hop, length, history, node));
        }

        private SendStatus trySend(final Hop hop, final int length, final List<Integer> history, final int node)
        {
            final FrameClaim claim = new FrameClaim();
            final SendStatus status = hop.tryClaim(length, claim);
            if (status == SendStatus.SENT)
            {
                fill(claim, length, node);
                final int id = next++;
                claim.buffer().putInt(claim.offset(), node << 16 | id);
                claim.publish();
                history.add(node << 16 | id);
            }
            return status;
        }

        private void claimAndAbort(final Hop hop, final int length)
        {
            final FrameClaim claim = new FrameClaim();
            assertEquals(SendStatus.SENT, hop.tryClaim(length, claim));
            fill(claim, length, VICTIM);
            claim.abort();
        }

        private void fill(final FrameClaim claim, final int length, final int node)
        {
            new MessageHeader().wrap(claim.buffer(), claim.headerOffset())
                .put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, node << 4), RECEIVER << 4, 0, 0, length, 0, 0);
        }

        private void drain()
        {
            // A new sender shows at the first poll, its messages at the next.
            table.poll(sink, Integer.MAX_VALUE);
            while (table.poll(sink, Integer.MAX_VALUE) > 0)
            {
                table.release();
            }
            table.release();
        }

        private List<Integer> sentBy(final int node)
        {
            return received.stream().filter(id -> id >>> 16 == node).toList();
        }
    }

    /** Remembers what came, and fails on anything that is refused. */
    private final class RecordingSink implements MessageSink
    {
        @Override
        public void onMessage(
            final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
            final int payloadOffset, final int payloadLength)
        {
            final int id = buffer.getInt(payloadOffset);
            assertEquals(HeaderWords.sourceAddress(first) >>> 4, id >>> 16);
            received.add(id);
        }

        @Override
        public void onReject(final RejectReason reason, final ArrivalQueue queue)
        {
            throw new AssertionError("refused " + reason);
        }
    }

    /** Three nodes, of which one can die. */
    private static final class Cluster
    {
        private final AtomicBuffer incarnations = FixedMembership.firstIncarnations(3);

        void kill(final int node)
        {
            FixedMembership.kill(incarnations, node);
        }

        Membership as(final int self)
        {
            return new FixedMembership(self, incarnations);
        }
    }
}
