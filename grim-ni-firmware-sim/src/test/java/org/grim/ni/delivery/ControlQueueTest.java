// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.SendEngine;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.control.ControlWriter;
import org.grim.ni.window.ReceiveWindow;
import org.grim.ni.window.SequenceSpace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ControlQueueTest
{
    private final Link link = new Link();
    private final ControlQueue queue = new ControlQueue(link, new ControlWriter(ActionMeter.NONE, 0));
    private final Peer peer = new Peer(1, 16, 1);
    private final ReceiveTriple one = triple(1);
    private final ReceiveTriple other = triple(2);

    @Test
    void shouldKeepWhatCannotLeaveAndItsOrder()
    {
        link.isBusy = true;
        owe(one, MessageType.ACK, 1);
        owe(other, MessageType.NACK, 2);
        assertEquals(0, queue.flush(8));
        assertEquals(2, queue.depth());

        link.isBusy = false;
        assertEquals(1, queue.flush(1));
        assertEquals(1, queue.flush(8));

        assertEquals(List.of("ACK 1", "NACK 2"), link.sent);
        assertTrue(queue.isEmpty());
    }

    @Test
    void shouldSendOnlyTheLastAnswerOfATripleAndThatBehindTheOthers()
    {
        owe(one, MessageType.ACK, 1);
        owe(other, MessageType.ACK, 2);
        owe(one, MessageType.ACK, 3);
        assertEquals(2, queue.depth());

        queue.flush(8);

        assertEquals(List.of("ACK 2", "ACK 3"), link.sent);
    }

    @Test
    void shouldPutANewAnswerInPlaceOfARefusalForGood()
    {
        owe(one, MessageType.REFUSED, 1);
        assertTrue(one.isDenialPending());
        owe(one, MessageType.ACK, 2);
        assertFalse(one.isDenialPending());

        queue.flush(8);

        assertEquals(List.of("ACK 2"), link.sent);
        assertEquals(0, queue.depth());
    }

    @Test
    void shouldSendNothingThatWasDiscarded()
    {
        owe(one, MessageType.REFUSED, 1);
        owe(other, MessageType.ACK, 2);
        queue.discard(one);

        assertEquals(1, queue.flush(8));

        assertEquals(List.of("ACK 2"), link.sent);
    }

    private void owe(final ReceiveTriple triple, final MessageType type, final int token)
    {
        triple.owe(type, token, token, 0);
        queue.add(triple);
    }

    private ReceiveTriple triple(final int channel)
    {
        return new ReceiveTriple(peer.ni(), channel,
            new ReceiveWindow(new SequenceSpace(8, 127)), null);
    }

    private static final class Link implements SendEngine
    {
        private final List<String> sent = new ArrayList<>();
        private boolean isBusy;

        @Override
        public boolean isIdle()
        {
            return !isBusy;
        }

        @Override
        public void begin(final int destinationNi, final int packetLength)
        {
            assertEquals(Long.BYTES, packetLength);
        }

        @Override
        public void feed(final DirectBuffer source, final int offset, final int length)
        {
            final long words = source.getLong(offset, ByteOrder.BIG_ENDIAN);
            sent.add(MessageType.ofCode(MessageHeader.typeCode(words)) + " " + MessageHeader.token(words));
        }

        @Override
        public void abort()
        {
            throw new AssertionError("nothing is given up");
        }
    }
}
