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
public final class Ledger
{
    /** The exchange of handlers' names sends some messages of its own, which are counted when they are lost. */
    private static final int OWN_COUNT = 64;

    public final Faults faults;

    private final Map<Integer, Incarnation> byKey = new ConcurrentHashMap<>();
    private final Map<Integer, Incarnation> byPacked = new ConcurrentHashMap<>();
    private final Map<Long, StreamHistory> streams = new ConcurrentHashMap<>();
    private final Map<String, Integer> handlerByName = new HashMap<>();
    private final Map<Integer, String> nameByHandler = new HashMap<>();
    private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
    private final Reach reach;

    /** Whether what was published survives the death of its sender. */
    public interface Reach
    {
        boolean outlivesSender(Incarnation sender, Incarnation receiver);
    }

    public Ledger(final Faults faults, final Reach reach)
    {
        this.faults = faults;
        this.reach = reach;
    }

    void add(final Incarnation node)
    {
        byKey.put(node.key, node);
    }

    /** An incarnation is assigned once, a handler's id to one name. */
    synchronized void joined(final Incarnation node, final int handler)
    {
        final Incarnation before = byPacked.put(node.packed, node);
        if (before != null)
        {
            faults.add(Faults.Kind.PHANTOM, 1, node + " has the number and incarnation of " + before);
        }
        final Integer handlerBefore = handlerByName.put(node.name, handler);
        final String nameBefore = nameByHandler.put(handler, node.name);
        if ((handlerBefore != null && handlerBefore != handler) ||
            (nameBefore != null && !nameBefore.equals(node.name)))
        {
            faults.add(Faults.Kind.PHANTOM, 1, "handler id=" + handler + " of " + node + ": before id=" +
                handlerBefore + " of that name, name=" + nameBefore + " of that id");
        }
    }

    /** All hosts lost what they knew: the next cluster gives handlers other ids. */
    public synchronized void forgetHandlers()
    {
        handlerByName.clear();
        nameByHandler.clear();
    }

    /** From now on {@link #hasArrived} speaks of later messages. */
    public void forgetPairs()
    {
        pairs.clear();
    }

    /** {@return whether a message of one arrived at the other} */
    public boolean hasArrived(final Incarnation sender, final Incarnation receiver)
    {
        return pairs.contains(pair(sender.key, receiver.key));
    }

    void delivered(final int key, final int stream, final int sequence, final Incarnation receiver)
    {
        stream(key, stream).delivered(receiver, sequence, faults);
        pairs.add(pair(key, receiver.key));
    }

    private static long pair(final int sender, final int receiver)
    {
        return (long)sender << Integer.SIZE | receiver;
    }

    StreamHistory stream(final int key, final int stream)
    {
        return streams.computeIfAbsent(
            (long)key << Integer.SIZE | stream, any -> new StreamHistory(key, stream));
    }

    public Collection<Incarnation> incarnations()
    {
        return byKey.values();
    }

    public long acceptedCount()
    {
        return streams.values().stream().mapToLong(StreamHistory::acceptedCount).sum();
    }

    public long acceptedLength()
    {
        return streams.values().stream().mapToLong(StreamHistory::lengthSum).sum();
    }

    public long deliveredCount()
    {
        return streams.values().stream()
            .mapToLong(stream -> stream.receivers().values().stream().mapToLong(BitSet::cardinality).sum()).sum();
    }

    /** {@return what {@code onNodeGone} and {@code onPathLost} said to all} */
    public String reports()
    {
        return "undelivered=" + reported(0) + " unknown=" + reported(1) + " reports=" + reported(2);
    }

    private long reported(final int index)
    {
        return byKey.values().stream().flatMap(node -> node.reported.values().stream())
            .mapToLong(sums -> sums[index]).sum();
    }

    /** Counts what is not in order yet: verifies into faults of its own. */
    public int openCount()
    {
        final Faults trial = new Faults();
        verify(trial);
        return trial.total();
    }

    public void verify()
    {
        verify(faults);
    }

    private void verify(final Faults into)
    {
        final Map<Long, Sums> sums = new HashMap<>();
        for (final Incarnation node : byKey.values())
        {
            if (node.end == Incarnation.End.NONE)
            {
                node.reported.keySet().forEach(packed -> sumsOf(sums, node, HistoryRecord.numberOf(packed)));
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
        final Incarnation sender = byKey.get(stream.key);
        final Map<Incarnation, BitSet> receivers = stream.receivers();
        if (sender == null)
        {
            into.add(Faults.Kind.PHANTOM, 1, stream + " has no sender, and came to " + receivers.keySet());
            return;
        }
        if (receivers.size() > 1)
        {
            into.add(Faults.Kind.PHANTOM, 1, stream + " came to several: " + receivers.keySet());
        }
        if (stream.phantomCount() > (sender.end == Incarnation.End.KILLED ? 1 : 0))
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
        final Incarnation receiver = receivers.isEmpty() ? byPacked.get(stream.destination()) :
            receivers.keySet().iterator().next();
        if (sender.end == Incarnation.End.NONE)
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

    private static String reportsOf(final Incarnation sender, final Set<Incarnation> receivers)
    {
        return receivers.stream().map(receiver -> " reported lost to " + receiver + "=" +
            Arrays.toString(sender.reportedToIncarnation(receiver.packed))).collect(Collectors.joining());
    }

    private static Sums sumsOf(final Map<Long, Sums> sums, final Incarnation sender, final int number)
    {
        return sums.computeIfAbsent((long)sender.key << Integer.SIZE | number, any -> new Sums(sender, number));
    }

    /** accepted = delivered + undelivered + unknown, of one live sender and one node number. */
    private static final class Sums
    {
        private final Incarnation sender;
        private final int number;
        private long toLive;
        private long queuedToLive;
        private long toGone;
        private long reportedToLive;
        private long onSharedLinks;
        private final StringBuilder text = new StringBuilder();

        Sums(final Incarnation sender, final int number)
        {
            this.sender = sender;
            this.number = number;
        }

        void add(final Incarnation receiver, final StreamHistory stream, final BitSet missing)
        {
            if (receiver.isLive())
            {
                final long[] reported = sender.reportedToIncarnation(receiver.packed);
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
                // A message that waits at its sender, and does not go on, is not lost.
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
