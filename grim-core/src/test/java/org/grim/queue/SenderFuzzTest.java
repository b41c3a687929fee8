// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.HostileInput;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Senders to an inbox whose receiver, and whose other senders, write heads, tails, states and owners as they like. */
final class SenderFuzzTest
{
    private static final int STEP_COUNT_MAX = 64;
    private static final AtomicBuffer PAYLOAD = Buffers.allocate(MessageHeader.PAYLOAD_LENGTH_MAX);

    private final HopClaim claim = new HopClaim();
    private HostileInbox inbox;
    private boolean isShared;
    private Hop sender;

    @FuzzTest
    void shouldSendOnlyIntoItsOwnRoomOrRefuse(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        isShared = input.nextBelow(2) == 0;
        inbox = new HostileInbox(isShared ? HostileInbox.SHARED : HostileInbox.HOSTILE_EXCLUSIVE, 0);
        inbox.memory.putLong(inbox.descriptor() + InboxLayout.HEAD_OFFSET, input.nextPosition());
        inbox.memory.putLong(inbox.descriptor() + InboxLayout.TAIL_OFFSET, input.nextPosition());
        sender = attach();
        for (int step = 0; step < STEP_COUNT_MAX && input.hasMore(); step++)
        {
            step(input);
        }
        sender.close();
        inbox.finish();
    }

    private Hop attach()
    {
        if (isShared)
        {
            return SharedSender.tryAttach(
                inbox.inbox, QueueFixture.CHANNEL, 0, inbox.senderView, new HostileInbox.DeafHost());
        }
        inbox.inbox.freeOwner(QueueFixture.CHANNEL, HostileInbox.HOSTILE_EXCLUSIVE);
        return ExclusiveSender.tryAttach(
            inbox.inbox, QueueFixture.CHANNEL, 0, inbox.senderView, new HostileInbox.DeafHost());
    }

    private void step(final HostileInput input)
    {
        switch (input.nextBelow(4))
        {
            case 0 -> inbox.step(input);
            case 1 -> inbox.memory.putInt(inbox.inbox.asleepIndex(QueueFixture.CHANNEL), input.nextInt());
            case 2 ->
            {
                final int length = input.nextBelow(sender.payloadLengthMax() + 1);
                final SendStatus status = sender.trySend(0, MessageHeader.extentWords(0, 0, length), 0, 0,
                    PAYLOAD, 0, length);
                assertTrue(status == SendStatus.SENT || status == SendStatus.BACK_PRESSURED ||
                    status == SendStatus.CLOSED);
            }
            default -> claim(input.nextBelow(sender.payloadLengthMax() + 1), input.nextBelow(4) == 0);
        }
        final long unknownCount = sender.unknownCount();
        assertTrue(unknownCount >= 0 && unknownCount <= HostileInbox.GEOMETRY.slotCount());
    }

    private void claim(final int length, final boolean isAborted)
    {
        final SendStatus status = sender.tryClaim(length, claim);
        if (status == SendStatus.SENT)
        {
            checkRoom(length);
            claim.buffer().setMemory(claim.offset(), length, (byte)-1);
            if (isAborted)
            {
                claim.abort();
            }
            else
            {
                claim.publish();
            }
        }
        else
        {
            assertTrue(status == SendStatus.BACK_PRESSURED || status == SendStatus.CLOSED);
        }
    }

    /** The caller's buffer lies in the queue's own slots and ring, in a frame, or in memory of the sender's own. */
    private void checkRoom(final int length)
    {
        assertEquals(length, claim.length());
        if (claim.buffer() != inbox.memory)
        {
            assertTrue(isShared && length <= HostileInbox.GEOMETRY.inlineLength());
            return;
        }
        assertTrue(inbox.isOwnPayload(claim.headerOffset(), claim.offset(), length), "payload " + claim.offset());
    }
}
