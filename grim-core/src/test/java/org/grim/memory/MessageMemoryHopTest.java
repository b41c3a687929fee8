// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class MessageMemoryHopTest
{
    private static final int HEADER = 64;
    private static final int ROUTE = MessageHeader.routeWord(3, 4);

    private final OperationLog log = new OperationLog(4);
    private final ScriptedCarrier carrier = new ScriptedCarrier();
    private final MessageMemoryHop hop = new MessageMemoryHop(carrier, log, 0x10, 0x20, ROUTE, 100, 50);
    private final UnsafeBuffer data = new UnsafeBuffer(new byte[200]);
    private final List<String> refusals = new ArrayList<>();
    private final MemoryHop.RefusalSink sink =
        (ticket, address, length, reason) -> refusals.add(ticket + " " + length + " " + reason);

    /** Carrier whose room is one buffer, and which shows how it was called. */
    private final class ScriptedCarrier implements OperationCarrier, HopClaim.Publisher
    {
        private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        private SendStatus claimed = SendStatus.SENT;
        private RemoteRefusal judged;
        private boolean isGone;
        private boolean isTargetSent;
        private boolean isInside;
        private boolean isBusy;
        private boolean isBroken;
        private boolean isClosed;
        private int payloadLength;
        private int publishedCount;
        private int settledByNow;
        private List<Integer> lost = List.of();

        @Override
        public boolean isPeerGone()
        {
            return isGone;
        }

        @Override
        public boolean tryEnter()
        {
            assertFalse(isInside);
            isInside = !isBusy;
            return isInside;
        }

        @Override
        public void leave()
        {
            assertTrue(isInside);
            isInside = false;
        }

        @Override
        public boolean isTargetSent()
        {
            return isTargetSent;
        }

        @Override
        public RemoteRefusal judge(
            final MessageType type, final long remoteAddress, final int length, final long targetAddress,
            final long notificationAddress)
        {
            return judged;
        }

        @Override
        public SendStatus tryClaim(
            final int length, final HopClaim room, final DirectBuffer source, final int offset, final int dataLength)
        {
            assertTrue(isInside);
            assertEquals(source != null, dataLength != 0);
            payloadLength = length;
            buffer.setMemory(0, 200, (byte)0x55);
            if (claimed == SendStatus.SENT)
            {
                room.claimed(this, buffer, HEADER, HEADER + MessageHeader.LENGTH, length, 0);
            }
            return claimed;
        }

        @Override
        public boolean tryFill(
            final HopClaim room, final DirectBuffer source, final int offset, final int length)
        {
            return !isBroken && OperationCarrier.super.tryFill(room, source, offset, length);
        }

        @Override
        public void settle()
        {
            assertTrue(isInside);
            for (; settledByNow > 0; settledByNow--)
            {
                log.settle(null);
            }
        }

        @Override
        public boolean hasLost()
        {
            return !lost.isEmpty();
        }

        @Override
        public int drainLost(final MemoryHop.RefusalSink to)
        {
            lost.forEach(ticket -> to.onRefused(ticket, 0, 0, RemoteRefusal.PEER_GONE));
            return lost.size();
        }

        @Override
        public void close()
        {
            isClosed = true;
        }

        @Override
        public void publish(final HopClaim claim)
        {
            assertTrue(isInside);
            publishedCount++;
        }

        @Override
        public void abort(final HopClaim claim)
        {
            throw new AssertionError("nothing is given back");
        }

        String message()
        {
            final StringBuilder text = new StringBuilder();
            final long first = MessageHeader.first(
                MessageHeader.identityWord(0), buffer.getInt(HEADER + MessageHeader.TYPE_OFFSET));
            final long second = MessageHeader.second(buffer.getLong(HEADER + MessageHeader.EXTENT_OFFSET));
            assertEquals(payloadLength, MessageHeader.payloadLength(first, second));
            assertEquals(0x10, MessageHeader.sourceAddress(first));
            assertEquals(0x20, MessageHeader.destinationAddress(second));
            assertEquals(3, MessageHeader.sourceChannel(second));
            assertEquals(4, MessageHeader.destinationChannel(second));
            text.append(MessageHeader.typeCode(first));
            for (int i = HEADER + MessageHeader.ARGUMENTS_OFFSET; i < HEADER + MessageHeader.LENGTH + payloadLength;
                i += Long.BYTES)
            {
                text.append(' ').append(Long.toHexString(buffer.getLong(i, BIG_ENDIAN)));
            }
            return text.toString();
        }
    }

    private SendStatus write(final int length, final int ticket)
    {
        return hop.tryWrite(false, 0x1000, data, 8, length, 0x2000, 7, ticket);
    }

    /** Sends a write with a signal, and returns its message behind the type. */
    private String signal(final SignalOperation operation, final long value, final int typeCode)
    {
        log.settle(null);
        assertEquals(SendStatus.SENT, hop.tryWriteWithSignal(0x1000, data, 8, 8, operation, 0x2000, value, 3));
        final String message = carrier.message();
        assertTrue(message.startsWith(typeCode + " "), message);
        return message.substring(Integer.toString(typeCode).length());
    }

    private SendStatus read(final int ticket)
    {
        return hop.tryRead(0x1000, 0x3000, 50, 0x4000, 9, ticket);
    }

    private SendStatus add(final int ticket)
    {
        return hop.tryAtomic(AtomicOperation.FETCH_ADD, 0x1000, 8, 0xA, 0xB, 0x3000, 0x4000, 9, ticket);
    }

    @Test
    void shouldSendWrites()
    {
        data.putLong(8, 0x0123_4567_89AB_CDEFL, BIG_ENDIAN);

        assertEquals(SendStatus.SENT, write(8, 1));
        assertEquals(MessageType.REMOTE_WRITE_VIRTUAL.code() + " 1000 2000 700000008 123456789abcdef",
            carrier.message());
        assertEquals(SendStatus.SENT, hop.tryWrite(true, 0x1000, data, 8, 8, 0x2000, 7, 2));
        assertTrue(carrier.message().startsWith(MessageType.REMOTE_WRITE_PHYSICAL.code() + " 1000 2000"));
        assertEquals(" 1000 2000 500000008 123456789abcdef", signal(SignalOperation.ADD_INT, 5, 12));
        assertEquals(" 1000 2000 500000008 123456789abcdef", signal(SignalOperation.SET_INT, -1L << 32 | 5, 2));
        assertEquals(" 1000 2000 8 fffffffffffffffb 123456789abcdef", signal(SignalOperation.ADD_LONG, -5, 19));
        assertEquals(" 1000 2000 8 5000000000 123456789abcdef", signal(SignalOperation.SET_LONG, 5L << 36, 20));
        assertEquals(6, carrier.publishedCount);
        assertFalse(log.isRead(log.oldest()));
    }

    @Test
    void shouldKeepTheTargetOfWhatIsAnsweredByNumber()
    {
        assertEquals(SendStatus.SENT, read(1));
        assertEquals(MessageType.REMOTE_READ.code() + " 1000 0 32", carrier.message());
        assertEquals(SendStatus.SENT, add(2));
        assertEquals(MessageType.REMOTE_FETCH_ADD.code() + " 1000 0 8 0 a b", carrier.message());

        final int index = log.settle(null);
        assertEquals(0x3000, log.targetAddress(index));
        assertEquals(0x4000, log.notificationAddress(index));
        assertEquals(9, log.notificationValue(index));
    }

    @Test
    void shouldSendTheTargetWhereTheFarEndRepeatsIt()
    {
        carrier.isTargetSent = true;

        assertEquals(SendStatus.SENT, read(1));
        assertEquals(MessageType.REMOTE_READ.code() + " 1000 4000 900000032 3000", carrier.message());
        assertEquals(SendStatus.SENT, add(2));
        assertEquals(MessageType.REMOTE_FETCH_ADD.code() + " 1000 4000 900000008 3000 a b", carrier.message());
        assertTrue(log.isRead(log.oldest()));
    }

    @Test
    void shouldReportWhatTheCarrierRefusesInTheOrderOfTheOperations()
    {
        write(8, 1);
        carrier.judged = RemoteRefusal.ZERO_LENGTH;
        assertEquals(SendStatus.SENT, write(0, 2));
        assertEquals(SendStatus.SENT, read(3));

        assertEquals(0, hop.drainRefusals(sink), "the first may still be refused");
        carrier.settledByNow = 1;
        carrier.lost = List.of(9);
        assertEquals(3, hop.drainRefusals(sink));

        assertEquals(List.of("2 0 ZERO_LENGTH", "3 50 ZERO_LENGTH", "9 0 PEER_GONE"), refusals);
        assertEquals(1, carrier.publishedCount);
        assertFalse(carrier.isInside);
    }

    @Test
    void shouldEnterNothingInTheLogThatIsNotSent()
    {
        carrier.claimed = SendStatus.BACK_PRESSURED;
        assertEquals(SendStatus.BACK_PRESSURED, write(8, 1));
        assertEquals(SendStatus.BACK_PRESSURED, read(1));
        assertEquals(SendStatus.BACK_PRESSURED, add(1));
        carrier.claimed = SendStatus.SENT;
        carrier.isBroken = true;
        assertEquals(SendStatus.BACK_PRESSURED, write(8, 1));
        carrier.isBusy = true;
        assertEquals(SendStatus.BACK_PRESSURED, read(1));
        assertThrows(IllegalArgumentException.class, () -> write(101, 1));
        assertThrows(IllegalArgumentException.class, () -> hop.tryRead(0x1000, 0x3000, 51, 0, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> hop.tryWrite(false, 0x1000, data, 150, 60, 0, 0, 1));

        assertTrue(log.isEmpty());
        assertEquals(0, carrier.publishedCount);
        assertFalse(carrier.isInside);
    }

    @Test
    void shouldWaitForRoomInTheLog()
    {
        for (int i = 0; i < 4; i++)
        {
            assertEquals(SendStatus.SENT, write(8, i));
        }
        assertEquals(SendStatus.BACK_PRESSURED, write(8, 4));
        assertFalse(carrier.isInside);

        carrier.settledByNow = 1;
        assertEquals(SendStatus.SENT, write(8, 4));
    }

    @Test
    void shouldSayWhyNothingIsAcceptedAnyMore()
    {
        carrier.isGone = true;
        assertEquals(SendStatus.PEER_GONE, write(8, 1));
        carrier.isGone = false;

        hop.closeMemory();

        assertTrue(carrier.isClosed);
        carrier.isGone = true;
        assertEquals(SendStatus.CLOSED, read(1), "it was closed before the peer went");
        hop.closeMemory();
        carrier.isGone = false;
        assertEquals(SendStatus.PEER_GONE, add(1));
    }
}
