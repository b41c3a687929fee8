// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.ArrayList;
import java.util.List;

import org.grim.RemoteRefusal;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OperationLogTest
{
    private final OperationLog log = new OperationLog();
    private final List<String> told = new ArrayList<>();
    private final MemoryHop.RefusalSink sink =
        (ticket, address, length, reason) -> told.add(ticket + " " + address + " " + length + " " + reason);

    @Test
    void shouldTellRefusalsOnceAndInOrder()
    {
        log.write(1, 100, 8);
        log.write(2, 200, 9);
        log.write(3, 300, 10);

        log.settle(log.tryAnswer(2), RemoteRefusal.FREED);
        assertEquals(1, log.drain(sink));
        log.settle(log.tryAnswer(3), RemoteRefusal.NO_RIGHT);
        assertEquals(1, log.drain(sink));

        assertEquals(0, log.drain(sink));
        assertEquals(List.of("2 200 9 FREED", "3 300 10 NO_RIGHT"), told);
        assertTrue(log.isEmpty());
        assertTrue(log.isSettled());
    }

    @Test
    void shouldNotBelieveAnAnswerThatCannotBe()
    {
        log.write(1, 100, 8);
        log.read(2, 200, 8, 1, 0, 0);
        log.write(3, 300, 8);

        assertFalse(log.trySettle(2), "a read is answered, not passed over");
        assertEquals(-1, log.tryAnswer(3), "as before");
        assertFalse(log.trySettle(-1));
        assertEquals(-1, log.tryAnswer(0));
        assertEquals(-1, log.tryAnswer(4), "was never sent");
        assertFalse(log.trySettle(4));
        log.settle(log.tryAnswer(2), null);
        assertEquals(-1, log.tryAnswer(2), "was answered");
        assertFalse(log.trySettle(1), "goes back");
        assertTrue(log.trySettle(3));
        assertEquals(0, log.drain(sink));
    }

    @Test
    void shouldGiveUpWhatWasNotAnswered()
    {
        log.write(1, 100, 8);
        log.read(2, 200, 8, 1, 0, 0);
        log.write(3, 300, 8);
        assertTrue(log.trySettle(1));

        log.giveUp(RemoteRefusal.PEER_GONE);

        assertEquals(2, log.drain(sink));
        assertEquals(List.of("2 200 8 PEER_GONE", "3 300 8 PEER_GONE"), told);
    }

    @Test
    void shouldBeFullUntilTheOldestIsSettledOrTold()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < OperationLog.CAPACITY; i++)
            {
                assertFalse(log.isFull());
                log.write(i, i, 1);
            }
            assertTrue(log.isFull());
            final long last = (round + 1L) * OperationLog.CAPACITY;
            log.settle(log.tryAnswer(last - OperationLog.CAPACITY + 1), RemoteRefusal.FREED);
            assertTrue(log.trySettle(last));
            assertTrue(log.isFull(), "the oldest was refused, and not told");
            assertEquals(1, log.drain(sink));
            assertFalse(log.isFull());
        }
    }
}
