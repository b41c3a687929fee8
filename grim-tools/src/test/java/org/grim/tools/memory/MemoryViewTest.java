// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class MemoryViewTest
{
    private static final int LENGTH = 256;
    private static final int OFFSET = 24;

    private final AtomicBuffer owner = Buffers.allocate(LENGTH);
    private final MemoryView view = new MemoryView();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShowThePart(final boolean isAddressOnly)
    {
        final AtomicBuffer buffer = memory(isAddressOnly);
        buffer.putLong(OFFSET, 47);

        final ByteBuffer bytes = view.of(buffer, OFFSET, 8);

        assertEquals(8, bytes.remaining());
        assertEquals(47, bytes.order(ByteOrder.nativeOrder()).getLong());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPutWhatWasWritten(final boolean isAddressOnly)
    {
        final AtomicBuffer buffer = memory(isAddressOnly);

        final ByteBuffer room = view.roomFor(buffer, OFFSET, 3);
        room.put((byte)1).put((byte)2).put((byte)3);
        view.put(buffer, OFFSET, 3);

        assertEquals(3, buffer.getByte(OFFSET + 2));
        assertEquals(0, buffer.getByte(OFFSET + 3));
    }

    /** Of the owner's memory, which outlives the test's use of it. */
    private AtomicBuffer memory(final boolean isAddressOnly)
    {
        return isAddressOnly ? Buffers.wrap(owner.addressOffset(), LENGTH) : owner;
    }
}
