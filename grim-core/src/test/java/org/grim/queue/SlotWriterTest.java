// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Payloads;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

final class SlotWriterTest
{
    private static final int LENGTH = 256;
    private static final int SLOT = 64;
    private static final int SLOT_LENGTH = 128;
    private static final int INLINE_LENGTH = SLOT_LENGTH - MessageHeader.LENGTH;
    private static final int SOURCE_OFFSET = 3;
    private static final byte BACKGROUND = 0x5A;

    private final AtomicBuffer plain = Buffers.allocate(LENGTH);
    private final AtomicBuffer other = Buffers.wrap(new byte[LENGTH]);

    @ParameterizedTest
    @MethodSource("sources")
    void shouldWriteTheSameByAddressAndThroughTheBuffer(final IntFunction<MutableDirectBuffer> sources)
    {
        for (int length = 0; length <= INLINE_LENGTH; length++)
        {
            final MutableDirectBuffer source = sources.apply(SOURCE_OFFSET + INLINE_LENGTH);
            Payloads.fill(source, SOURCE_OFFSET, length, length + 1);

            write(plain, source, length);
            write(other, source, length);

            assertNotEquals(0, Buffers.plainAddress(plain));
            assertEquals(0, Buffers.plainAddress(other));
            assertArrayEquals(bytes(other), bytes(plain), "length=" + length);
            assertEquals(other.getInt(SLOT), plain.getInt(SLOT));
            assertPayload(source, length);
        }
    }

    private void assertPayload(final MutableDirectBuffer source, final int length)
    {
        final byte[] expected = new byte[length];
        source.getBytes(SOURCE_OFFSET, expected);
        final byte[] actual = new byte[length];
        plain.getBytes(SLOT + MessageHeader.LENGTH, actual);
        assertArrayEquals(expected, actual);
        for (int index = 0; index < LENGTH; index++)
        {
            if (index < SLOT || index >= SLOT + MessageHeader.LENGTH + length)
            {
                assertEquals(BACKGROUND, plain.getByte(index), "index=" + index);
            }
        }
    }

    private static void write(final AtomicBuffer memory, final MutableDirectBuffer source, final int length)
    {
        memory.setMemory(0, LENGTH, BACKGROUND);
        final SlotWriter writer = new SlotWriter(memory);
        writer.header(SLOT, 0x0102_0304 + length, 0x1112_1314_1516_1718L, -2L - length, Long.MIN_VALUE + 7);
        writer.payload(SLOT, source, SOURCE_OFFSET, length);
        writer.publish(SLOT, SlotState.published(length, 2));
    }

    private static byte[] bytes(final AtomicBuffer memory)
    {
        final byte[] bytes = new byte[LENGTH];
        memory.getBytes(0, bytes);
        return bytes;
    }

    private static Stream<Arguments> sources()
    {
        return Stream.of(
            source("array", length -> new UnsafeBuffer(new byte[length])),
            source("part of an array", length -> new UnsafeBuffer(new byte[length + 5], 5, length)),
            source("heap byte buffer", length -> new UnsafeBuffer(ByteBuffer.allocate(length))),
            source("direct byte buffer", length -> new UnsafeBuffer(ByteBuffer.allocateDirect(length))),
            source("growing array", ExpandableArrayBuffer::new),
            source("growing direct", ExpandableDirectByteBuffer::new));
    }

    private static Arguments source(final String name, final IntFunction<MutableDirectBuffer> source)
    {
        return arguments(Named.of(name, source));
    }
}
