// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;

/** Runs that need one guard of channels each. Null is success, else what went wrong. */
final class ChannelScenarios
{
    private ChannelScenarios()
    {
    }

    /** The channel's first message cannot leave, and more than the queue holds passes it. */
    static String frontInOrder(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 3, 1, 4096, 4, false);
        bench.net.isLost = packet -> packet.isData() && packet.to() == 1;
        bench.send(0, 0, 1, 0, 1000);
        for (int i = 0; i < 30; i++)
        {
            bench.trySend(0, 0, 2, 0, 400);
            bench.run(10);
        }
        bench.net.isLost = packet -> false;
        bench.settle();
        return bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size());
    }

    /** More messages wait in one channel than it may have under way. */
    static String channelQuota(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG.with(values -> values.channelQuota = 2), 3, 1);
        bench.isReceiving[1] = false;
        for (int i = 0; i < 20; i++)
        {
            bench.send(0, 1 + i % 2);
        }
        bench.run(5_000);
        final int unsettledCount = bench.rigs[0].program.delivery().sender().unsettledCount(0);
        if (unsettledCount > 2)
        {
            return unsettledCount + " messages of a channel are under way";
        }
        bench.isReceiving[1] = true;
        bench.settle();
        return bench.problem();
    }

    /** A bell is rung between the look at one channel's back and the end of that look. */
    static String doorbellBeforeBack(final Guards guards)
    {
        final Bench bench = new Bench(guards, Bench.CONFIG, 2, 2);
        bench.settle();                         // At its start a board looks at all channels.
        bench.onSettled = () ->
        {
            bench.onSettled = () -> { };
            bench.send(0, 1, 1, 1, 8);
        };
        bench.send(0, 0, 9, 0, 8);              // No NI serves that node: settled at once, while the channel is served.
        bench.settle();
        return bench.problem();
    }
}
