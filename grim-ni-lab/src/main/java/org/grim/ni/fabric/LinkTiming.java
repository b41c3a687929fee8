// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/**
 * Properties of a link.
 *
 * @param latencyNs      from its one end to the other.
 * @param bytesPerSecond that it carries.
 * @param packetCount    packets that its far end can hold, 1 or more.
 */
public record LinkTiming(long latencyNs, long bytesPerSecond, int packetCount)
{
    private static final long SECOND_NS = 1_000_000_000L;

    public LinkTiming
    {
        if (latencyNs < 0 || bytesPerSecond < 1 || packetCount < 1)
        {
            throw new IllegalArgumentException("latency=" + latencyNs + " ns, bytes per second=" + bytesPerSecond +
                ", packet count=" + packetCount);
        }
    }

    /** Returns the time that so many bytes occupy the link. */
    long transmissionNs(final int length)
    {
        return (length * SECOND_NS + bytesPerSecond - 1) / bytesPerSecond;
    }
}
