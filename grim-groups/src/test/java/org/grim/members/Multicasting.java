// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.death.Patterns;
import org.grim.group.Group;

/**
 * Multicasts of a member, plain and in total order, and those that come to it.
 * <p>Thread: the member's.
 */
final class Multicasting
{
    private static final int[] LENGTHS = {0, 4, 30, 200, 1_000, 3_000};
    private static final int ANSWER_ODDS = 40;

    private final SplittableRandom random;
    private final Calls calls;
    private final int processKey;
    private final HandlerId handler;
    private final MutableDirectBuffer buffer = new UnsafeBuffer(new byte[32_768]);
    private final MutableDirectBuffer answer = new UnsafeBuffer(new byte[32_768]);
    private Group group;
    private int plainCount;
    private int orderedCount;
    private boolean isQuiet;

    Multicasting(final SplittableRandom random, final Calls calls, final int processKey, final Grim grim)
    {
        this.random = random;
        this.calls = calls;
        this.processKey = processKey;
        handler = grim.handlers().register("members", this::onMessage);
    }

    void enter(final Group newGroup)
    {
        group = newGroup;
        plainCount = 0;
        orderedCount = 0;
    }

    void leave()
    {
        group = null;
    }

    void quiet()
    {
        isQuiet = true;
    }

    /** Sends some, until one is refused. */
    void burst(final int count)
    {
        for (int i = 0; i < count && send(random.nextInt(3) == 0, buffer); i++)
        {
            // As many as there shall be.
        }
    }

    private boolean send(final boolean isOrdered, final MutableDirectBuffer payload)
    {
        final int sequence = MemberRecord.sequence(isOrdered ? orderedCount : plainCount, isOrdered);
        final int key = processKey + calls.membership();
        final int length = random.nextInt(100) == 0 ? random.nextInt(buffer.capacity()) :
            LENGTHS[random.nextInt(LENGTHS.length)];
        Patterns.fill(payload, 0, length, key, sequence);
        final int epoch = (int)group.epoch();
        final int checksum = checksum(payload, 0, length, key, sequence);
        final SendStatus status = calls.get(
            isOrdered ? MemberRecord.Call.MULTICAST_IN_TOTAL_ORDER : MemberRecord.Call.MULTICAST,
            () -> isOrdered ? group.multicastInTotalOrder(handler, key, sequence, checksum, 0, payload, 0, length) :
            group.multicast(handler, key, sequence, checksum, 0, payload, 0, length), null);
        if (status == null || status.isAccepted())
        {
            calls.record(MemberRecord.ACCEPTED, sequence, epoch, status == null ? MemberRecord.SEND_UNKNOWN :
                status == SendStatus.QUEUED ? MemberRecord.SEND_QUEUED : MemberRecord.SEND_SENT);
            orderedCount += isOrdered ? 1 : 0;
            plainCount += isOrdered ? 0 : 1;
            return true;
        }
        calls.record(MemberRecord.NOT_SENT, MemberRecord.code(status), 0, 0);
        return false;
    }

    private void onMessage(final ActiveMessage message)
    {
        final int key = message.argument(0);
        final int sequence = message.argument(1);
        final boolean isRight =
            checksum(message.buffer(), message.offset(), message.length(), key, sequence) == message.argument(2);
        calls.record(isRight ? MemberRecord.DELIVERED : MemberRecord.CORRUPT, key, sequence, 0);
        if (group != null && !isQuiet && random.nextInt(ANSWER_ODDS) == 0)
        {
            send(false, answer);
        }
    }

    private static int checksum(
        final DirectBuffer bytes, final int offset, final int length, final int key, final int sequence)
    {
        return Patterns.checksum(bytes, offset, length, key, 0, sequence);
    }
}
