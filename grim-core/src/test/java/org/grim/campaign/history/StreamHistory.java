// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

import org.agrona.collections.Int2IntHashMap;
import org.grim.death.Faults;

/** History of one stream: reports of its sender, and of each receiver. Any thread. */
final class StreamHistory
{
    final int key;
    final int stream;

    private final BitSet accepted = new BitSet();
    private final BitSet queued = new BitSet();
    private final Int2IntHashMap hows = new Int2IntHashMap(-1);
    private final Map<Incarnation, BitSet> delivered = new HashMap<>();
    private int destination = Incarnation.UNKNOWN;
    private int kind;
    private long lengthSum;

    StreamHistory(final int key, final int stream)
    {
        this.key = key;
        this.stream = stream;
    }

    synchronized void opened(final int newDestination, final int newKind)
    {
        destination = newDestination;
        kind = newKind;
    }

    synchronized void accepted(final int sequence, final int how)
    {
        accepted.set(sequence);
        queued.set(sequence, how < 0);
        lengthSum += HistoryRecord.lengthOf(how);
        hows.put(sequence, how);
    }

    synchronized void delivered(final Incarnation receiver, final int sequence, final Faults faults)
    {
        final BitSet here = delivered.computeIfAbsent(receiver, any -> new BitSet());
        final int last = here.length() - 1;
        if (here.get(sequence))
        {
            faults.add(Faults.Kind.REPEATED, 1, this + " sequence=" + sequence + " at " + receiver);
        }
        else if (sequence < last)
        {
            faults.add(Faults.Kind.REORDERED, 1, this + " after=" + describe(last) + " came=" + describe(sequence) +
                " at " + receiver);
        }
        here.set(sequence);
    }

    /** A sequence, and how it was sent as far as that is known yet. */
    synchronized String describe(final int sequence)
    {
        return sequence + (hows.containsKey(sequence) ? " (" + HistoryRecord.describe(hows.get(sequence)) + ")" : "");
    }

    synchronized Map<Incarnation, BitSet> receivers()
    {
        return new HashMap<>(delivered);
    }

    synchronized int destination()
    {
        return destination;
    }

    synchronized int kind()
    {
        return kind;
    }

    synchronized int acceptedCount()
    {
        return accepted.cardinality();
    }

    synchronized long lengthSum()
    {
        return lengthSum;
    }

    /** Accepted, and not delivered anywhere. */
    synchronized BitSet missing()
    {
        final BitSet missing = (BitSet)accepted.clone();
        delivered.values().forEach(missing::andNot);
        return missing;
    }

    /** As {@link #missing}, without what waited at the sender when it ended. */
    synchronized BitSet missingOfSent()
    {
        final BitSet missing = missing();
        missing.andNot(queued);
        return missing;
    }

    /** The last sequence that came; -1 if none. */
    synchronized int lastDelivered()
    {
        return delivered.values().stream().mapToInt(BitSet::length).max().orElse(0) - 1;
    }

    /** Delivered, and not accepted as far as its sender had written down. */
    synchronized int phantomCount()
    {
        final BitSet phantoms = new BitSet();
        delivered.values().forEach(phantoms::or);
        phantoms.andNot(accepted);
        return phantoms.cardinality();
    }

    @Override
    public String toString()
    {
        return "key=" + key + " stream=" + stream + (kind == HistoryRecord.KIND_SHARED ? " shared" : "") +
            (kind == HistoryRecord.KIND_SINGLE ? " single" : "");
    }
}
