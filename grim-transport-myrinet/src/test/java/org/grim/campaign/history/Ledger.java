// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.grim.death.Faults;

/**
 * Compares what senders say with what receivers say. Knows nothing but their histories. Any thread.
 */
final class Ledger
{
    /** The exchange of handlers' names sends some messages of its own, which are counted when they are lost. */
    private static final int OWN_COUNT = 64;

    final Faults faults;

    private final Map<Integer, Life> livesByKey = new ConcurrentHashMap<>();
    private final Map<Integer, Life> livesByIncarnation = new ConcurrentHashMap<>();
    private final Map<Long, StreamHistory> streams = new ConcurrentHashMap<>();
    private final Reach reach;

    /** Whether what was published survives the death of its sender. */
    interface Reach
    {
        boolean outlivesSender(Life sender, Life receiver);
    }

    Ledger(final Faults faults, final Reach reach)
    {
        this.faults = faults;
        this.reach = reach;
    }

    void add(final Life life)
    {
        livesByKey.put(life.key, life);
    }

    void joined(final Life life)
    {
        livesByIncarnation.put(life.incarnation, life);
    }

    StreamHistory stream(final int key, final int stream)
    {
        return streams.computeIfAbsent(
            (long)key << Integer.SIZE | stream, any -> new StreamHistory(key, stream));
    }

    Collection<Life> lives()
    {
        return livesByKey.values();
    }

    long acceptedCount()
    {
        return streams.values().stream().mapToLong(StreamHistory::acceptedCount).sum();
    }

    long acceptedLength()
    {
        return streams.values().stream().mapToLong(StreamHistory::lengthSum).sum();
    }

    long deliveredCount()
    {
        return streams.values().stream()
            .mapToLong(stream -> stream.receivers().values().stream().mapToLong(BitSet::cardinality).sum()).sum();
    }

    /** Counts what is not in order yet: verifies into faults of its own. */
    int openCount()
    {
        final Faults trial = new Faults();
        verify(trial);
        return trial.total();
    }

    void verify()
    {
        verify(faults);
    }

    private void verify(final Faults into)
    {
        final Map<Long, Sums> sums = new HashMap<>();
        for (final Life life : livesByKey.values())
        {
            if (life.end == Life.End.NONE)
            {
                life.reported.keySet().forEach(packed -> sumsOf(sums, life, HistoryRecord.numberOf(packed)));
            }
        }
        for (final StreamHistory stream : streams.values())
        {
            verify(stream, into, sums);
        }
        sums.forEach((pair, sum) -> sum.verify(into));
    }

    private void verify(final StreamHistory stream, final Faults into, final Map<Long, Sums> sums)
    {
        final Life sender = livesByKey.get(stream.key);
        final Map<Life, BitSet> receivers = stream.receivers();
        if (sender == null)
        {
            into.add(Faults.Kind.PHANTOM, 1, stream + " has no sender, and came to " + receivers.keySet());
            return;
        }
        if (receivers.size() > 1)
        {
            into.add(Faults.Kind.PHANTOM, 1, stream + " came to several: " + receivers.keySet());
        }
        if (stream.phantomCount() > (sender.end == Life.End.KILLED ? 1 : 0))
        {
            into.add(Faults.Kind.PHANTOM, stream.phantomCount(), stream + " of " + sender + " delivered, not accepted");
        }
        final BitSet missing = stream.missing();
        final int last = stream.lastDelivered();
        final int gapCount = missing.get(0, Math.max(0, last)).cardinality();
        if (gapCount > 0)
        {
            into.add(Faults.Kind.LOST, gapCount, stream + " of " + sender + " has gaps before=" + last + " first=" +
                stream.describe(missing.nextSetBit(0)) + ": " + missing + reportsOf(sender, receivers.keySet()));
        }
        missing.clear(0, Math.max(0, last));
        if (missing.isEmpty())
        {
            return;
        }
        final Life receiver = receivers.isEmpty() ? livesByIncarnation.get(stream.destination()) :
            receivers.keySet().iterator().next();
        if (sender.end == Life.End.NONE)
        {
            if (receiver != null)
            {
                sumsOf(sums, sender, receiver.number()).add(receiver, stream, missing);
            }
        }
        else if (receiver != null && receiver.isLive() && reach.outlivesSender(sender, receiver))
        {
            final BitSet sent = stream.missingOfSent();
            sent.clear(0, Math.max(0, last));
            if (!sent.isEmpty())
            {
                into.add(Faults.Kind.LOST, sent.cardinality(), stream + " of " + sender + " to " + receiver +
                    " SENT, last delivered=" + last + " first missing=" +
                    stream.describe(sent.nextSetBit(0)) + ": " + sent);
            }
        }
    }

    private static String reportsOf(final Life sender, final Set<Life> receivers)
    {
        return receivers.stream().map(receiver -> " reported lost to " + receiver + "=" +
            Arrays.toString(sender.reportedToIncarnation(receiver.incarnation))).collect(Collectors.joining());
    }

    private static Sums sumsOf(final Map<Long, Sums> sums, final Life sender, final int number)
    {
        return sums.computeIfAbsent((long)sender.key << Integer.SIZE | number, any -> new Sums(sender, number));
    }

    /** accepted = delivered + undelivered + unknown, of one live sender and one node number. */
    private static final class Sums
    {
        private final Life sender;
        private final int number;
        private long toLive;
        private long queuedToLive;
        private long toGone;
        private long reportedToLive;
        private long onSharedLinks;
        private final StringBuilder text = new StringBuilder();

        Sums(final Life sender, final int number)
        {
            this.sender = sender;
            this.number = number;
        }

        void add(final Life receiver, final StreamHistory stream, final BitSet missing)
        {
            if (receiver.isLive())
            {
                final long[] reported = sender.reportedToIncarnation(receiver.incarnation);
                reportedToLive = reported[0] + reported[1];
                toLive += missing.cardinality();
                final BitSet sent = stream.missingOfSent();
                sent.and(missing);
                queuedToLive += missing.cardinality() - sent.cardinality();
            }
            else
            {
                toGone += missing.cardinality();
            }
            onSharedLinks += stream.kind() == HistoryRecord.KIND_SHARED ? missing.cardinality() : 0;
            if (text.length() < 600)
            {
                text.append(" [").append(stream).append(" to ").append(receiver).append(" last=")
                    .append(stream.lastDelivered()).append(" missing=").append(missing).append(" first=")
                    .append(stream.describe(missing.nextSetBit(0))).append(']');
            }
        }

        void verify(final Faults into)
        {
            final long[] reported = sender.reportedTo(number);
            final String what = "of " + sender + " to number=" + number + " missing at live=" + toLive +
                " at gone=" + toGone + " of these on shared links=" + onSharedLinks + " reported undelivered=" +
                reported[0] + " unknown=" + reported[1] + text;
            if (toLive > reportedToLive)
            {
                // What waits at its sender, and does not go on, is not lost.
                into.add(queuedToLive == toLive ? Faults.Kind.HUNG : Faults.Kind.LOST, (int)(toLive - reportedToLive),
                    what);
            }
            if (toGone > reported[0] + reported[1])
            {
                into.add(Faults.Kind.UNRESOLVED, (int)(toGone - reported[0] - reported[1]), "accounts " + what);
            }
            if (reported[0] > toGone + toLive + OWN_COUNT * reported[2])
            {
                into.add(Faults.Kind.UNRESOLVED, 1, "counted as undelivered, and delivered " + what);
            }
        }
    }
}
