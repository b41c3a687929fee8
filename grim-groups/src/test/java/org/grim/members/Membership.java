// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.HashMap;
import java.util.Map;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;

/** One membership of a process in the group, as its history has it. Any thread: callers hold its lock. */
final class Membership
{
    final Member process;
    final int key;
    int firstEpoch;                 // 0 until it is a member.
    int epoch;
    boolean hasLeft;

    /** Nodes by rank, of each epoch that it went on with. */
    final Map<Integer, int[]> rosters = new HashMap<>();
    /** Triples of sequence, epoch and status. */
    final IntArrayList accepted = new IntArrayList();
    /** Sequences by the key of the sender. */
    final Map<Integer, IntArrayList> delivered = new HashMap<>();
    /** Messages in total order: key of the sender and sequence. */
    final LongArrayList ordered = new LongArrayList();

    Membership(final Member process, final int key)
    {
        this.process = process;
        this.key = key;
    }

    /** Still a member, as far as anybody knows. */
    boolean isLive()
    {
        return firstEpoch > 0 && !hasLeft && process.isLive();
    }

    void delivered(final int senderKey, final int sequence)
    {
        delivered.computeIfAbsent(senderKey, any -> new IntArrayList()).addInt(sequence);
        if (MemberRecord.isOrdered(sequence))
        {
            ordered.addLong(message(senderKey, sequence));
        }
    }

    static long message(final int key, final int sequence)
    {
        return (long)key << Integer.SIZE | sequence;
    }

    @Override
    public String toString()
    {
        return "key=" + key + " of node=" + process.number() + " since epoch=" + firstEpoch +
            (hasLeft ? " left" : isLive() ? " live" : " ended");
    }
}
