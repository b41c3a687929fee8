// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import org.grim.ni.clock.VirtualClock;

/** Counts of all boards and hosts of a run. Thread: the run's. Allocates nothing while it counts. */
final class ScaleCounts
{
    private static final int QUARTERS = 4;

    private final VirtualClock clock;
    private final int[] deliveredOf;            // By sender.
    private final long[] lastNsOf;              // By sender: when its last message so far was read.
    private final int[] hotOf;                  // The same for messages to NI 0.
    private final long[] hotLastNsOf;
    private final long middleStart;
    private final long middleEnd;
    long dataCount;                             // Transmissions of messages, the first and the later ones.
    long repeatedCount;
    long nackCount;
    long acknowledgedCount;
    long lostCount;                             // Messages that were settled as undelivered or unknown.
    long convictionCount;                       // Convictions of one NI by another.
    long deliveredCount;
    long lastNs;                                // When a host last read a message.
    private long hotCount;
    private long hotFirstNs;
    private long hotLastNs;
    private long middleStartNs;
    private long middleEndNs;

    ScaleCounts(final VirtualClock clock, final ScaleOptions options)
    {
        this.clock = clock;
        deliveredOf = new int[options.niCount()];
        lastNsOf = new long[options.niCount()];
        hotOf = new int[options.niCount()];
        hotLastNsOf = new long[options.niCount()];
        middleStart = options.totalCount() / QUARTERS;
        middleEnd = options.totalCount() - middleStart;
    }

    /** A host has read a message. */
    void delivered(final int source, final int target)
    {
        deliveredCount++;
        lastNs = clock.nowNs();
        deliveredOf[source]++;
        lastNsOf[source] = lastNs;
        if (target == 0)
        {
            hotOf[source]++;
            hotLastNsOf[source] = lastNs;
            hotFirstNs = hotCount == 0 ? lastNs : hotFirstNs;
            hotLastNs = lastNs;
            hotCount++;
        }
        if (deliveredCount == middleStart)
        {
            middleStartNs = lastNs;
        }
        if (deliveredCount == middleEnd)
        {
            middleEndNs = lastNs;
        }
    }

    long settledCount()
    {
        return acknowledgedCount + lostCount;
    }

    /** Messages a second while the middle half of them was read; 0 if it was not. */
    double middleRate()
    {
        final long elapsedNs = middleEndNs - middleStartNs;
        return elapsedNs <= 0 ? 0 : (middleEnd - middleStart) * 1e9 / elapsedNs;
    }

    /** Messages a second that NI 0's host has read, from the first to the last; 0 if it has not read two. */
    double hotRate()
    {
        final long elapsedNs = hotLastNs - hotFirstNs;
        return elapsedNs <= 0 ? 0 : (hotCount - 1) * 1e9 / elapsedNs;
    }

    /** Fairness over the senders: of the rates at which each got its messages read. */
    double senderFairness()
    {
        return fairness(deliveredOf, lastNsOf);
    }

    /** Fairness over the pairs with NI 0. */
    double hotFairness()
    {
        return fairness(hotOf, hotLastNsOf);
    }

    /**
     * Jain's index: the square of the sum over the sum of the squares, divided by their count; 1 if all are the same,
     * 1/n if one has all. Source: Jain, Chiu and Hawe, DEC-TR-301, 1984. NI 0 counts if it has sent at all.
     */
    private static double fairness(final int[] counts, final long[] lastNs)
    {
        double sum = 0;
        double squares = 0;
        int count = 0;
        for (int i = 0; i < counts.length; i++)
        {
            if (i > 0 || counts[i] > 0)
            {
                final double rate = counts[i] == 0 ? 0 : (double)counts[i] / lastNs[i];
                sum += rate;
                squares += rate * rate;
                count++;
            }
        }
        return squares == 0 ? 0 : sum * sum / (count * squares);
    }
}
