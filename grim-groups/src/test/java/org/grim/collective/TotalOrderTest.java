// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedTransport;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;

import static org.grim.collective.ScriptedTraffic.OTHER;
import static org.grim.collective.ScriptedTraffic.SELF;
import static org.grim.collective.ScriptedTraffic.roster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tickets of a member whose group becomes one with another of its name: the owner changes, and nobody is gone. */
final class TotalOrderTest
{
    private static final int LENGTH = Multicasts.PREFIX_LENGTH + 8;

    private final ScriptedTraffic scripted = new ScriptedTraffic();
    private final GroupTraffic traffic = scripted.traffic;
    private final ScriptedTransport hop = scripted.hop;
    private final List<Integer> outsideWeights = new ArrayList<>();
    private final MutableDirectBuffer frame = Buffers.wrap(new byte[LENGTH]);

    @Test
    void shouldGiveNoTicketsOfAnotherOwnersEpoch()
    {
        final TotalOrder order = order(roster(1, SELF));
        hop.room = 0;
        order.onOrder(roster(1, SELF), frame, 0, LENGTH);       // Its fan-out has begun, and finds no room.
        order.onOrder(roster(1, SELF), frame, 0, LENGTH);

        final Roster merged = roster(5, OTHER, SELF);
        assertTrue(order.follow(merged));
        order.onOrder(merged, frame, 0, LENGTH);
        hop.room = Integer.MAX_VALUE;
        order.step(merged);

        assertEquals(List.of("M " + LENGTH), hop.taken);
        assertTrue(order.isEmpty());
    }

    @Test
    void shouldGiveTicketsFromTheFirstOneInAnEpochOfItsOwn()
    {
        final TotalOrder order = order(roster(5, OTHER, SELF));
        order.onOrder(roster(5, OTHER, SELF), frame, 0, LENGTH);
        assertEquals(List.of(), hop.taken);

        final Roster own = roster(9, SELF);
        assertTrue(order.follow(own));
        order.onOrder(own, frame, 0, LENGTH);

        assertEquals(List.of("M " + LENGTH), hop.taken);
        assertTrue(order.tryTake(SELF, 9, 0, frame, 0, LENGTH));
        assertFalse(order.tryTake(OTHER, 5, 0, frame, 0, LENGTH));
        assertEquals(1, scripted.lostCount());
    }

    @Test
    void shouldCountAnOrderAlthoughAFormerOwnersTicketComesLate()
    {
        final TotalOrder order = order(roster(1, OTHER, SELF));
        order.follow(roster(5, SELF, OTHER));
        assertEquals(SendStatus.SENT, order.send(roster(5, SELF, OTHER), frame, 0, LENGTH));

        assertTrue(order.tryTake(OTHER, 1, 0, frame, 0, LENGTH));
        order.follow(roster(9, OTHER, SELF));

        assertEquals(1, scripted.lostCount());
    }

    @Test
    void shouldCountAnOrderAlthoughOneOfAnEarlierMembershipGetsATicket()
    {
        order(roster(1, OTHER, SELF));
        final MutableDirectBuffer earlier = Buffers.wrap(frame.byteArray().clone());
        final TotalOrder order = order(roster(5, OTHER, SELF));
        order.follow(roster(6, SELF, OTHER));
        assertEquals(SendStatus.SENT, order.send(roster(6, SELF, OTHER), frame, 0, LENGTH));

        assertTrue(order.tryTake(SELF, 6, 0, earlier, 0, LENGTH));
        order.follow(roster(9, OTHER, SELF));

        assertEquals(1, scripted.lostCount());
    }

    @Test
    void shouldCountOrdersWhenTheOwnerLeftAndIsTheOwnerAgain()
    {
        final TotalOrder order = order(roster(1, SELF, OTHER));
        assertEquals(SendStatus.SENT, order.send(roster(1, SELF, OTHER), frame, 0, LENGTH));

        assertTrue(order.follow(new Roster(7, 5, new int[] {SELF, OTHER}, new int[2], new int[] {1, 0})));

        assertEquals(1, scripted.lostCount());
    }

    /**
     * The owner may have died before it sent the message to the next member; a later ticket says that it did not. Here
     * the owner is an earlier incarnation of this node's number.
     */
    @Test
    void shouldCountTheLatestMessageThatAnOwnerSentBeforeItDied()
    {
        final MutableDirectBuffer another = Buffers.wrap(new byte[LENGTH]);
        Multicasts.fill(another, 0, MessageHeader.pair(OTHER, 1), 16, 0, 0, Buffers.wrap(new byte[8]), 0, 8);
        final Roster successors = new Roster(7, 5, new int[] {SELF}, new int[] {1}, new int[] {1});

        final TotalOrder first = order(roster(1, SELF));
        assertTrue(first.tryTake(SELF, 1, 0, frame, 0, LENGTH));
        assertTrue(first.tryTake(SELF, 1, 1, another, 0, LENGTH));
        assertTrue(first.follow(successors));
        assertEquals(0, scripted.lostCount());

        final TotalOrder second = order(roster(1, SELF));
        assertTrue(second.tryTake(SELF, 1, 0, another, 0, LENGTH));
        assertTrue(second.tryTake(SELF, 1, 1, frame, 0, LENGTH));
        assertFalse(second.follow(roster(2, SELF)));
        assertEquals(0, scripted.lostCount());
        assertTrue(second.follow(successors));

        assertEquals(1, scripted.lostCount());
    }

    @Test
    void shouldSayWhenAnOrderOfNoMemberHasGoneToAll()
    {
        final TotalOrder order = order(roster(1, SELF));
        order.onOrder(roster(1, SELF), frame, 0, LENGTH);
        assertEquals(List.of(), outsideWeights);
        Multicasts.fill(frame, 0, Multicasts.outsideSender(traffic), 16, 0, 0, Buffers.wrap(new byte[8]), 0, 8);
        hop.room = 0;
        order.onOrder(roster(1, SELF), frame, 0, LENGTH);
        assertEquals(List.of(), outsideWeights);

        hop.room = Integer.MAX_VALUE;
        order.step(roster(1, SELF));

        assertEquals(List.of(LENGTH), outsideWeights);
        assertTrue(order.tryTake(SELF, 1, 0, frame, 0, LENGTH));
        assertFalse(order.follow(roster(2, SELF)));
        assertEquals(0, scripted.lostCount());
    }

    private TotalOrder order(final Roster first)
    {
        Multicasts.fill(frame, 0, Multicasts.sender(traffic, first), 16, 0, 0, Buffers.wrap(new byte[8]), 0, 8);
        return new TotalOrder(traffic, new Fragments(traffic, first, 1_000), first, () -> true,
            new Windows(traffic, first), (node, weight) -> outsideWeights.add(weight));
    }
}
