// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.DirectBuffer;
import org.grim.Payloads;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A send in one step says the same as a claim: it needs no claim after it to learn why it was refused. */
final class HopAnswersTest
{
    private static final InboxGeometry EXCLUSIVE = new InboxGeometry(2, 1, 0, 4, 64, 1024, 0, 0);
    private static final InboxGeometry SHARED = new InboxGeometry(2, 0, 1, 8, 64, 1024, 4, 256);
    private static final int SOME_STATE = 0x1234_5678;

    private final HopClaim claim = new HopClaim();
    private QueueFixture fixture;
    private Hop hop;
    private int sentCount;

    @ParameterizedTest
    @CsvSource({"false, 8", "false, 200", "true, 8", "true, 200"})
    void shouldFindRoomThatTheReceiverGaveBack(final boolean isShared, final int length)
    {
        attach(isShared);
        for (int round = 0; round < 20; round++)
        {
            while (trySend(length) == SendStatus.SENT)
            {
                sentCount++;
            }
            assertEquals(SendStatus.BACK_PRESSURED, trySend(length));
            assertEquals(SendStatus.BACK_PRESSURED, hop.tryClaim(length, claim));

            fixture.pollAll();
            fixture.release();

            assertEquals(SendStatus.SENT, trySend(length), "round " + round);
            sentCount++;
        }
        fixture.pollAll();
        assertEquals(sentCount, fixture.received.size());
    }

    @ParameterizedTest
    @CsvSource({"false, 8", "false, 200", "true, 8", "true, 200"})
    void shouldSayThatThePeerIsGone(final boolean isShared, final int length)
    {
        attach(isShared);
        assertEquals(SendStatus.SENT, trySend(length));
        fixture.senderView.set(QueueFixture.RECEIVER, -2);

        assertEquals(SendStatus.PEER_GONE, trySend(length));
        hop.close();
        assertEquals(SendStatus.PEER_GONE, trySend(length));
    }

    @ParameterizedTest
    @CsvSource({"false, 8", "false, 200", "true, 8", "true, 200"})
    void shouldSayThatTheReceiverHasStoppedTheQueue(final boolean isShared, final int length)
    {
        attach(isShared);
        while (trySend(length) == SendStatus.SENT)
        {
            sentCount++;
        }
        fixture.memory.putInt(fixture.slot(0), SOME_STATE);
        fixture.pollAll();

        assertEquals(SendStatus.CLOSED, trySend(length));
        assertEquals(SendStatus.CLOSED, hop.tryClaim(length, claim));
    }

    @ParameterizedTest
    @CsvSource({"false, 8", "false, 200", "true, 8", "true, 200"})
    void shouldSendNothingOfASourceThatIsTooShort(final boolean isShared, final int length)
    {
        attach(isShared);
        final DirectBuffer source = Buffers.wrap(new byte[length - 1]);

        assertThrows(IndexOutOfBoundsException.class, () -> trySend(source, length));

        assertEquals(SendStatus.SENT, trySend(length));
        fixture.pollAll();
        assertEquals(1, fixture.received.size());
    }

    private void attach(final boolean isShared)
    {
        fixture = new QueueFixture(isShared ? SHARED : EXCLUSIVE, 0);
        hop = isShared ? SharedSender.tryAttach(
            fixture.inbox, QueueFixture.CHANNEL, 0, fixture.senderView, new SilentHost()) : fixture.attach();
    }

    private SendStatus trySend(final int length)
    {
        final byte[] bytes = new byte[length];
        Payloads.fill(Buffers.wrap(bytes), 0, length, sentCount);
        return trySend(Buffers.wrap(bytes), length);
    }

    private SendStatus trySend(final DirectBuffer source, final int length)
    {
        return hop.trySend(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, QueueFixture.SENDER << 4) |
            MessageHeader.correction(length), MessageHeader.extentWords(QueueFixture.RECEIVER << 4,
            MessageHeader.routeWord(0, QueueFixture.CHANNEL) | 16, length), MessageHeader.pair(sentCount, 0), 0,
            source, 0, length);
    }
}
