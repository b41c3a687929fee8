// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.board.ChannelRegisters;
import org.grim.ni.event.Outcome;
import org.grim.ni.firmware.ScriptedNet.Packet;
import org.grim.ni.guard.Guards;

/** Runs that need one guard of epochs, reports or packets each. Null is success, else what went wrong. */
final class EpochScenarios
{
    private static final FirmwareConfig SMALL = Bench.CONFIG.with(values ->
    {
        values.sequenceBits = 2;
        values.window = 2;
    });

    private EpochScenarios()
    {
    }

    /** An announcement from before the restart comes late. Wires in order do not do that; a lost SRAM would. */
    static String epochOrder(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        exchange(bench);
        final Packet old = bench.net.sent.stream()
            .filter(packet -> packet.isAnnouncement() && packet.from() == 1).findFirst().orElseThrow();
        bench.restart(1, 2);
        bench.settle();
        exchange(bench);
        bench.send(1, 0);
        bench.work();
        bench.net.inject(old);
        bench.work();
        exchange(bench);
        return bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size());
    }

    /** Messages for an NI that died stand on the wire when it is back. */
    static String epochConfirmed(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.net.isHeld = packet -> packet.isData();
        bench.send(0, 1);
        bench.send(0, 1);
        bench.work();
        bench.restart(1, 2);
        bench.net.release();
        bench.settle();
        return bench.rigs[1].received.isEmpty() ? bench.problemUnless(Outcome.UNKNOWN, 2) :
            "a new NI received what was sent to the one before";
    }

    static String epochDiscard(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        exchange(bench);
        bench.restart(1, 2);
        bench.settle();
        exchange(bench);
        return bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size());
    }

    static String lossReported(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 1);
        bench.send(0, 1);
        bench.settle();
        bench.rigs[1].program = null;
        bench.send(0, 1);
        bench.settle();
        final int unknownCount = bench.rigs[0].registers[0].getAcquire(ChannelRegisters.UNKNOWN);
        return unknownCount == 1 ? bench.problemUnless(Outcome.UNKNOWN, 1) : unknownCount + " losses were counted";
    }

    /** A copy comes when its sequence is the expected one again: all 256 have passed. */
    static String packetNumber(final Guards guards)
    {
        final Bench bench = enveloped(guards, Bench.CONFIG);
        for (int i = 0; i < 256; i++)
        {
            bench.send(0, 1);
            bench.work();
        }
        bench.settle();
        bench.net.sent.stream().filter(packet -> packet.isData()).findFirst().ifPresent(bench.net::inject);
        bench.work();
        exchange(bench);
        return bench.problem();
    }

    /** Bits flip in a payload. */
    static String packetChecksum(final Guards guards)
    {
        final Bench bench = enveloped(guards, SMALL);
        exchange(bench);
        bench.net.isLost = packet -> packet.isData();
        bench.send(0, 1);
        bench.work();
        bench.net.isLost = packet -> false;
        final Packet whole = bench.net.sent.get(bench.net.sent.size() - 1);
        final byte[] spoilt = whole.bytes().clone();
        spoilt[spoilt.length - 1] ^= 4;
        bench.net.inject(whole.with(spoilt));
        bench.settle();
        return bench.problem();
    }

    /** A host does not go on for a while with what it began. */
    static String cutPacket(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 2);
        bench.send(0, 1);
        bench.settle();
        final BoardRig rig = bench.rigs[0];
        final int index = rig.appenders[0].beginSegments(32 + 1000);
        final int number = bench.account(0, rig.appenders[0].position(), new Bench.Sent(0, 0, 1, 0));
        rig.write(index, 0, 1, 0, number, 1000);
        rig.appenders[0].fill(64);
        bench.settle();
        if (bench.rigs[1].received.contains(number))
        {
            return "message " + number + " was received before it was written";
        }
        rig.appenders[0].publish();
        bench.settle();
        return bench.problemUnless(Outcome.ACKNOWLEDGED, 2);
    }

    private static Bench enveloped(final Guards guards, final FirmwareConfig config)
    {
        return new Bench(guards, config, 2, 1, Bench.QUEUE_LENGTH, 4, true);
    }

    /** Some messages in each direction. */
    static void exchange(final Bench bench)
    {
        for (int i = 0; i < 3; i++)
        {
            bench.send(0, 1);
            bench.send(1, 0);
        }
        bench.settle();
    }
}
