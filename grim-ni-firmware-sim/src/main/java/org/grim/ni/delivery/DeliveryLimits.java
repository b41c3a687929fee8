// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.deadline.RoundTrip;
import org.grim.ni.window.SequenceSpace;

/** Limits of reliable delivery, as one value. Immutable; times in nanoseconds. */
public final class DeliveryLimits
{
    private static final int QUESTION_SHIFT_MAX = 20;
    /** On a wire that loses nothing the wait for an answer doubles so often. */
    private static final int LOSSLESS_SHIFT_MAX = 4;
    /** A link that is blocked for so long is blocked by an NI that stands still, and not by a queue. */
    private static final long BLOCKED_NS_MAX = 60_000_000_000L;

    private final SequenceSpace space;
    private final long retryDelayNsMin;
    private final long retryDelayNsMax;
    private final long timeOutNsMin;
    private final long timeOutNsMax;
    private final int timeOutCountMax;
    private final long goneNs;
    private final long questionNsMax;
    private final boolean isWireLossy;

    /**
     * Checks and keeps the limits.
     *
     * @param space           of sequence numbers.
     * @param retryDelayNsMin wait before a refused message is sent again for the first time, more than 0.
     * @param retryDelayNsMax longest wait, by doubling.
     * @param timeOutNsMin    least wait for an answer, more than 0.
     * @param timeOutNsMax    longest wait, by estimate and doubling; also the first, while nothing was measured.
     * @param timeOutCountMax how often in a row a message is sent again before its NI counts as gone, 1 or more.
     * @param goneNs          how long a gone NI is not called again.
     * @param isWireLossy     whether what is not answered is sent again; otherwise it is waited for.
     * @param questionNsMax   0 if an NI that does not answer counts as gone; otherwise others say who is gone, and this
     *                        is the longest wait between two questions to it.
     */
    public DeliveryLimits(
        final SequenceSpace space, final long retryDelayNsMin, final long retryDelayNsMax, final long timeOutNsMin,
        final long timeOutNsMax, final int timeOutCountMax, final long goneNs, final boolean isWireLossy,
        final long questionNsMax)
    {
        requireOrder("retry delay", retryDelayNsMin, retryDelayNsMax);
        requireOrder("time-out", timeOutNsMin, timeOutNsMax);
        if (timeOutCountMax < 1)
        {
            throw new IllegalArgumentException("time-out count max=" + timeOutCountMax + " is below 1");
        }
        if (goneNs < 0)
        {
            throw new IllegalArgumentException("gone time=" + goneNs + " ns is below 0");
        }
        if (questionNsMax != 0 && questionNsMax < timeOutNsMax)
        {
            throw new IllegalArgumentException(
                "question time max=" + questionNsMax + " ns is below the time-out max=" + timeOutNsMax + " ns");
        }
        this.space = space;
        this.retryDelayNsMin = retryDelayNsMin;
        this.retryDelayNsMax = retryDelayNsMax;
        this.timeOutNsMin = timeOutNsMin;
        this.timeOutNsMax = timeOutNsMax;
        this.timeOutCountMax = timeOutCountMax;
        this.goneNs = goneNs;
        this.questionNsMax = questionNsMax;
        this.isWireLossy = isWireLossy;
    }

    private static void requireOrder(final String name, final long least, final long most)
    {
        if (least < 1 || most < least)
        {
            throw new IllegalArgumentException(
                name + " min=" + least + " ns, max=" + most + " ns: 0 < min <= max is needed");
        }
    }

    SequenceSpace space()
    {
        return space;
    }

    long retryDelayNsMin()
    {
        return retryDelayNsMin;
    }

    /** The delay after another one. */
    long retryDelayNsAfter(final long delayNs)
    {
        return Math.min(retryDelayNsMax, Math.max(delayNs * 2, retryDelayNsMin));
    }

    /** How long to wait for an answer after some time-outs. */
    long timeOutNs(final RoundTrip roundTrip, final int timeOutCount)
    {
        final long firstNs = roundTrip.timeOutNs(timeOutNsMin, timeOutNsMax);
        return Math.min(timeOutNsMax, firstNs << Math.min(timeOutCount, Byte.SIZE));
    }

    long timeOutNsMax()
    {
        return timeOutNsMax;
    }

    /** Whether a peer that does not answer so often counts as gone. */
    boolean isConvicted(final int timeOutCount)
    {
        return questionNsMax == 0 && timeOutCount > timeOutCountMax;
    }

    /** Whether a peer counts as gone to which nothing can leave for so long. */
    boolean isBlockedForGood(final long blockedNs)
    {
        return questionNsMax == 0 && blockedNs > BLOCKED_NS_MAX;
    }

    /** How long to wait for an answer to a question that was put so often, 1 or more. */
    long questionNs(final RoundTrip roundTrip, final int callCount)
    {
        if (questionNsMax != 0)
        {
            final long firstNs = roundTrip.timeOutNs(timeOutNsMin, timeOutNsMax);
            return Math.min(questionNsMax, Math.max(firstNs << Math.min(callCount, QUESTION_SHIFT_MAX), firstNs));
        }
        // Without loss no question needs haste. It waits behind what stands before it in the fabric.
        return isWireLossy ? timeOutNs(roundTrip, callCount) :
            timeOutNsMax << Math.min(callCount - 1, LOSSLESS_SHIFT_MAX);
    }

    long goneNs()
    {
        return goneNs;
    }

    boolean isWireLossy()
    {
        return isWireLossy;
    }
}
