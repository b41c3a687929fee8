// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

import org.grim.DeviceEndpoint;
import org.grim.EndpointId;
import org.grim.HandlerId;

/**
 * The requests that a device has kept and not answered yet: its bounded queue. A channel with as many of them as the
 * bound says is paused, so that senders see back pressure, until one is answered.
 * <p>Thread: the runner's.
 */
final class KeptRequests
{
    final DeviceEndpoint device;
    final HandlerId refused;
    final LongSupplier clock;
    private final int countMax;
    private final int[] counts = new int[EndpointId.CHANNEL_MAX + 1];
    private final Set<DeviceRequest> open = new LinkedHashSet<>();
    private final Set<DeviceRequest> refusing = new LinkedHashSet<>();
    private long answeredCount;
    private long refusedCount;
    private long lostCount;

    /**
     * Keeps none yet.
     *
     * @param device   that answers.
     * @param refused  handler at senders of messages that are no requests.
     * @param clock    nanoseconds.
     * @param countMax bound for each channel.
     */
    KeptRequests(final DeviceEndpoint device, final HandlerId refused, final LongSupplier clock, final int countMax)
    {
        this.device = device;
        this.refused = refused;
        this.clock = clock;
        this.countMax = countMax;
    }

    void add(final DeviceRequest request, final int channel)
    {
        open.add(request);
        counts[channel]++;
        if (counts[channel] == countMax)
        {
            device.pause(channel);
        }
    }

    void remove(final DeviceRequest request, final int channel)
    {
        open.remove(request);
        counts[channel]--;
        assert counts[channel] >= 0 : counts[channel];
        if (counts[channel] == countMax - 1)
        {
            resume(channel);
        }
    }

    /** Counts the end of a request. */
    void ended(final DeviceCode code, final boolean isSent)
    {
        answeredCount += isSent && code == DeviceCode.OK ? 1 : 0;
        refusedCount += isSent && code != DeviceCode.OK ? 1 : 0;
        lostCount += isSent ? 0 : 1;
    }

    /** Refuses all but some, now or as soon as there is room. */
    void refuseAllBut(final Collection<DeviceRequest> spared, final DeviceException refusal)
    {
        for (final DeviceRequest request : new ArrayList<>(open))
        {
            if (!spared.contains(request) && !request.refuse(refusal))
            {
                refusing.add(request.refusedBy(refusal));
            }
        }
    }

    /** Refuses what found no room. Returns how many were refused. */
    int flush()
    {
        final int before = refusing.size();
        if (before > 0)
        {
            refusing.removeIf(DeviceRequest::refuseAgain);
        }
        return before - refusing.size();
    }

    int count()
    {
        return open.size();
    }

    long answeredCount()
    {
        return answeredCount;
    }

    long refusedCount()
    {
        return refusedCount;
    }

    long lostCount()
    {
        return lostCount;
    }

    private void resume(final int channel)
    {
        try
        {
            device.resume(channel);
        }
        catch (final IllegalStateException ignored)
        {
            // The node has left: no channel is read any more.
        }
    }
}
