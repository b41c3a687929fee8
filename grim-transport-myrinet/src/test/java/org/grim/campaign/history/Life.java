// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One incarnation of a node, as the coordinator knows it. Written by the reader of its process's history. */
final class Life
{
    static final int UNKNOWN = -1;

    private static final int REPORT_LENGTH = 3;

    final int key;
    final String name;
    final String host;
    volatile int incarnation = UNKNOWN;
    volatile End end = End.NONE;
    volatile boolean isQuiet;

    /** Undelivered and unknown messages that it was told of, by packed incarnation. */
    final Map<Integer, long[]> reported = new ConcurrentHashMap<>();

    /** How it ended. */
    enum End
    {
        /** It lives. */
        NONE,
        /** It left in an orderly way. */
        LEFT,
        /** SIGKILL. */
        KILLED
    }

    Life(final int key, final String name, final String host)
    {
        this.key = key;
        this.name = name;
        this.host = host;
    }

    boolean hasJoined()
    {
        return incarnation != UNKNOWN;
    }

    boolean isLive()
    {
        return end == End.NONE && hasJoined();
    }

    int number()
    {
        return HistoryRecord.numberOf(incarnation);
    }

    void report(final int packed, final long undelivered, final long unknown)
    {
        final long[] sums = reported.computeIfAbsent(packed, any -> new long[REPORT_LENGTH]);
        synchronized (sums)
        {
            sums[0] += undelivered;
            sums[1] += unknown;
            sums[2]++;
        }
    }

    /** What was reported lost, or perhaps lost, on the way to one incarnation: undelivered, unknown, reports. */
    long[] reportedToIncarnation(final int packed)
    {
        return reported.getOrDefault(packed, new long[REPORT_LENGTH]);
    }

    /** The same, to all incarnations of a node number. */
    long[] reportedTo(final int number)
    {
        final long[] all = new long[REPORT_LENGTH];
        reported.forEach((packed, sums) ->
        {
            for (int i = 0; i < REPORT_LENGTH && HistoryRecord.numberOf(packed) == number; i++)
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
            (hasJoined() ? number() + "/" + HistoryRecord.countOf(incarnation) : "not joined") + " " + end;
    }
}
