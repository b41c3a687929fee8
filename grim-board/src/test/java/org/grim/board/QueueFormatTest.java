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
    @EnumSource(MessageOutcome.class)
    void shouldMarkAMessageWithItsOutcome(final MessageOutcome outcome)
    {
        final AtomicBuffer queue = Buffers.allocate(64);

        QueueFormat.writeOutcome(queue, 8, outcome);

        assertSame(outcome, QueueFormat.readOutcome(queue, 8));
        assertEquals(outcome.code(), queue.getByte(11), "big endian");
        assertFalse(QueueFormat.isFiller(QueueFormat.OUTCOME | outcome.code()));
        assertNotEquals(MessageHeader.GRIM_ID, (QueueFormat.OUTCOME | outcome.code()) >>> Short.SIZE, "no GRIM id");
    }

    @Test
    void shouldSeeNoOutcomeInWhatIsNone()
    {
        assertNull(QueueFormat.outcome(MessageHeader.GRIM_ID << Short.SIZE));
        assertNull(QueueFormat.outcome(QueueFormat.FILLER));
        assertNull(QueueFormat.outcome(0));
        assertNull(QueueFormat.outcome(QueueFormat.OUTCOME));
        assertNull(QueueFormat.outcome(QueueFormat.OUTCOME | 4));
    }
}
