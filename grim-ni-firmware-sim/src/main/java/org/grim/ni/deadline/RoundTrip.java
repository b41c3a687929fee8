// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.deadline;

/**
 * Estimate of the time between a message's leaving and its answer, for one peer. Smoothed mean and deviation as in
 * RFC 6298 (gains 1/8 and 1/4); samples of messages that left more than once are not taken (Karn).
 * <p>Thread: the board's stepper.
 */
public final class RoundTrip
{
    private static final int MEAN_SHIFT = 3;
    private static final int DEVIATION_SHIFT = 2;
    private static final int DEVIATION_FACTOR = 4;

    private long meanNs;
    private long deviationNs;

    /** Nothing was measured. */
    public RoundTrip()
    {
        // The fields' values.
    }

    /**
     * A message that left once was answered.
     *
     * @param elapsedNs since it left.
     */
    public void sample(final long elapsedNs)
    {
        if (meanNs == 0)
        {
            meanNs = Math.max(elapsedNs, 1);
            deviationNs = elapsedNs / 2;
            return;
        }
        final long errorNs = elapsedNs - meanNs;
        meanNs = Math.max(meanNs + (errorNs >> MEAN_SHIFT), 1);
        deviationNs += (Math.abs(errorNs) - deviationNs) >> DEVIATION_SHIFT;
    }

    /**
     * Returns the time to wait for an answer, before any back-off.
     *
     * @param timeOutNsMin least wait.
     * @param timeOutNsMax longest wait; also the first, while nothing was measured.
     * @return nanoseconds.
     */
    public long timeOutNs(final long timeOutNsMin, final long timeOutNsMax)
    {
        return meanNs == 0 ? timeOutNsMax :
            Math.min(timeOutNsMax, Math.max(timeOutNsMin, meanNs + DEVIATION_FACTOR * deviationNs));
    }
}
