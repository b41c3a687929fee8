// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

/**
 * Time of a bare transfer: never less than the least one; beyond the half length, a start-up time and a time for each
 * byte. The start-up time is chosen so that the half length reaches half of the bandwidth. Where it is longer than the
 * least transfer, times below the half length lie on the straight line from the least transfer to there. Immutable.
 *
 * @param leastNs    of a transfer without bytes, 0 or more.
 * @param bytesPerUs at best, more than 0.
 * @param halfLength where half of that is reached, bytes; 1 or more.
 */
public record TransferCurve(double leastNs, double bytesPerUs, double halfLength)
{
    private static final double NS_PER_US = 1_000;

    public TransferCurve
    {
        if (!(leastNs >= 0 && bytesPerUs > 0 && halfLength >= 1))
        {
            throw new IllegalArgumentException(
                "least=" + leastNs + " ns, bytes per us=" + bytesPerUs + ", half length=" + halfLength);
        }
    }

    /**
     * One transfer.
     *
     * @param length bytes, 0 or more.
     * @return nanoseconds.
     */
    public long ns(final long length)
    {
        final double startupNs = bytesNs(halfLength);
        if (leastNs < startupNs && length < halfLength)
        {
            return Math.round(leastNs + (2 * startupNs - leastNs) * length / halfLength);
        }
        return Math.round(Math.max(leastNs, startupNs + bytesNs((double)length)));
    }

    private double bytesNs(final double length)
    {
        return length * NS_PER_US / bytesPerUs;
    }
}
