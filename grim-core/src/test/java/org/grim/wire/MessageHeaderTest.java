// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class MessageHeaderTest
{
    private static final int OFFSET = 64;

    private final AtomicBuffer buffer = Buffers.allocate(256);
    private final MessageHeader header = new MessageHeader();

    @BeforeEach
    void wrap()
    {
        header.wrap(buffer, OFFSET);
    }

    @Test
    void shouldBeThirtyTwoBytesWithTheIdOfGrim()
    {
        assertEquals(32, MessageHeader.LENGTH);
        assertEquals(0x0636, MessageHeader.GRIM_ID);
        assertEquals(65_504, MessageHeader.PAYLOAD_LENGTH_MAX);
        assertEquals(65_535, MessageHeader.HANDLER_MAX);
        assertEquals(4, MessageHeader.ARGUMENT_COUNT);
    }

    @Test
    void shouldLayOutWordZeroAsIdTokenSequence()
    {
        header.identity(0xAB, 0xCD);

        assertArrayEquals(bytes(0x06, 0x36, 0xAB, 0xCD), written(0, 4));
        assertEquals(0x0636, header.grimId());
        assertEquals(0xAB, header.token());
        assertEquals(0xCD, header.sequence());
    }

    @Test
    void shouldGiveWordZeroAsAMachineWord()
    {
        buffer.putInt(OFFSET, MessageHeader.identityWord(0xFFFF_1234));

        assertArrayEquals(bytes(0x06, 0x36, 0x12, 0x34), written(0, 4));
    }

    @Test
    void shouldLayOutTypeCorrectionTreeAndSource()
    {
        put(MessageHeader.typeWord(MessageType.SYNCHRONISE, 0x1234), 0, 0, 0, 5);

        // type 10 in 6 bits, correction 3 in 2 bits, tree 0, source
        assertArrayEquals(bytes((10 << 2) | 3, 0, 0x12, 0x34), written(4, 4));
        assertEquals(MessageType.SYNCHRONISE, header.type());
        assertEquals(0x1234, header.sourceAddress());
        assertEquals(0, header.tree());
    }

    @Test
    void shouldReadTheTree()
    {
        buffer.putByte(OFFSET + 5, (byte)0xFE);

        assertEquals(0xFE, header.tree());
    }

    @Test
    void shouldLayOutWordsAndDestination()
    {
        put(0, 0xFEDC, 0, 0, 4 * 0x0102);

        assertArrayEquals(bytes(0x01, 0x02, 0xFE, 0xDC), written(8, 4));
        assertEquals(0xFEDC, header.destinationAddress());
    }

    @Test
    void shouldLayOutChannelsAndHandler()
    {
        put(0, 0, MessageHeader.routeWord(0xA1, 0xB2), 0xC3D4, 0);

        assertArrayEquals(bytes(0xA1, 0xB2, 0xC3, 0xD4), written(12, 4));
        assertEquals(0xA1, header.sourceChannel());
        assertEquals(0xB2, header.destinationChannel());
        assertEquals(0xC3D4, header.handler());
    }

    @Test
    void shouldLayOutFourSignedArguments()
    {
        header.put(0, 0, 0, 0, 0, MessageHeader.pair(0x01020304, -2), MessageHeader.pair(Integer.MIN_VALUE, 7));

        assertArrayEquals(bytes(1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFE, 0x80, 0, 0, 0, 0, 0, 0, 7), written(16, 16));
        assertEquals(0x01020304, header.argument(0));
        assertEquals(-2, header.argument(1));
        assertEquals(Integer.MIN_VALUE, header.argument(2));
        assertEquals(7, header.argument(3));
    }

    @Test
    void shouldWriteNothingOutsideItsWords()
    {
        buffer.setMemory(0, 256, (byte)0x77);

        put(-1, 0xFFFF, -1, 0xFFFF, 65_504);
        header.identity(255, 255);

        for (int i = 0; i < 256; i++)
        {
            if (i < OFFSET || i >= OFFSET + 32)
            {
                assertEquals(0x77, buffer.getByte(i), "byte " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 31, 32, 33, 65_501, 65_502, 65_503, 65_504})
    void shouldKeepEveryPayloadLength(final int length)
    {
        header.identity(0, 0);
        put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, 0), 0, 0, 0, length);

        assertEquals(length, header.payloadLength());
        assertNull(header.invalid(MessageHeader.LENGTH + length));
        assertEquals(length == 0 ? RejectReason.TRUNCATED : RejectReason.BAD_LENGTH,
            header.invalid(MessageHeader.LENGTH + length - 1));
    }

    @Test
    void shouldCopyAllButWordZero()
    {
        buffer.setMemory(0, 32, (byte)0x11);
        buffer.setMemory(OFFSET, 32, (byte)0x22);

        header.copy(buffer, 0);

        assertArrayEquals(bytes(0x22, 0x22, 0x22, 0x22, 0x11), written(0, 5));
        assertEquals(0x11, buffer.getByte(OFFSET + 31));
        assertEquals(0, buffer.getByte(OFFSET + 32));
    }

    @Test
    void shouldNameEachReasonToRefuse()
    {
        assertEquals(RejectReason.TRUNCATED, header.invalid(31));
        assertEquals(RejectReason.NOT_GRIM, header.invalid(32));
        header.identity(1, 2);
        assertEquals(RejectReason.UNKNOWN_TYPE, header.invalid(32));
        buffer.putByte(OFFSET + 4, (byte)((1 << 2) | 1));
        assertEquals(RejectReason.BAD_LENGTH, header.invalid(32));
        buffer.putByte(OFFSET + 4, (byte)(1 << 2));
        assertNull(header.invalid(32));
        buffer.putShort(OFFSET + 8, (short)0xFFFF);
        assertEquals(RejectReason.BAD_LENGTH, header.invalid(1 << 20));
        assertEquals(65_535 * 4, header.payloadLength());
    }

    @Test
    void shouldKnowEveryTypeByItsCodeAndNoOther()
    {
        final MessageType[] expected = {null, MessageType.ACTIVE_MESSAGE, MessageType.REMOTE_WRITE_VIRTUAL,
            MessageType.REMOTE_WRITE_PHYSICAL, MessageType.REMOTE_READ, MessageType.REMOTE_READ_REPLY,
            MessageType.MULTICAST_DATA, MessageType.MULTICAST_TREE_UPDATE, MessageType.ACK, MessageType.NACK,
            MessageType.SYNCHRONISE, MessageType.REFUSED, MessageType.REMOTE_WRITE_SIGNAL, MessageType.REMOTE_FETCH_ADD,
            MessageType.REMOTE_COMPARE_AND_SET, MessageType.REMOTE_GET_AND_SET, MessageType.REMOTE_FETCH_AND,
            MessageType.REMOTE_FETCH_OR, MessageType.REMOTE_FETCH_XOR, MessageType.REMOTE_WRITE_ADD_LONG,
            MessageType.REMOTE_WRITE_SET_LONG};

        for (int code = 0; code < 64; code++)
        {
            final MessageType type = code < expected.length ? expected[code] : null;
            assertEquals(type, MessageType.ofCode(code), "code " + code);
            if (type != null)
            {
                assertEquals(code, type.code());
            }
        }
    }

    @Test
    void shouldNameTheTypeOfEveryAtomicOperationAndSignal()
    {
        for (final AtomicOperation operation : AtomicOperation.values())
        {
            final int code = MessageType.of(operation).code();
            assertEquals(operation, MessageType.atomicOf(code));
            assertTrue(MessageType.isOperation(code) && MessageType.isData(code));
            assertEquals(32, RemoteMemoryFormat.extensionLength(code));
        }
        for (final SignalOperation operation : SignalOperation.values())
        {
            final int code = MessageType.of(operation).code();
            assertEquals(operation == SignalOperation.SET_INT ? null : operation, MessageType.signalOf(code));
            assertTrue(MessageType.isOperation(code) && MessageType.isData(code));
            assertEquals(operation.length(), MessageType.notificationLength(code));
            assertEquals(operation.length() == 8 ? 16 : 8, RemoteMemoryFormat.extensionLength(code));
        }
        assertNull(MessageType.atomicOf(MessageType.ACTIVE_MESSAGE.code()));
        assertNull(MessageType.atomicOf(63));
        assertNull(MessageType.signalOf(63));
    }

    @Test
    void shouldLayOutTheValuesOfBothWidths()
    {
        buffer.setMemory(0, 256, (byte)0x77);

        RemoteMemoryFormat.putValue(buffer, OFFSET, MessageType.REMOTE_WRITE_SIGNAL.code(), -2);
        assertArrayEquals(bytes(0xFF, 0xFF, 0xFF, 0xFE, 0x77), written(32, 5));
        assertEquals(-2, RemoteMemoryFormat.value(buffer, OFFSET, MessageType.REMOTE_WRITE_SIGNAL.code()));
        assertEquals(0x77, buffer.getByte(OFFSET + 40));
        RemoteMemoryFormat.putValue(buffer, OFFSET, MessageType.REMOTE_WRITE_SET_LONG.code(), 0x0102_0304_0506_07F8L);
        assertArrayEquals(bytes(0, 0, 0, 0, 0x77, 0x77, 0x77, 0x77, 1, 2, 3, 4, 5, 6, 7, 0xF8, 0x77), written(32, 17));
        assertEquals(0x0102_0304_0506_07F8L,
            RemoteMemoryFormat.value(buffer, OFFSET, MessageType.REMOTE_WRITE_SET_LONG.code()));
        assertEquals(48, RemoteMemoryFormat.JUDGED_LENGTH, "values are there when a message is judged");
        assertEquals(65_488, RemoteMemoryFormat.writeLengthMax(Integer.MAX_VALUE));
        assertEquals(52, RemoteMemoryFormat.writeLengthMax(100));
    }

    private void put(
        final int typeWord, final int destination, final int routeWord, final int handler, final int payloadLength)
    {
        header.put(typeWord, destination, routeWord, handler, payloadLength, 0, 0);
    }

    private byte[] written(final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(OFFSET + offset, bytes);
        return bytes;
    }

    static byte[] bytes(final int... values)
    {
        final byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++)
        {
            bytes[i] = (byte)values[i];
        }
        return bytes;
    }
}
