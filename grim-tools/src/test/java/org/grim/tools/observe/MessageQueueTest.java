// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.Set;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.QueueFormat;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Queues that end, wrap and lie. */
final class MessageQueueTest
{
    private static final int LENGTH = 1024;
    private static final int INDEX = 64;

    private final AtomicBuffer buffer = Buffers.allocate(INDEX + LENGTH);

    @Test
    void shouldReadOverAFiller()
    {
        write(928, 3, 0);
        QueueFormat.writeGap(buffer, INDEX, 960, LENGTH);
        write(1024, 5, 64);
        write(1120, 6, 0);

        assertEquals(new MessageQueue(3, new MessageQueue.Head(3, 7, 9, 32), Set.of(3, 5, 6)), read(928, 1120 + 32));
    }

    @Test
    void shouldReadOverAnEndTooShortForAHeader()
    {
        write(968, 3, 0);
        write(1024, 5, 0);

        assertEquals(2, read(968, 1024 + 32).messageCount());
    }

    @Test
    void shouldReadWherePositionsBecomeNegative()
    {
        write(Integer.MAX_VALUE - 31, 3, 0);
        write(Integer.MIN_VALUE, 5, 0);

        assertEquals(2, read(Integer.MAX_VALUE - 31, Integer.MIN_VALUE + 32).messageCount());
    }

    @Test
    void shouldEndBeforeWhatIsNoMessage()
    {
        write(0, 3, 0);
        buffer.setMemory(INDEX + 32, 32, (byte)0xEE);
        write(64, 5, 0);

        assertEquals(1, read(0, 96).messageCount());
        assertNull(read(32, 96).head());
    }

    @Test
    void shouldEndBeforeAMessageThatReachesBeyondTheBackOrTheQueue()
    {
        write(0, 3, 64);
        write(960, 5, 96);

        assertEquals(MessageQueue.EMPTY, read(0, 92));
        assertEquals(1, read(0, 96).messageCount());
        assertEquals(MessageQueue.EMPTY, read(960, 960 + 128));
    }

    @Test
    void shouldReadNothingBetweenPositionsThatDoNotFit()
    {
        write(0, 3, 0);

        assertEquals(MessageQueue.EMPTY, read(0, -32));
        assertEquals(MessageQueue.EMPTY, read(0, LENGTH + 4));
        assertEquals(MessageQueue.EMPTY, read(2, 66));
        assertEquals(MessageQueue.EMPTY, read(0, 0));
    }

    private void write(final int position, final int source, final int payloadLength)
    {
        HandmadeBoards.write(buffer, INDEX + QueueFormat.offset(position, LENGTH), source << 4, 1, 7, 9, payloadLength);
    }

    private MessageQueue read(final int front, final int back)
    {
        return MessageQueue.read(buffer, INDEX, LENGTH, front, back);
    }
}
