// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

import java.util.List;
import java.util.Map;

import org.grim.death.Faults;

/** Compares what senders say with what receivers say. Knows nothing but their histories. Thread: the test's. */
final class Accounts
{
    /** The exchange of handlers' names sends some messages of its own, which are counted when they are lost. */
    private static final int OWN_COUNT = 64;

    private Accounts()
    {
    }

    /**
     * Each stream, which belongs to one pair of incarnations, was delivered to one incarnation, and no more than was
     * sent.
     */
    static void verifyStreams(final Faults faults, final List<HostRun> runs)
    {
        for (final HostRun sender : runs)
        {
            final int slack = sender.jvm.process().isAlive() ? 0 : 1;       // Killed before it wrote down the last.
            for (final HostRun receiver : runs)
            {
                for (final Map.Entry<Long, int[]> entry : receiver.delivered.entrySet())
                {
                    final int stream = (int)(long)entry.getKey();
                    if ((int)(entry.getKey() >>> Integer.SIZE) == sender.key)
                    {
                        verifyStream(faults, sender, receiver, stream, entry.getValue(), slack);
                        verifyOneIncarnation(faults, runs, receiver, entry.getKey());
                    }
                }
            }
        }
    }

    /**
     * accepted = delivered + undelivered + unknown, where what is unknown may have been delivered or not.
     */
    static void verifySums(final Faults faults, final HostRun sender, final List<HostRun> receivers)
    {
        long delivered = 0;
        for (final HostRun receiver : receivers)
        {
            for (final Map.Entry<Long, int[]> entry : receiver.delivered.entrySet())
            {
                delivered += (int)(entry.getKey() >>> Integer.SIZE) == sender.key ? entry.getValue()[1] : 0;
            }
        }
        final String sums = "key=" + sender.key + " accepted=" + sender.acceptedCount + " delivered=" + delivered +
            " undelivered=" + sender.undelivered + " unknown=" + sender.unknown;
        if (delivered + sender.undelivered + sender.unknown < sender.acceptedCount)
        {
            faults.add(Faults.Kind.LOST,
                (int)(sender.acceptedCount - delivered - sender.undelivered - sender.unknown), sums);
        }
        if (delivered + sender.undelivered > sender.acceptedCount + OWN_COUNT)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "counted as undelivered, and delivered: " + sums);
        }
    }

    private static void verifyStream(
        final Faults faults, final HostRun sender, final HostRun receiver, final int stream, final int[] delivered,
        final int slack)
    {
        final int accepted = sender.accepted.getOrDefault(stream, 0);
        if (delivered[0] > accepted + slack || delivered[1] > accepted + slack)
        {
            faults.add(Faults.Kind.PHANTOM, 1, "of key=" + sender.key + " stream=" + stream + " accepted=" + accepted +
                " at key=" + receiver.key + " last=" + delivered[0] + " count=" + delivered[1]);
        }
    }

    private static void verifyOneIncarnation(
        final Faults faults, final List<HostRun> runs, final HostRun receiver, final long streamKey)
    {
        for (final HostRun other : runs)
        {
            if (other != receiver && other.delivered.containsKey(streamKey))
            {
                faults.add(Faults.Kind.PHANTOM, 1, "stream=" + (int)streamKey + " of key=" +
                    (streamKey >>> Integer.SIZE) + " came to key=" + receiver.key + " and to key=" + other.key);
            }
        }
    }
}
