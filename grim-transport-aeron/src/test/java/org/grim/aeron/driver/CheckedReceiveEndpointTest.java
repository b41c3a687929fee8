// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.driver;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.aeron.protocol.HeaderFlyweight;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Datagrams of two frames, of padding, heartbeats and setups; then one field of each is changed. */
final class CheckedReceiveEndpointTest
{
    private static final int TYPE_OFFSET = 6;
    private static final int TERM_OFFSET_OFFSET = 8;
    private static final int SETUP_TERM_LENGTH_OFFSET = 28;
    private static final int SETUP_MTU_OFFSET = 32;
    private static final int SETUP_LENGTH = 40;

    private final AtomicBuffer datagram = Buffers.allocate(256);

    @BeforeEach
    void writeTwoFrames()
    {
        frame(0, 70, HeaderFlyweight.HDR_TYPE_DATA, 1_024);
        frame(96, 64, HeaderFlyweight.HDR_TYPE_DATA, 1_120);
    }

    @Test
    void shouldTakeWholeFrames()
    {
        assertTrue(CheckedReceiveEndpoint.isValid(datagram, 160));
    }

    @Test
    void shouldTakePaddingOfWhichOnlyTheHeaderIsSent()
    {
        frame(96, 4_096, HeaderFlyweight.HDR_TYPE_PAD, 1_120);

        assertTrue(CheckedReceiveEndpoint.isValid(datagram, 128));
        assertFalse(CheckedReceiveEndpoint.isValid(datagram, 160));
    }

    @Test
    void shouldTakeHeartbeats()
    {
        frame(0, 0, HeaderFlyweight.HDR_TYPE_DATA, 1_024);

        assertTrue(CheckedReceiveEndpoint.isValid(datagram, 32));
        assertFalse(CheckedReceiveEndpoint.isValid(datagram, 64));
    }

    @Test
    void shouldRefuseAnyFlippedBitOfALengthThatChangesWhereTheNextFrameBegins()
    {
        for (final int offset : new int[]{0, 96})
        {
            final int length = datagram.getInt(offset, LITTLE_ENDIAN);
            for (int bit = 0; bit < Integer.SIZE; bit++)
            {
                final int flipped = length ^ 1 << bit;
                datagram.putInt(offset, flipped, LITTLE_ENDIAN);

                final boolean isSameEnd = flipped >= 32 && (flipped + 31) / 32 == (length + 31) / 32;
                final boolean isValid = CheckedReceiveEndpoint.isValid(datagram, 160);

                assertTrue(isValid == isSameEnd, "offset=" + offset + " length=" + flipped);
            }
            datagram.putInt(offset, length, LITTLE_ENDIAN);
        }
    }

    @Test
    void shouldRefuseFramesElsewhereThanBehindEachOther()
    {
        for (final int offset : new int[]{0, 96})
        {
            final int termOffset = datagram.getInt(offset + TERM_OFFSET_OFFSET, LITTLE_ENDIAN);
            for (final int other : new int[]{termOffset + 32, termOffset + 1, -termOffset, 0})
            {
                datagram.putInt(offset + TERM_OFFSET_OFFSET, other, LITTLE_ENDIAN);
                assertFalse(CheckedReceiveEndpoint.isValid(datagram, 160), "offset=" + offset + " term=" + other);
            }
            datagram.putInt(offset + TERM_OFFSET_OFFSET, termOffset, LITTLE_ENDIAN);
        }
    }

    @Test
    void shouldRefuseWhatIsCutOrOfAnotherType()
    {
        for (final int length : new int[]{0, 7, 8, 31, 95, 128, 159, 161})
        {
            assertFalse(CheckedReceiveEndpoint.isValid(datagram, length), "length=" + length);
        }
        datagram.putShort(96 + TYPE_OFFSET, (short)HeaderFlyweight.HDR_TYPE_SETUP, LITTLE_ENDIAN);
        assertFalse(CheckedReceiveEndpoint.isValid(datagram, 160));
    }

    @Test
    void shouldRefuseSetupsThatNoImageCanBeMadeOf()
    {
        frame(0, SETUP_LENGTH, HeaderFlyweight.HDR_TYPE_SETUP, 1_024);
        datagram.setMemory(12, 28, (byte)0);
        datagram.putInt(SETUP_TERM_LENGTH_OFFSET, 64 << 10, LITTLE_ENDIAN);
        datagram.putInt(SETUP_MTU_OFFSET, 1_408, LITTLE_ENDIAN);
        assertTrue(CheckedReceiveEndpoint.isValid(datagram, SETUP_LENGTH));
        assertFalse(CheckedReceiveEndpoint.isValid(datagram, SETUP_LENGTH - 1));

        for (final int[] fieldAndValue : new int[][]{
            {SETUP_TERM_LENGTH_OFFSET, 0}, {SETUP_TERM_LENGTH_OFFSET, 32 << 10}, {SETUP_TERM_LENGTH_OFFSET, 3 << 16},
            {SETUP_TERM_LENGTH_OFFSET, 1 << 31}, {SETUP_MTU_OFFSET, 0}, {SETUP_MTU_OFFSET, 1_409},
            {SETUP_MTU_OFFSET, 1 << 20}, {TERM_OFFSET_OFFSET, (64 << 10) + 32}, {TERM_OFFSET_OFFSET, 1_025},
            {TERM_OFFSET_OFFSET, -32}, {24, -1}})
        {
            final int before = datagram.getInt(fieldAndValue[0], LITTLE_ENDIAN);
            datagram.putInt(fieldAndValue[0], fieldAndValue[1], LITTLE_ENDIAN);

            assertFalse(CheckedReceiveEndpoint.isValid(datagram, SETUP_LENGTH),
                () -> "field=" + fieldAndValue[0] + " value=" + fieldAndValue[1]);

            datagram.putInt(fieldAndValue[0], before, LITTLE_ENDIAN);
        }
    }

    private void frame(final int offset, final int length, final int type, final int termOffset)
    {
        datagram.putInt(offset, length, LITTLE_ENDIAN);
        datagram.putShort(offset + TYPE_OFFSET, (short)type, LITTLE_ENDIAN);
        datagram.putInt(offset + TERM_OFFSET_OFFSET, termOffset, LITTLE_ENDIAN);
    }
}
