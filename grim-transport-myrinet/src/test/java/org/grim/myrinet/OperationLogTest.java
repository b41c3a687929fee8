// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.ArrayList;
import java.util.List;

import org.grim.RemoteRefusal;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OperationLogTest
{
    private final OperationLog log = new OperationLog();
    private final List<String> told = new ArrayList<>();

    private void tell()
    {
        for (int index = log.oldestRefused(); index >= 0; index = log.oldestRefused())
        {
            told.add(log.ticket(index) + " " + log.address(index) + " " + log.length(index) + " " + log.refusal(index));
            log.refusalReported();
        }
    }

    private void publish(final int ticket)
    {
        log.published(ticket, ticket * 10L, ticket + 1, 0, 0);
    }

    @Test
    void shouldTellRefusalsInTheOrderOfTheirOperations()
    {
        publish(1);
        log.refused(2, 20, 3, RemoteRefusal.ZERO_LENGTH);
        publish(3);
        publish(4);
        tell();
        assertEquals(List.of(), told, "the first may still be refused");

        log.settled(RemoteRefusal.BY_NETWORK_INTERFACE);
        tell();
        assertEquals(List.of("1 10 2 BY_NETWORK_INTERFACE", "2 20 3 ZERO_LENGTH"), told);
        log.settled(null);
        log.settled(RemoteRefusal.PEER_GONE);
        tell();

        assertEquals(List.of("1 10 2 BY_NETWORK_INTERFACE", "2 20 3 ZERO_LENGTH", "4 40 5 PEER_GONE"), told);
        assertTrue(log.isEmpty());
        assertFalse(log.hasRefused());
    }

    @Test
    void shouldHoldSoManyAndNoMore()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < OperationLog.CAPACITY; i++)
            {
                assertFalse(log.isFull());
                if (i % 2 == 0)
                {
                    publish(i);
                }
                else
                {
                    log.refused(i, i, i, RemoteRefusal.WRAP_AROUND);
                }
            }
            assertTrue(log.isFull());
            assertTrue(log.hasUnderWay());
            while (log.hasUnderWay())
            {
                log.settled(null);
            }
            tell();
            assertTrue(log.isEmpty());
            assertEquals((round + 1) * OperationLog.CAPACITY / 2, told.size());
        }
    }

    @Test
    void shouldKeepWhereAReadNotifies()
    {
        log.published(5, 1, 2, 0x1234, 9);

        final int index = log.settled(null);

        assertEquals(0x1234, log.notificationAddress(index));
        assertEquals(9, log.notificationValue(index));
        publish(6);
        assertEquals(0, log.notificationAddress(log.settled(null)));
        assertEquals(-1, log.oldestRefused());
    }
}
