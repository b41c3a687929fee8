// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.event.Outcome;
import org.grim.ni.firmware.ScriptedNet.Packet;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Whom an NI gives up on a wire that loses nothing: the dead, in bounded virtual time, and not the slow. */
final class ConvictionTest
{
    private static final long MILLISECOND_NS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MILLISECOND_NS;

    private final Bench bench = new Bench(Guards.ALL, Bench.CONFIG, 2, 1);

    @BeforeEach
    void start()
    {
        bench.net.isLossy = false;
        bench.restart(0, 1);
        bench.restart(1, 1);
        bench.send(0, 1);
        bench.settle();
    }

    @Test
    void shouldGiveUpADeadNi()
    {
        kill();

        bench.send(0, 1);
        bench.pass(2 * SECOND_NS);
        bench.send(0, 1);
        bench.pass(2 * SECOND_NS);

        assertEquals(Outcome.UNKNOWN, bench.sent.get(1).outcome);
        assertEquals(Outcome.UNDELIVERED, bench.sent.get(2).outcome);
    }

    /** While the link is blocked, questions stay here. The patience begins when it leaves. */
    @Test
    void shouldNotTakeABlockedLinkForSilence()
    {
        bench.net.isHeld = packet -> packet.from() == 0;
        bench.send(0, 1);
        bench.work();
        bench.net.isBusy[0] = true;

        bench.pass(50 * SECOND_NS);
        assertNull(bench.sent.get(1).outcome);
        bench.net.isBusy[0] = false;
        bench.pass(SECOND_NS);
        bench.net.release();
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 2));
    }

    @Test
    void shouldGiveUpADeadNiOnceTheLinkIsFree()
    {
        kill();
        bench.send(0, 1);
        bench.work();
        bench.net.isBusy[0] = true;
        bench.pass(SECOND_NS);

        bench.net.isBusy[0] = false;
        bench.pass(2 * SECOND_NS);

        assertEquals(Outcome.UNKNOWN, bench.sent.get(1).outcome);
    }

    /** It blocks what others would let pass: no queue of a fabric takes so long. */
    @Test
    void shouldGiveUpAnNiThatStandsStillAndBlocksTheLink()
    {
        bench.rigs[1].program = null;
        bench.net.isHeld = packet -> true;
        bench.send(0, 1);
        bench.work();
        bench.net.isBusy[0] = true;

        bench.pass(62 * SECOND_NS);

        assertEquals(Outcome.UNKNOWN, bench.sent.get(1).outcome);
    }

    /** Its answers are late, but it sends messages: so it is alive. */
    @Test
    void shouldTakeAnyMessageAsASignOfLife()
    {
        bench.net.isHeld = packet -> packet.from() == 0 && !packet.isAnswer();
        bench.send(0, 1);
        final int count = 40;
        for (int i = 0; i < count; i++)
        {
            bench.send(1, 0);
            bench.pass(100 * MILLISECOND_NS);
        }
        bench.net.release();
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 2 + count));
    }

    /** A question that is late is not put more and more often: each stands in the queue that delays it. */
    @Test
    void shouldWaitLongerFromQuestionToQuestion()
    {
        bench.net.isHeld = packet -> packet.from() == 0;
        bench.send(0, 1);

        bench.pass(SECOND_NS);
        final long questionCount = bench.net.held.stream().filter(Packet::isAnnouncement).count();
        bench.net.release();
        bench.settle();

        assertEquals(10, questionCount);
        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 2));
    }

    private void kill()
    {
        bench.net.isLost = packet -> packet.to() == 1;
        bench.rigs[1].program = null;
    }
}
