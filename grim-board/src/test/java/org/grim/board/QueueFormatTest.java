// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

final class QueueFormatTest
{
    @ParameterizedTest
    @EnumSource(MessageFate.class)
    void shouldMarkAMessageWithItsFate(final MessageFate fate)
    {
        final AtomicBuffer queue = Buffers.allocate(64);

        QueueFormat.writeFate(queue, 8, fate);

        assertSame(fate, QueueFormat.readFate(queue, 8));
        assertEquals(fate.code(), queue.getByte(11), "big endian");
        assertFalse(QueueFormat.isFiller(QueueFormat.FATE | fate.code()));
        assertNotEquals(MessageHeader.GRIM_ID, (QueueFormat.FATE | fate.code()) >>> Short.SIZE, "no GRIM id");
    }

    @Test
    void shouldSeeNoFateInWhatIsNone()
    {
        assertNull(QueueFormat.fate(MessageHeader.GRIM_ID << Short.SIZE));
        assertNull(QueueFormat.fate(QueueFormat.FILLER));
        assertNull(QueueFormat.fate(0));
        assertNull(QueueFormat.fate(QueueFormat.FATE));
        assertNull(QueueFormat.fate(QueueFormat.FATE | 4));
    }
}
