// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;

/** Runs that need one guard of sequences, answers or tokens each. Null is success, else what went wrong. */
final class DeliveryScenarios
{
    private static final FirmwareConfig SMALL = Bench.CONFIG.with(values ->
    {
        values.sequenceBits = 2;
        values.window = 2;
    });
    private static final long LONG_NS = 1_000_000_000;

    private DeliveryScenarios()
    {
    }

    /** A window as wide as the sequence space, and all its answers lost: the repeats look like new messages. */
    static String windowLimit(final Guards guards)
    {
        final Bench bench = windowOfFour(guards);
        final int[] lostCount = new int[1];
        bench.net.isLost = packet -> packet.isAnswer() && lostCount[0]++ < 4;
        for (int i = 0; i < 4; i++)
        {
            bench.send(0, 1);
        }
        bench.settle();
        return bench.problem();
    }

    /** With the guard such a window is refused when the firmware starts, and a right one must do. */
    private static Bench windowOfFour(final Guards guards)
    {
        try
        {
            return new Bench(guards, SMALL.with(values -> values.window = 4), 2, 1);
        }
        catch (final IllegalArgumentException ex)
        {
            return new Bench(guards, SMALL, 2, 1);
        }
    }

    /** An answer is lost, so that the message comes twice. */
    static String duplicateCheck(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        final int[] lostCount = new int[1];
        bench.net.isLost = packet -> packet.isAnswer() && lostCount[0]++ < 1;
        bench.send(0, 1);
        bench.settle();
        return bench.problem();
    }

    /** The first message of three is lost. */
    static String orderCheck(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        final int[] lostCount = new int[1];
        bench.net.isLost = packet -> packet.isData() && lostCount[0]++ < 1;
        bench.send(0, 1);
        bench.send(0, 1);
        bench.send(0, 1);
        bench.settle();
        return bench.problem();
    }

    static String sequenceWrap(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        for (int i = 0; i < 700; i++)
        {
            bench.send(0, 1);
            bench.work();
        }
        bench.settle();
        return bench.problem();
    }

    /** More messages than frames, and the host looks late. */
    static String tooManyForTheHost(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.isReceiving[1] = false;
        for (int i = 0; i < 7; i++)
        {
            bench.send(0, 1);
        }
        bench.run(5_000);
        bench.isReceiving[1] = true;
        bench.settle();
        return bench.problem();
    }

    /** A host that does not receive for long is no reason to give its NI up: the refusals show that it is alive. */
    static String nackSent(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.isReceiving[1] = false;
        for (int i = 0; i < 7; i++)
        {
            bench.send(0, 1);
        }
        bench.pass(LONG_NS);
        bench.isReceiving[1] = true;
        bench.settle();
        return bench.problemUnless(Outcome.ACKNOWLEDGED, 7);
    }

    /** One triple is refused at its third message, while the first three of another are lost. */
    static String rollbackTriple(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 2, Bench.QUEUE_LENGTH, 2, false);
        bench.isReceiving[1] = false;
        bench.send(0, 0, 1, 0, 8);
        bench.work();
        bench.net.isLost = packet -> packet.isData() && bench.sent.get(packet.number()).channel == 1;
        for (int i = 0; i < 3; i++)
        {
            bench.send(0, 1, 1, 1, 8);
        }
        bench.work();
        bench.send(0, 0, 1, 0, 8);
        bench.send(0, 0, 1, 0, 8);
        bench.work();
        bench.net.isLost = packet -> false;
        bench.isReceiving[1] = true;
        bench.settle();
        return bench.problemUnless(Outcome.ACKNOWLEDGED, 6);
    }

    /** The old answer comes when its token has been given to a message that is lost, with the same sequence. */
    static String tokenQuarantine(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG.with(values -> values.tokenCount = 2), 2, 2);
        bench.net.isHeld = packet -> packet.isAnswer();
        bench.send(0, 1);
        bench.pass(15_000_000);                         // It times out once, and is answered twice.
        if (bench.net.held.size() < 2)
        {
            return "there is no second answer";
        }
        bench.net.releaseOne();
        bench.work();
        bench.net.isLost = packet -> packet.isData();
        bench.send(0, 1, 1, 1, 8);
        bench.work();
        bench.net.release();
        bench.work();
        bench.net.isLost = packet -> false;
        bench.settle();
        return bench.problem();
    }

    /**
     * An answer with a lost message's token and another sequence. No honest NI sends it on a wire that keeps order:
     * the quarantine keeps tokens apart. It needs a defective peer.
     */
    static String answerSequence(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.send(0, 1);
        bench.settle();
        bench.net.isLost = packet -> packet.isData();
        bench.send(0, 1);
        bench.work();
        bench.net.isLost = packet -> false;
        bench.net.sent.stream().filter(packet -> packet.isAnswer()).findFirst().ifPresent(bench.net::inject);
        bench.settle();
        return bench.problem();
    }

    /**
     * An NI is given up while its answer is under way. The token goes to a message for another NI, with the same
     * sequence, which is lost.
     */
    static String answerSource(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG.with(values -> values.tokenCount = 1), 3, 1);
        bench.send(0, 1);
        bench.send(0, 2);
        bench.settle();
        bench.net.isHeld = packet -> packet.from() == 1;
        bench.send(0, 1);
        bench.pass(LONG_NS);
        if (bench.sent.get(2).outcome != Outcome.UNKNOWN)
        {
            return "NI 1 was not given up";
        }
        bench.net.isLost = packet -> packet.isData();
        bench.send(0, 2);
        bench.work();
        bench.net.releaseOne();
        bench.work();
        bench.net.isLost = packet -> false;
        bench.net.release();
        bench.settle();
        return bench.problem();
    }

    static String timeOutResend(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        final int[] lostCount = new int[1];
        bench.net.isLost = packet -> packet.isData() && lostCount[0]++ < 1;
        bench.send(0, 1);
        bench.settle();
        return bench.problem();
    }

    /** An NI dies while a message to it is in flight. */
    static String peerGone(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.send(0, 1);
        bench.settle();
        bench.rigs[1].program = null;
        bench.send(0, 1);
        bench.settle();
        return bench.problemUnless(Outcome.UNKNOWN, 1);
    }

    /** Among messages that are accepted, two cannot be; the first report of each is lost. */
    static String refusalKept(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.send(0, 1);
        bench.settle();
        final int[] lostCount = new int[1];
        bench.net.isLost = packet -> packet.isRefusal() && lostCount[0]++ < 2;
        for (int i = 0; i < 2; i++)
        {
            bench.send(0, 0, 1, 0, BoardRig.FRAME_LENGTH + 8);
            bench.send(0, 1);
            bench.send(0, 1);
        }
        bench.settle();
        return bench.problemUnless(Outcome.REFUSED, 2);
    }
}
