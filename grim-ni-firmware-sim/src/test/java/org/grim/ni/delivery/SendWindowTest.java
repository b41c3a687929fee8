// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SendWindowTest
{
    private final SendWindow window = new SendWindow(new SequenceSpace(8, SequenceSpace.WINDOW_MAX, Guards.ALL));

    @Test
    void shouldSendNothingWhenThereIsNothing()
    {
        assertFalse(window.canSend());
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldSendNoMoreThanTheWindow()
    {
        append(SequenceSpace.WINDOW_MAX + 1);

        assertEquals(SequenceSpace.WINDOW_MAX, sendAll());
        assertEquals(SequenceSpace.WINDOW_MAX, window.inFlightCount());
        assertEquals(SequenceSpace.WINDOW_MAX + 1, window.pendingCount());
    }

    @Test
    void shouldGoOnWhenTheOldestIsAcknowledged()
    {
        append(SequenceSpace.WINDOW_MAX + 1);
        sendAll();

        assertEquals(1, window.acknowledge(0));

        assertTrue(window.canSend());
        assertEquals(SequenceSpace.WINDOW_MAX, window.nextSequence());
    }

    @Test
    void shouldSettleAllBeforeAnAcknowledgedMessage()
    {
        append(5);
        sendAll();

        assertEquals(4, window.acknowledge(3));

        assertEquals(1, window.inFlightCount());
        assertEquals(1, window.pendingCount());
    }

    @Test
    void shouldCountEveryMessageOnceAcrossTheWrap()
    {
        for (int ordinal = 0; ordinal < 1000; ordinal++)
        {
            append(1);
            assertEquals(ordinal & 0xff, window.nextSequence());
            assertFalse(window.isNextRepeated());
            window.sent();

            assertEquals(1, window.acknowledge(ordinal & 0xff));
            assertEquals(0, window.pendingCount());
        }
    }

    @Test
    void shouldSettleACumulativeAcknowledgementAcrossTheWrap()
    {
        settle(250);
        append(10);
        sendAll();

        assertEquals(10, window.acknowledge(3));
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldIgnoreAnAcknowledgementOfWhatIsSettled()
    {
        append(3);
        sendAll();
        window.acknowledge(1);

        assertEquals(0, window.acknowledge(0));
        assertEquals(0, window.acknowledge(1));

        assertEquals(1, window.pendingCount());
    }

    @Test
    void shouldIgnoreAnAcknowledgementOfWhatWasNeverSent()
    {
        append(3);
        window.sent();

        assertEquals(0, window.acknowledge(1));
        assertEquals(3, window.pendingCount());
    }

    @Test
    void shouldProbeWithTheRefusedMessageAlone()
    {
        append(5);
        sendAll();

        assertEquals(2, window.refuse(2));

        assertTrue(window.isProbing());
        assertEquals(2, window.nextSequence());
        assertTrue(window.isNextRepeated());
        assertEquals(1, sendAll());
    }

    @Test
    void shouldSendTheRestWhenTheProbeIsAccepted()
    {
        append(5);
        sendAll();
        window.refuse(2);
        sendAll();

        assertEquals(1, window.acknowledge(2));

        assertFalse(window.isProbing());
        assertEquals(3, window.nextSequence());
        assertEquals(2, sendAll());
    }

    @Test
    void shouldNotRollBackTwiceForARepeatedRefusal()
    {
        append(5);
        sendAll();
        window.refuse(2);

        assertEquals(SendWindow.STALE, window.refuse(2));
        assertEquals(SendWindow.STALE, window.refuse(4));

        assertEquals(3, window.pendingCount());
        assertEquals(1, sendAll());
        assertEquals(1, window.inFlightCount());
    }

    @Test
    void shouldIgnoreARefusalOfWhatIsSettled()
    {
        append(3);
        sendAll();
        window.acknowledge(1);

        assertEquals(SendWindow.STALE, window.refuse(1));
        assertFalse(window.isProbing());
        assertEquals(1, window.inFlightCount());
    }

    @Test
    void shouldTakeAnAcknowledgementThatComesAfterTheTimeOut()
    {
        append(3);
        sendAll();
        window.timeOut();
        assertEquals(0, window.inFlightCount());
        assertEquals(3, window.unacknowledgedCount());

        assertEquals(3, window.acknowledge(2));

        assertFalse(window.canSend());
        assertFalse(window.isProbing());
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldSkipWhatWasAcknowledgedBetweenTimeOutAndRetry()
    {
        append(4);
        sendAll();
        window.timeOut();

        assertEquals(2, window.acknowledge(1));

        assertEquals(2, window.nextSequence());
        assertTrue(window.isNextRepeated());
        assertEquals(2, sendAll());
        append(1);
        assertFalse(window.isNextRepeated());
    }

    private void append(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            window.append();
        }
    }

    private int sendAll()
    {
        int count = 0;
        while (window.canSend())
        {
            window.sent();
            count++;
        }
        return count;
    }

    private void settle(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            window.append();
            final int sequence = window.nextSequence();
            window.sent();
            window.acknowledge(sequence);
        }
    }
}
