// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.deadline.RoundTrip;
import org.grim.ni.window.SequenceSpace;

/**
 * Limits of reliable delivery, which {@code FirmwareConfig} has checked; times in nanoseconds.
 *
 * @param space           of sequence numbers.
 * @param retryDelayNsMin wait before a refused message is sent again for the first time.
 * @param retryDelayNsMax maximum wait, by doubling.
 * @param timeOutNsMin    minimum wait for an answer.
 * @param timeOutNsMax    maximum wait, by estimate and doubling; also the first, while nothing was measured.
 * @param timeOutCountMax how often in a row a message is sent again before its NI counts as gone.
 * @param goneNs          time for which a gone NI is not called again.
 * @param isWireLossy     true if a message without an answer is sent again; otherwise its answer is waited for.
 * @param questionNsMax   0 if an NI that does not answer counts as gone; otherwise others say which NI is gone, and
 *                        this is the maximum wait between two questions to it.
 */
public record DeliveryLimits(
    SequenceSpace space, long retryDelayNsMin, long retryDelayNsMax, long timeOutNsMin, long timeOutNsMax,
    int timeOutCountMax, long goneNs, boolean isWireLossy, long questionNsMax)
{
    private static final int QUESTION_SHIFT_MAX = 20;
    /** Limit of how often the wait for an answer doubles on a wire that loses nothing. */
    private static final int LOSSLESS_SHIFT_MAX = 4;
    /** A link that is blocked for so long is blocked by an NI that stands still, and not by a queue. */
    private static final long BLOCKED_NS_MAX = 60_000_000_000L;

    /** The delay after another one. */
    long retryDelayNsAfter(final long delayNs)
    {
        return Math.min(retryDelayNsMax, Math.max(delayNs * 2, retryDelayNsMin));
    }

    /** Returns the time to wait for an answer after some time-outs. */
    long timeOutNs(final RoundTrip roundTrip, final int timeOutCount)
    {
        final long firstNs = roundTrip.timeOutNs(timeOutNsMin, timeOutNsMax);
        return Math.min(timeOutNsMax, firstNs << Math.min(timeOutCount, Byte.SIZE));
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

    /** Returns the time to wait for an answer to a question that was sent this many times, 1 or more. */
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
}
