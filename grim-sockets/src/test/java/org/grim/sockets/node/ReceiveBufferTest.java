// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.nio.ByteBuffer;
import java.util.Random;

import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReceiveBufferTest
{
    private static final int CAPACITY = 16_384;

    private final ReceiveBuffer received = new ReceiveBuffer(CAPACITY);
    private final ExpandableArrayBuffer source = new ExpandableArrayBuffer(CAPACITY * 2);

    @Test
    void givesBytesInOrderWhileItGrowsAndWraps()
    {
        final Random random = new Random(5);
        byte nextIn = 0;
        byte nextOut = 0;
        for (int i = 0; i < 20_000; i++)
        {
            final int length = random.nextInt(i < 10_000 ? 700 : 7_000);
            for (int j = 0; j < length; j++)
            {
                source.putByte(3 + j, (byte)(nextIn + j));
            }
            final int before = received.length();
            final boolean isTaken = received.tryAdd(source, 3, length);
            assertEquals(before + length <= CAPACITY, isTaken);
            nextIn += (byte)(isTaken ? length : 0);
            final ByteBuffer target = ByteBuffer.allocate(random.nextInt(8_000));
            final int available = received.length();
            assertEquals(Math.min(available, target.capacity()), received.take(target));
            for (target.flip(); target.hasRemaining(); nextOut++)
            {
                assertEquals(nextOut, target.get());
            }
        }
    }

    @Test
    void holdsItsCapacityAndNotAByteMore()
    {
        assertFalse(received.tryAdd(source, 0, CAPACITY + 1));
        assertEquals(0, received.length());
        assertTrue(received.tryAdd(source, 0, CAPACITY));
        assertFalse(received.tryAdd(source, 0, 1));
        assertTrue(received.tryAdd(source, 0, 0));
        assertEquals(CAPACITY, received.clear());
        assertEquals(0, received.take(ByteBuffer.allocate(1)));
        assertTrue(received.tryAdd(source, 0, 1));
    }
}
