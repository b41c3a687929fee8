// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;

import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Messages above the MTU arrive once, in order with short ones, unchanged; claims; what the caller did wrong. */
abstract class LargeMessageContract extends LargeSupport
{
    @Test
    void shouldDeliverEverySizeUnchangedAndInOrderWithShortOnes()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final int mtu = link(0).payloadLengthMax();
        final int[] lengths = {mtu + 1, 0, mtu * 2 - 1, mtu * 2, mtu, mtu * 2 + 1, 8, MIB + 3, mtu + 2, 1};

        for (int i = 0; i < lengths.length * 3; i++)
        {
            sendLarge(link(0), record, i, lengths[i % lengths.length]);
        }

        awaitHistory(0, lengths.length * 3);
        assertEquals("18", cluster().far("counter large-messages-received"));
        assertEquals(18, counter(near(), "large-messages-sent"));
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldReachADeviceThatHasAHandlerOfItsOwn()
    {
        startLarge();
        final EndpointId device = openFarDevice("one fpga 2 1");
        final HandlerId record = resolve(FarDevices.RECORD);
        final Link fpga = near().endpoint().link(device);

        sendLarge(fpga, record, 0, 100_000);
        sendLarge(fpga, record, 1, 8);

        awaitHistory(2, 2);
        assertNothingHeld();
    }

    @Test
    void shouldGoTheWayThatIsMeant()
    {
        startLarge();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        settle();
        cluster().far("stop");
        settle();

        sendLarge(link(0), record, 0, 100_000);
        final long outboxLength = counter(near(), "outbox-length");
        final int waiting = near().endpoint().overflowDepth();
        cluster().far("continue");

        awaitHistory(0, 1);
        assertEquals(goesInParts() ? 0 : 100_096, outboxLength);
        assertEquals(goesInParts() ? 1 : 0, waiting);
    }

    @Test
    @Tag(LOCAL)
    void shouldCountALongMessageOnce()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        sendLarge(link(1), record, 0, 8);
        awaitHistory(1, 1);
        settle();
        final long sentBefore = counter(near(), "messages-sent channel=1");
        final long bytesBefore = counter(near(), "bytes-sent channel=1");
        final long receivedBefore = Long.parseLong(cluster().far("counter messages-received channel=1"));

        sendLarge(link(1), record, 1, 100_000);
        awaitHistory(1, 2);
        settle();

        assertEquals(sentBefore + 1, counter(near(), "messages-sent channel=1"));
        assertEquals(bytesBefore + 100_000, counter(near(), "bytes-sent channel=1"));
        assertEquals(Long.toString(receivedBefore + 1), cluster().far("counter messages-received channel=1"));
        assertEquals(0, counter(near(), "overflow-depth channel=1"));
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldDeliverTheGreatestAndRefuseOneMoreByNamingValueAndLimit()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final int max = 16 * MIB;

        sendLarge(link(0), record, 0, max);
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class,
            () -> link(0).send(record, large, 0, max + 1));
        final IllegalArgumentException blocking = assertThrows(IllegalArgumentException.class, () -> near().endpoint()
            .link(farId(0)).sendBlocking(record, 0, 0, 0, 0, large, 0, max + 1, new SteppingIdle(cluster())));

        awaitHistory(0, 1);
        assertEquals("payload length=16777217 exceeds max=16777216 (grim.message.length-max); a stream may be longer",
            ex.getMessage());
        assertEquals(ex.getMessage(), blocking.getMessage());
    }

    @Test
    @Tag(LOCAL)
    void shouldLeaveNothingBehindWhenTheCallersBufferIsTooShort()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);

        assertThrows(IndexOutOfBoundsException.class,
            () -> link(0).send(record, large, large.capacity() - 99_999, 100_000));
        assertThrows(IndexOutOfBoundsException.class, () -> near().endpoint().link(farId(0)).sendBlocking(record, 0,
            0, 0, 0, large, large.capacity() - 99_999, 100_000, new SteppingIdle(cluster())));
        sendLarge(link(0), record, 0, 100_000);

        awaitHistory(0, 1);
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldSendFromTheCallersBufferWhenItMayBlock()
    {
        startLarge("grim.overflow.ceiling", "64KiB");
        final HandlerId record = resolve(FarNode.RECORD);

        for (int i = 0; i < 5; i++)
        {
            final int length = i * 300_000;
            final SendStatus status = near().endpoint().link(farId(0)).sendBlocking(record, i, fill(length, i), 0, 0,
                large, 0, length, new SteppingIdle(cluster()));
            assertEquals(SendStatus.SENT, status);
        }

        awaitHistory(0, 5);
        assertEquals(0, near().endpoint().overflowDepth());
    }

    @Test
    @Tag(LOCAL)
    void shouldSayWhatCanNeverWaitInTheOverflowQueue()
    {
        startLarge("grim.overflow.ceiling", "64KiB", "grim.message.outbox-length", 0);
        final HandlerId record = resolve(FarNode.RECORD);

        final GrimException ex = assertThrows(GrimException.class,
            () -> link(0).send(record, large, 0, 100_000));

        assertEquals("message length=100000 bytes is more than an overflow queue can ever hold: max=65536 bytes " +
            "(grim.overflow.ceiling); use sendBlocking or a stream; the message was not sent", ex.getMessage());
        sendNumbered(link(0), record, 0, 8);
        awaitHistory(0, 1);
    }

    @Test
    @Tag(LOCAL)
    void shouldFillWhatWasClaimedWithoutACopy()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);
        final HopClaim claim = new HopClaim();
        int sequence = 0;

        for (int i = 0; i < 12; i++)
        {
            final int next = sequence;
            final int length = 60_000 + i * 37_000;
            final int crc = fill(length, next);
            await(() -> link(0).tryClaim(record, length, claim).isAccepted(), () -> "room");
            assertThrows(IllegalStateException.class, () -> link(0).send(record, large, 0, 100_000));
            assertEquals(length, claim.length());
            if (i % 3 == 0)
            {
                claim.buffer().setMemory(claim.offset(), length, (byte)0x55);
                claim.abort();
            }
            else
            {
                claim.buffer().putBytes(claim.offset(), large, 0, length);
                claim.arguments(next, crc, 0, 0).publish();
                sequence++;
            }
        }

        awaitHistory(0, sequence);
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldCountALongMessageForAnUnknownHandlerAndGoOn()
    {
        startLarge();
        final HandlerId record = resolve(FarNode.RECORD);

        sendLarge(link(0), record, 0, 100_000);
        sendLarge(link(0), HandlerId.of(60_000), 0, 100_000);
        sendLarge(link(0), record, 1, 100_000);

        awaitHistory(0, 2);
        assertEquals("1", cluster().far("counter rejected UNKNOWN_HANDLER"));
        assertNothingHeld();
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepMoreThanItsSendersHoldAndThanArriveAtATime()
    {
        startLarge("grim.message.length-max", 2 * MIB, "grim.message.reassembly-length", 4 * MIB,
            "grim.message.outbox-length", goesInParts() ? 0 : 8 * MIB);
        final List<KeptMessage> kept = new ArrayList<>();
        final HandlerId keep = registerNear("near.keep", message -> kept.add(message.keep()));
        final HandlerId echo = resolve(FarNode.ECHO);
        final int length = MIB + 3;

        for (int i = 0; i < 12; i++)
        {
            final int sequence = i;
            final int crc = fill(length, i);
            await(() -> link(0).send(echo, keep.number(), sequence, crc, 0, large, 0, length).isAccepted(),
                () -> "room");
            await(() -> kept.size() == sequence + 1, () -> "message " + sequence);
        }

        assertNothingHeld();
        for (int i = 0; i < kept.size(); i++)
        {
            final KeptMessage message = kept.get(i);
            assertEquals(i, message.argument(0));
            assertEquals(length, message.length());
            assertEquals(message.argument(1), Payloads.crc(message.buffer(), message.offset(), length));
            message.release();
        }
        assertEquals(0, counter(near(), "kept-length channel=0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldFreeTheMemoryOfAMessageWhoseHandlerThrows()
    {
        startLarge("grim.message.length-max", 100_000, "grim.message.reassembly-length", 100_000,
            "grim.message.outbox-length", goesInParts() ? 0 : 8 * MIB);
        final HandlerId record = resolve(FarNode.RECORD);
        final HandlerId thrower = resolve(FarNode.THROW);

        for (int i = 0; i < 5; i++)
        {
            sendLarge(link(0), thrower, 0, 100_000);
            sendLarge(link(0), record, i, 100_000);
        }

        awaitHistory(0, 5);
        assertEquals("5", cluster().far("errors"));
        assertNothingHeld();
    }
}
