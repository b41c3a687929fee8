// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.List;

import org.grim.ni.event.DropReason;
import org.grim.ni.event.Outcome;
import org.grim.ni.firmware.ScriptedNet.Packet;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Exchange of epochs between NIs. */
final class HandshakeTest
{
    private static final int VERSION_OFFSET = 32;

    private final Bench bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 1);

    @Test
    void shouldCallAnswerAndConfirmBeforeData()
    {
        bench.send(0, 1);
        bench.settle();

        final List<Packet> packets = bench.net.sent;
        assertEquals(List.of(0, 1, 0), packets.subList(0, 3).stream().map(Packet::from).toList());
        assertEquals(3, packets.stream().filter(Packet::isAnnouncement).count());
        assertTrue(packets.get(3).isData());
    }

    @Test
    void shouldMeetWhenBothCallAtOnce()
    {
        bench.send(0, 1);
        bench.send(1, 0);
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 2));
        assertTrue(bench.net.sent.stream().filter(Packet::isAnnouncement).count() <= 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldCallAgainWhenAnyStepIsLost(final int lost)
    {
        final int[] count = new int[1];
        bench.net.isLost = packet -> packet.isAnnouncement() && count[0]++ == lost;

        bench.send(0, 1);
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 1));
        assertTrue(count[0] > lost);
    }

    @Test
    void shouldTellOthersOfItsRestart()
    {
        bench.send(0, 1);
        bench.settle();
        bench.net.isHeld = packet -> packet.isAnswer();
        bench.send(0, 1);
        bench.work();
        bench.net.clear();

        bench.restart(1, 2);
        bench.work();

        assertEquals(Outcome.UNKNOWN, bench.sent.get(1).outcome);
        assertEquals(0, bench.rigs[0].program.delivery().inFlightCount());
    }

    @Test
    void shouldRefuseAnotherVersionAndCountIt()
    {
        bench.net.isHeld = packet -> packet.isAnnouncement() && packet.from() == 0;
        bench.send(0, 1);
        bench.work();
        final Packet call = bench.net.held.remove();
        final byte[] bytes = call.bytes().clone();
        bytes[VERSION_OFFSET + 3]++;
        bench.net.inject(call.with(bytes));
        bench.work();

        assertEquals(1, bench.rigs[1].program.dropCount(DropReason.OTHER_VERSION));
        assertEquals(0, bench.rigs[1].program.delivery().peerCount());
    }

    @Test
    void shouldGiveUpASilentNiAndCallItAgainLater()
    {
        bench.net.isLost = packet -> true;
        bench.send(0, 1);
        bench.settle();
        bench.send(0, 1);
        bench.settle();
        assertEquals(Outcome.UNDELIVERED, bench.sent.get(0).outcome);
        assertEquals(Outcome.UNDELIVERED, bench.sent.get(1).outcome);

        bench.net.isLost = packet -> false;
        bench.nowNs[0] += 1_000_000_000;
        bench.send(0, 1);
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 1));
    }
}
