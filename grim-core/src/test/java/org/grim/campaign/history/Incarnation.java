// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.GrimException;

/** One incarnation of a node, as the coordinator knows it. Written by the reader of its process's history. */
public final class Incarnation
{
    static final int UNKNOWN = -1;

    private static final int REPORT_LENGTH = 3;

    public final int key;
    public final String name;
    public final String host;
    /** Number and incarnation, once it has joined. */
    public volatile int packed = UNKNOWN;
    public volatile End end = End.NONE;
    /** Why it was refused; null unless it was. */
    public volatile GrimException.Reason refusal;
    volatile boolean isQuiet;

    /** Undelivered and unknown messages in its reports, by packed incarnation. */
    final Map<Integer, long[]> reported = new ConcurrentHashMap<>();

    private final Map<Integer, Long> goneNs = new ConcurrentHashMap<>();

    /** Kind of its end. */
    public enum End
    {
        /** It is alive. */
        NONE,
        /** It left in order. */
        LEFT,
        /** SIGKILL. */
        KILLED,
        /** The other hosts convicted it; its process goes on. */
        FENCED,
        /** The cluster did not let it in. */
        REFUSED
    }

    Incarnation(final int key, final String name, final String host)
    {
        this.key = key;
        this.name = name;
        this.host = host;
    }

    boolean hasJoined()
    {
        return packed != UNKNOWN;
    }

    public boolean isLive()
    {
        return end == End.NONE && hasJoined();
    }

    /** It ended though its process goes on, and nobody had it leave. */
    public boolean isOut()
    {
        return end == End.FENCED || end == End.REFUSED;
    }

    public int number()
    {
        return HistoryRecord.numberOf(packed);
    }

    /** {@return when it said that a node is gone, as of {@link System#nanoTime()}; null if it did not} */
    public Long goneNs(final int other)
    {
        return goneNs.get(other);
    }

    void gone(final int other)
    {
        goneNs.putIfAbsent(other, System.nanoTime());
    }

    void report(final int other, final long undelivered, final long unknown)
    {
        final long[] sums = reported.computeIfAbsent(other, any -> new long[REPORT_LENGTH]);
        synchronized (sums)
        {
            sums[0] += undelivered;
            sums[1] += unknown;
            sums[2]++;
        }
    }

    /** Messages reported as lost, or perhaps lost, to one incarnation: undelivered, unknown, reports. */
    long[] reportedToIncarnation(final int other)
    {
        return reported.getOrDefault(other, new long[REPORT_LENGTH]);
    }

    /** The same, to all incarnations of a node number. */
    long[] reportedTo(final int number)
    {
        final long[] all = new long[REPORT_LENGTH];
        reported.forEach((other, sums) ->
        {
            for (int i = 0; i < REPORT_LENGTH && HistoryRecord.numberOf(other) == number; i++)
            {
                all[i] += sums[i];
            }
        });
        return all;
    }

    @Override
    public String toString()
    {
        return name + " key=" + key + " " +
            (hasJoined() ? HistoryRecord.text(packed) : "not joined") + " " + end;
    }
}
