// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.concurrent.TimeUnit;

import org.grim.EndpointId;
import org.grim.NodeInfo;

/**
 * The one endpoint that may use a device for some time: until its lease is over, it releases the device, or its node is
 * gone. Channels of an endpoint count as one.
 * <p>Thread: the runner's. No clock: each call has the time.
 */
final class Reservation
{
    private EndpointId holder;
    private int incarnation;
    private int number;
    private long endNs;

    /** Reserves, or renews what the same endpoint has. Returns the number of the reservation. */
    int reserve(final EndpointId source, final int sourceIncarnation, final long leaseNs, final long nowNs)
    {
        requireFree(source, nowNs);
        number += isHeld(nowNs) ? 0 : 1;
        holder = source;
        incarnation = sourceIncarnation;
        endNs = nowNs + leaseNs;
        return number;
    }

    void release(final EndpointId source, final int releasedNumber, final long nowNs)
    {
        if (!isHeld(nowNs) || !isHolder(source) || releasedNumber != number)
        {
            throw new DeviceException(
                DeviceCode.BAD_REQUEST, "reservation number=" + releasedNumber + " is not held by " + source);
        }
        holder = null;
    }

    /** Refuses all but the holder. */
    void requireFree(final EndpointId source, final long nowNs)
    {
        if (isHeld(nowNs) && !isHolder(source))
        {
            final int remainingMs = remainingMs(nowNs);
            throw new DeviceException(DeviceCode.BUSY, remainingMs,
                "device is reserved by " + holder + " for " + remainingMs + " ms more");
        }
    }

    void onNodeGone(final NodeInfo node)
    {
        if (holder != null && holder.node() == node.number() && incarnation == node.incarnation())
        {
            holder = null;
        }
    }

    boolean isHeld(final long nowNs)
    {
        return holder != null && endNs - nowNs > 0;
    }

    EndpointId holder()
    {
        return holder;
    }

    /** Rounds up: 0 would say that it is over. */
    int remainingMs(final long nowNs)
    {
        return (int)TimeUnit.NANOSECONDS.toMillis(endNs - nowNs + TimeUnit.MILLISECONDS.toNanos(1) - 1);
    }

    private boolean isHolder(final EndpointId source)
    {
        return holder.node() == source.node() && holder.device() == source.device();
    }
}
