// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.HdrHistogram.Histogram;
import org.grim.EndpointId;

/**
 * The asking side of one {@link Mode}. Payloads are written before and verified after the clock runs.
 * <p>Thread: one, which polls. Allocates nothing while it measures.
 */
interface PingClient
{
    /** Finds the server. Its handlers must be registered. */
    void connect(EndpointId server);

    /** One payload at a time for so long; each goes into the histogram with its whole time. */
    void measure(int size, long durationNs, Histogram times);

    /** Payloads as fast as back pressure lets them go for so long; returns how many per second. */
    double stream(int size, long durationNs);

    /** Payloads of the given size that were compared since the last call. */
    long takeVerifiedCount();

    /** Sends the server into the raw pass, from which only the raw pass brings it back. */
    void requestRaw();

    /** Sends the server to the other transport, from which only the client there brings it back. */
    void requestSwitch();
}
