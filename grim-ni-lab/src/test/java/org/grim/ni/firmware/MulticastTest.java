// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.ArrayList;
import java.util.List;

import org.grim.board.ChannelRegisters;
import org.grim.board.StopReason;
import org.grim.ni.event.Outcome;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.multicast.MulticastCount;
import org.junit.jupiter.api.Test;

import static org.grim.ni.firmware.MulticastBench.TREE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Multicasts between boards: each step as it should be, without any chance. */
class MulticastTest
{
    @Test
    void shouldBringAMessageToAllSubscribersOnce()
    {
        final MulticastBench bench = new MulticastBench(7);
        bench.open(6, 0, TREE, 1, 0, 1, 10, 20, 31, 40, 50, 60);

        bench.settle();
        bench.send(3, 0, TREE, 1, 100, 40);
        bench.send(3, 0, TREE, 1, 101, 0);
        bench.settle();

        final List<String> expected = List.of("1.0 open", "1.1=100", "1.2=101");
        for (final int[] subscriber : new int[][]{{0, 0}, {0, 1}, {1, 0}, {2, 0}, {3, 1}, {4, 0}, {5, 0}, {6, 0}})
        {
            assertEquals(expected, bench.received(subscriber[0], subscriber[1]), "NI " + subscriber[0]);
        }
        assertTrue(bench.received(3, 0).isEmpty());
        assertEquals(List.of(Outcome.ACKNOWLEDGED, Outcome.ACKNOWLEDGED, Outcome.ACKNOWLEDGED), bench.outcomes);
        assertEquals(3, count(bench, 0, MulticastCount.TICKETS));
        assertEquals(3, count(bench, 0, MulticastCount.RECYCLED));
        assertEquals(6, count(bench, 0, MulticastCount.ACKNOWLEDGED));
        assertEquals(6, count(bench, 2, MulticastCount.ACKNOWLEDGED));
        assertEquals(0, count(bench, 6, MulticastCount.RECYCLED));
    }

    @Test
    void shouldGiveTheMessagesOfSeveralSendersOneOrder()
    {
        final MulticastBench bench = new MulticastBench(4);
        bench.open(0, 0, TREE, 1, 0, 10, 20, 30);
        bench.settle();

        for (int i = 0; i < 5; i++)
        {
            bench.send(1, 0, TREE, 1, 10 + i, 8);
            bench.send(3, 0, TREE, 1, 30 + i, 8);
        }
        bench.settle();

        final List<String> first = bench.received(0, 0);
        assertEquals(11, first.size());
        for (int ni = 1; ni < 4; ni++)
        {
            assertEquals(first, bench.received(ni, 0));
        }
    }

    @Test
    void shouldChangeTheTreeBetweenTwoMessages()
    {
        final MulticastBench bench = new MulticastBench(5);
        bench.open(4, 1, TREE, 1, 10, 20, 30);
        bench.settle();
        bench.send(4, 1, TREE, 1, 100, 8);
        bench.close(4, 1, TREE, 1);
        bench.settle();
        bench.open(4, 0, TREE, 2, 0, 20, 30, 40);
        bench.settle();
        bench.send(4, 0, TREE, 2, 101, 8);
        bench.settle();

        assertEquals(List.of("1.0 open", "1.1=100", "1.2 close"), bench.received(1, 0));
        assertEquals(List.of("1.0 open", "1.1=100", "1.2 close", "2.0 open", "2.1=101"), bench.received(2, 0));
        assertEquals(bench.received(2, 0), bench.received(3, 0));
        assertEquals(List.of("2.0 open", "2.1=101"), bench.received(4, 0));
        assertEquals(bench.received(4, 0), bench.received(0, 0));
    }

    @Test
    void shouldRefuseWhatDoesNotFitTheEpoch()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.send(2, 0, TREE, 1, 100, 8);
        bench.settle();
        bench.open(2, 0, TREE, 1, 0, 10);
        bench.settle();
        bench.send(2, 0, TREE, 2, 101, 8);
        bench.send(2, 1, TREE, 1, 102, 8);
        bench.settle();
        bench.close(2, 0, TREE, 1);
        bench.settle();
        bench.send(2, 0, TREE, 1, 103, 8);
        bench.settle();

        assertEquals(List.of(Outcome.REFUSED, Outcome.ACKNOWLEDGED, Outcome.REFUSED, Outcome.REFUSED,
            Outcome.ACKNOWLEDGED, Outcome.REFUSED), bench.outcomes);
        assertEquals(1, bench.rigs[0].program.refuseCount(RefuseReason.NO_TREE));
        assertEquals(2, bench.rigs[0].program.refuseCount(RefuseReason.OTHER_EPOCH));
        assertEquals(List.of("1.0 open", "1.1 close"), bench.received(0, 0));
        assertEquals(List.of("1.0 open", "1.1 close"), bench.received(1, 0));
    }

    @Test
    void shouldRefuseAnUpdateThatWouldPassMessagesOfTheEpochBefore()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 20);
        bench.settle();

        bench.open(0, 1, TREE, 2, 10, 20);
        bench.settle();

        assertEquals(1, bench.rigs[2].program.refuseCount(RefuseReason.WRONG_TICKET));
        assertEquals(List.of("1 without 2"), bench.cuts);
        assertEquals(List.of("1.0 open"), bench.received(2, 0));
    }

    @Test
    void shouldLetASubscriberJumpWhoseParentIsGone()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 20);
        bench.settle();

        bench.open(0, 1, TREE, 2, 10, -20);
        bench.settle();
        bench.send(0, 0, TREE, 1, 100, 8);
        bench.send(0, 1, TREE, 2, 101, 8);
        bench.settle();

        assertEquals(List.of("1.0 open", "2.0 open", "2.1=101"), bench.received(2, 0));
        assertEquals(1, count(bench, 2, MulticastCount.LATE));
    }

    @Test
    void shouldCutOutAChildThatHasStartedAnewAndGoOnWithTheOther()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 10, 20);
        bench.settle();

        bench.restart(1, 2);
        bench.send(0, 0, TREE, 1, 100, 8);
        bench.settle();
        bench.send(0, 0, TREE, 1, 101, 8);
        bench.settle();

        assertEquals(List.of("0 without 1"), bench.cuts);
        assertEquals(List.of("1.0 open"), bench.received(1, 0));
        assertEquals(List.of("1.0 open", "1.1=100", "1.2=101"), bench.received(2, 0));
        assertEquals(1, count(bench, 0, MulticastCount.CUT));
        assertEquals(count(bench, 0, MulticastCount.FORWARDED),
            count(bench, 0, MulticastCount.ACKNOWLEDGED) + count(bench, 0, MulticastCount.LOST));
    }

    @Test
    void shouldRefuseAnUpdateThatNamesASubscriberTwiceOrNotInOrder()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 0, 10);
        bench.open(0, 0, TREE, 1, 0, 20, 10);
        bench.open(0, 0, TREE, 1, 10, 20);
        bench.settle();

        assertEquals(List.of(Outcome.REFUSED, Outcome.REFUSED, Outcome.REFUSED), bench.outcomes);
        assertEquals(3, bench.rigs[0].program.refuseCount(RefuseReason.BAD_UPDATE));
    }

    @Test
    void shouldLeaveOutSubscribersThatDoNotExist()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 9, 10, 990, 1990);
        bench.settle();
        bench.send(0, 0, TREE, 1, 100, 8);
        bench.settle();

        assertEquals(List.of("1.0 open", "1.1=100"), bench.received(0, 0));
        assertEquals(List.of("1.0 open", "1.1=100"), bench.received(1, 0));
        assertEquals(2, count(bench, 0, MulticastCount.UNDELIVERED));
    }

    @Test
    void shouldStopAHostThatSendsAsIfItsNiForwarded()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 10);
        bench.settle();

        bench.forge(0, 1, TREE, 1);
        bench.settle();

        assertEquals(List.of(Outcome.ACKNOWLEDGED, Outcome.UNDELIVERED), bench.outcomes);
        assertEquals(List.of("1.0 open"), bench.received(1, 0));
        assertEquals(StopReason.BAD_HEADER.code(), bench.rigs[0].registers[0].get(ChannelRegisters.STATUS));
    }

    @Test
    void shouldHoldBackAllWhileOneSubscriberHasNoRoom()
    {
        final MulticastBench bench = new MulticastBench(3);
        bench.open(0, 0, TREE, 1, 0, 10, 20);
        bench.settle();
        bench.isReceiving[2] = false;
        final List<String> expected = new ArrayList<>(List.of("1.0 open"));

        int sentCount = 0;
        for (int i = 0; i < 1000; i++)
        {
            if (bench.send(0, 0, TREE, 1, sentCount, 200))
            {
                expected.add("1." + (sentCount + 1) + "=" + sentCount);
                sentCount++;
            }
            bench.step();
        }

        assertFalse(bench.send(0, 0, TREE, 1, sentCount, 200), "the sender's queue has room");
        assertTrue(bench.received(1, 0).size() < sentCount, "the other child has everything");
        bench.isReceiving[2] = true;
        bench.settle();
        for (int ni = 0; ni < 3; ni++)
        {
            assertEquals(expected, bench.received(ni, 0));
        }
    }

    private static long count(final MulticastBench bench, final int ni, final MulticastCount what)
    {
        return bench.rigs[ni].program.trees().counted(what);
    }
}
