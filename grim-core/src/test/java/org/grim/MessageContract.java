// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.agrona.DirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages arrive exactly once, in order, unchanged; claims; what the caller did wrong. */
abstract class MessageContract extends ContractSupport
{
    private static final int MESSAGE_COUNT = 100_000;

    @Test
    void shouldDeliverEverySizeUnchanged()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final int[] lengths = {0, 1, 3, 4, 31, 32, 33, INLINE_LENGTH - 1, INLINE_LENGTH, INLINE_LENGTH + 1, 63, 64, 65,
            RING_LENGTH / 8, RING_LENGTH / 4 - 1, RING_LENGTH / 4 + 1, PAYLOAD_LENGTH_MAX - 1, PAYLOAD_LENGTH_MAX};
        final int roundCount = 20;

        for (int i = 0; i < roundCount * lengths.length; i++)
        {
            sendNumbered(link(0), record, i, lengths[i % lengths.length]);
        }

        awaitHistory(0, roundCount * lengths.length);
    }

    @Test
    @Tag(LOCAL)
    void shouldDeliverTheLargestMessageOfTheFormat()
    {
        start(settingsForTheLargestMessage());
        final HandlerId record = resolve(FarNode.RECORD);

        for (int i = 0; i < 20; i++)
        {
            sendNumbered(link(0), record, i, expectedPayloadLengthMax() - i % 2);
        }

        awaitHistory(0, 20);
        assertEquals(expectedPayloadLengthMax(), link(0).payloadLengthMax());
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseANegativeLengthAndAnImpossibleHandler()
    {
        start();

        final IllegalArgumentException length = assertThrows(IllegalArgumentException.class,
            () -> link(0).send(HandlerId.of(16), payload, 0, -1));
        final IllegalArgumentException handler = assertThrows(IllegalArgumentException.class,
            () -> link(0).send(HandlerId.of(65_536), payload, 0, 0));

        assertTrue(length.getMessage().contains("-1"), length.getMessage());
        assertTrue(handler.getMessage().contains("65536"), handler.getMessage());
    }

    @Test
    void shouldDeliverManyMessagesOnceAndInOrder()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(0);
        final Random random = new Random(1);

        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            sendNumbered(link, record, i, random.nextInt(100));
        }

        awaitHistory(0, MESSAGE_COUNT);
        assertEquals(0, Long.parseLong(cluster().far("counter rejected UNKNOWN_HANDLER")));
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepRepliesInOrderWithWhatIsSentToTheSameEndpoint()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final HandlerId flood = resolve(FarNode.FLOOD);
        final Random random = new Random(2);
        final HandlerId flooded = registerNear("near.flooded", message ->
        {
            final int sequence = message.argument(0);
            final int length = random.nextInt(100);
            final int crc = crc(length, sequence);
            final SendStatus status = sequence % 3 == 0 ?
                near().endpoint().link(message.destination().channel(), message.source())
                    .send(record, sequence, crc, 0, 0, payload, 0, length) :
                message.reply(record, sequence, crc, 0, 0, payload, 0, length);
            assertTrue(status.isAccepted(), () -> status.toString());
        });

        await(() -> link(0).send(flood, flooded.number(), MESSAGE_COUNT / 100, 0, 0, payload, 0, 0) == SendStatus.SENT,
            () -> "room");

        awaitHistory(0, MESSAGE_COUNT / 100);
    }

    @Test
    void shouldGatherPiecesIntoOneMessage()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final int[] lengths = {0, 1, 600, PAYLOAD_LENGTH_MAX, 20_000};

        for (int i = 0; i < lengths.length; i++)
        {
            final int sequence = i;
            final int length = lengths[i];
            final int crc = crc(length, i);
            final int third = length / 3;
            final DirectBuffer[] pieces = {
                Buffers.wrap(payload, 0, third), Buffers.wrap(payload, third, 0),
                Buffers.wrap(payload, third, length - third)};
            await(() -> link(0).send(record, sequence, crc, 0, 0, pieces).isAccepted(), () -> "room " + sequence);
        }

        awaitHistory(0, lengths.length);
        final DirectBuffer[] tooLong = new DirectBuffer[200];
        Arrays.fill(tooLong, payload);
        assertThrows(IllegalArgumentException.class, () -> link(0).send(record, 0, 0, 0, 0, tooLong));
    }

    @Test
    void shouldNameWhatIsNullAndGoOn()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final Link link = link(0);
        final SharedLink shared = near().endpoint().sharedLink(farId(0));
        sendNumbered(link, record, 0, 8);
        awaitHistory(0, 1);
        await(() -> shared.send(record, 1, crc(8, 1), 0, 0, payload, 0, 8).isAccepted(), () -> "room");
        awaitHistory(0, 2);

        for (final int length : new int[] {1, 600, link.payloadLengthMax(), 20_000})
        {
            assertNamed("source", () -> link.send(record, null, 0, length));
            assertNamed("claim", () -> link.tryClaim(record, length, null));
        }
        assertNamed("source", () -> shared.send(record, null, 0, 1));
        assertNamed("source", () -> shared.send(record, null, 0, shared.payloadLengthMax()));
        assertNamed("stream", () -> link.tryOpenStream(record, 0, 0, 0, 0, 8, null));
        assertNamed("piece", () -> link.send(record, 0, 0, 0, 0, payload, null));
        sendNumbered(link, record, 2, 8);

        awaitHistory(0, 3);
    }

    private static void assertNamed(final String argument, final Executable call)
    {
        assertEquals(argument, assertThrows(NullPointerException.class, call).getMessage());
    }

    @Test
    @Tag(LOCAL)
    void shouldCarryATextWithArguments()
    {
        start();
        final List<String> texts = new ArrayList<>();
        final HandlerId second = registerNear("near.second", message -> texts.add(message.text()));
        final HandlerId first = registerNear("near.first", message ->
            texts.add(message.text() + message.argument(3) + message.reply(second, "gr\u00fc\u00df")));
        final Link self = near().endpoint().link(near().node());

        assertEquals(SendStatus.SENT, self.send(first, 1, 2, 3, -4, "na\u00efve"));
        await(() -> texts.size() == 2, () -> "the answer");

        assertEquals(List.of("na\u00efve-4SENT", "gr\u00fc\u00df"), texts);
    }

    @Test
    void shouldBehaveTheSameWhenEveryCounterWraps()
    {
        for (final long firstPosition : new long[]{
            (65_535L - 3) * SLOT_COUNT, Integer.MAX_VALUE + 1L - SLOT_COUNT * 2L,
            (1L << 32) - SLOT_COUNT * 3L, Long.MAX_VALUE + 1 - SLOT_COUNT * 5L})
        {
            startAt(firstPosition);
            final HandlerId record = resolve(FarNode.RECORD);
            final Link link = link(0);
            for (int i = 0; i < SLOT_COUNT * 20; i++)
            {
                sendNumbered(link, record, i, i % 50);
            }
            awaitHistory(0, SLOT_COUNT * 20);
            closeCluster();
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldCarryArgumentsBothWays()
    {
        start();
        final int[] arguments = new int[4];
        final EndpointId[] source = new EndpointId[1];
        final HandlerId echoed = registerNear("near.echoed", message ->
        {
            for (int i = 0; i < arguments.length; i++)
            {
                arguments[i] = message.argument(i);
            }
            source[0] = message.source();
        });
        final HandlerId echo = resolve(FarNode.ECHO);

        final SendStatus status = link(1).send(echo, echoed.number(), Integer.MIN_VALUE, -1, 0x01020304, payload, 0, 0);
        await(() -> source[0] != null, () -> "the echo");

        assertEquals(SendStatus.SENT, status);
        assertEquals(Integer.MIN_VALUE, arguments[0]);
        assertEquals(-1, arguments[1]);
        assertEquals(0x01020304, arguments[2]);
        assertEquals(farId(1), source[0]);
    }

    @Test
    void shouldPublishWhatWasClaimedAndForgetWhatWasAborted()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final HopClaim claim = new HopClaim();
        int sequence = 0;

        for (int i = 0; i < SLOT_COUNT * 8; i++)
        {
            final int length = i * 37 % 600;
            final int next = sequence;
            final int crc = crc(length, next);
            await(() -> link(0).tryClaim(record, length, claim) == SendStatus.SENT, () -> "room");
            assertEquals(length, claim.length());
            if (i % 3 == 0)
            {
                claim.buffer().setMemory(claim.offset(), length, (byte)0x55);
                claim.abort();
            }
            else
            {
                Payloads.fill(claim.buffer(), claim.offset(), length, next);
                claim.arguments(next, crc, 0, 0).publish();
                sequence++;
            }
            assertFalse(claim.isOpen());
        }

        awaitHistory(0, sequence);
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseASecondClaimWhileOneIsOpen()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);
        final HopClaim claim = new HopClaim();
        link(0).tryClaim(record, 0, claim);
        claim.arguments(0, crc(0, 0), 0, 0);

        final IllegalStateException second = assertThrows(IllegalStateException.class,
            () -> link(0).tryClaim(record, 0, new HopClaim()));
        claim.publish();
        final IllegalStateException again = assertThrows(IllegalStateException.class, claim::publish);

        assertTrue(second.getMessage().contains("claim"), second.getMessage());
        assertTrue(again.getMessage().contains("not open"), again.getMessage());
        awaitHistory(0, 1);
    }

    @Test
    @Tag(LOCAL)
    void shouldLeaveNothingBehindWhenTheCallersBufferIsTooShort()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);

        assertThrows(IndexOutOfBoundsException.class,
            () -> link(0).send(record, payload, payload.capacity() - 4, 8));
        sendNumbered(link(0), record, 0, 8);

        awaitHistory(0, 1);
    }

    @Test
    @Tag(LOCAL)
    void shouldCountAMessageForAnUnknownHandlerAndHarmNoOther()
    {
        start();
        final HandlerId record = resolve(FarNode.RECORD);

        sendNumbered(link(0), record, 0, 8);
        sendNumbered(link(0), HandlerId.of(60_000), 0, 8);
        sendNumbered(link(0), record, 1, 8);

        awaitHistory(0, 2);
        assertEquals("1", cluster().far("counter rejected UNKNOWN_HANDLER"));
    }

    @Test
    @Tag(LOCAL)
    void shouldNameWhatIsWrongWithADestination()
    {
        start("grim.cluster.nodes-max", 8);
        final int far = near().locate("far").node();

        final String node = messageOf(EndpointId.of(9, 0, 0));
        final String channel = messageOf(EndpointId.of(far, 0, CHANNEL_COUNT));
        final String device = messageOf(EndpointId.of(far, 3, 0));
        final String name = assertThrows(GrimException.class, () -> near().locate("nobody")).getMessage();

        assertTrue(node.contains("node=9 exceeds max="), node);
        assertTrue(channel.contains("channel=4 exceeds max=3"), channel);
        assertTrue(device.contains("has no device=3"), device);
        assertTrue(device.startsWith("node=" + far + " name=far: "), device);
        assertTrue(name.startsWith("node name=nobody is unknown: live nodes="), name);
    }

    private String messageOf(final EndpointId destination)
    {
        return assertThrows(GrimException.class,
            () -> near().endpoint().link(destination).send(HandlerId.of(16), payload, 0, 0)).getMessage();
    }
}
