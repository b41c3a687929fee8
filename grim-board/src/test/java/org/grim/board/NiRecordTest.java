// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.HandMadeMembership;
import org.grim.transport.Membership;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class NiRecordTest
{
    private final Membership membership = new HandMadeMembership(0, HandMadeMembership.firstIncarnations(2))
    {
        @Override
        public boolean convictIfDead(final int node)
        {
            return !isUp(node);
        }
    };
    private final NiRecord nodeRecord = NiRecord.of(membership, 1);

    @Test
    void shouldPinTheArea()
    {
        nodeRecord.publish(NiRoute.of(3, 5, 64), 2, 16, 8_000);

        final AtomicBuffer area = membership.area(1, "ni");
        assertEquals(NiRoute.of(3, 5, 64), area.getInt(0));
        assertEquals(2, area.getInt(4));
        assertEquals(16, area.getInt(8));
        assertEquals(8_000, area.getInt(12));
        assertEquals(NiRoute.of(3, 5, 64), nodeRecord.route());
        assertEquals(2, nodeRecord.incarnation());
        assertEquals(16, nodeRecord.arrivalCountMax());
        assertEquals(8_000, nodeRecord.replyLengthMax());
        assertEquals(NiRoute.NONE, NiRecord.of(membership, 0).route());
    }

    @Test
    void shouldSayWhatANodeThatLeftHadNotRead()
    {
        nodeRecord.publish(NiRoute.of(3, 5, 64), 2, 16, 0);
        assertEquals(-1, nodeRecord.unread());

        nodeRecord.unread(0);
        assertEquals(0, nodeRecord.unread());
        assertEquals(0, nodeRecord.arrivalCountMax());

        nodeRecord.unread(9);
        assertEquals(9, nodeRecord.unread());
    }
}
