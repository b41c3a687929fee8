// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

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
    private final List<String> reported = new ArrayList<>();
    private final MemoryHop.RefusalSink sink =
        (ticket, address, length, reason) -> reported.add(ticket + " " + address + " " + length + " " + reason);

    @Test
    void shouldReportRefusalsOnceAndInOrder()
    {
        log.write(1, 100, 8);
        log.write(2, 200, 9);
        log.write(3, 300, 10);

        answer(2, RemoteRefusal.FREED);
        assertEquals(1, log.drain(sink));
        answer(3, RemoteRefusal.NO_RIGHT);
        assertEquals(1, log.drain(sink));

        assertEquals(0, log.drain(sink));
        assertEquals(List.of("2 200 9 FREED", "3 300 10 NO_RIGHT"), reported);
        assertTrue(log.isEmpty());
        assertTrue(log.isSettled());
    }

    @Test
    void shouldReportRefusalsOfBothSidesInTheOrderOfTheirOperations()
    {
        log.write(1, 10, 2);
        log.refused(2, 20, 3, RemoteRefusal.ZERO_LENGTH);
        log.write(3, 30, 4);
        log.write(4, 40, 5);
        assertEquals(-1, log.takeRefused(), "the first may still be refused");

        log.settle(RemoteRefusal.BY_NETWORK_INTERFACE);
        assertEquals(1, log.ticket(log.takeRefused()));
        assertEquals(RemoteRefusal.ZERO_LENGTH, log.refusal(log.takeRefused()));
        assertEquals(-1, log.takeRefused());
        log.settle(null);
        log.settle(RemoteRefusal.PEER_GONE);

        assertEquals(1, log.drain(sink));
        assertEquals(List.of("4 40 5 PEER_GONE"), reported);
        assertTrue(log.isEmpty());
    }

    @Test
    void shouldLeaveWhatTheSinkCausesForTheNextTime()
    {
        log.refused(1, 10, 2, RemoteRefusal.ZERO_LENGTH);

        assertEquals(1, log.drain((ticket, address, length, reason) -> log.refused(2, 20, 3, reason)));

        assertFalse(log.isEmpty());
        assertEquals(1, log.drain(sink));
        assertEquals(List.of("2 20 3 ZERO_LENGTH"), reported);
    }

    @Test
    void shouldHoldSoManyThatWereRefusedOrNot()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < OperationLog.CAPACITY; i += 2)
            {
                assertFalse(log.isFull());
                log.write(i, i, i);
                log.refused(i, i, i, RemoteRefusal.WRAP_AROUND);
            }
            assertTrue(log.isFull());
            assertFalse(log.isSettled());
            while (!log.isSettled())
            {
                log.settle(null);
            }
            assertEquals(OperationLog.CAPACITY / 2, log.drain(sink));
            assertTrue(log.isEmpty());
        }
    }

    @Test
    void shouldKeepWhereAReadNotifies()
    {
        log.read(5, 1, 2, 77, 0x1234, 9);

        final int index = log.settle(null);

        assertTrue(log.isRead(index));
        assertEquals(77, log.targetAddress(index));
        assertEquals(0x1234, log.notificationAddress(index));
        assertEquals(9, log.notificationValue(index));
        log.write(6, 1, 2);
        assertEquals(MemoryHop.NO_NOTIFICATION, log.notificationAddress(log.settle(null)));
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
        answer(2, null);
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
        assertEquals(List.of("2 200 8 PEER_GONE", "3 300 8 PEER_GONE"), reported);
    }

    @Test
    void shouldBeFullUntilTheOldestIsSettledOrReported()
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
            answer(last - OperationLog.CAPACITY + 1, RemoteRefusal.FREED);
            assertTrue(log.trySettle(last));
            assertTrue(log.isFull(), "the oldest was refused, and not reported");
            assertEquals(1, log.drain(sink));
            assertFalse(log.isFull());
        }
    }

    @Test
    void shouldHoldAsManyAsItWasMadeFor()
    {
        final OperationLog small = new OperationLog(2);
        small.read(1, 10, 8, 1, 0x40, 2);
        small.read(2, 20, 8, 1, 0x44, 2);

        assertTrue(small.isFull());
        assertEquals(0x40, small.notificationAddress(small.oldest()));
        small.settle(null);
        small.read(3, 30, 8, 1, 0x48, 2);
        assertTrue(small.isFull());
        small.giveUp(RemoteRefusal.PEER_GONE);
        assertEquals(2, small.drain(sink));
        assertEquals(List.of("2 20 8 PEER_GONE", "3 30 8 PEER_GONE"), reported);
    }

    private void answer(final long number, final RemoteRefusal refusal)
    {
        final int index = log.tryAnswer(number);
        assertTrue(index >= 0);
        assertEquals(index, log.settle(refusal));
    }
}
