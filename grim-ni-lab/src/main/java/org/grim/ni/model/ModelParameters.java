// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.Objects;

import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;

/**
 * The system that is modelled: two equal hosts with a board each. Immutable.
 *
 * @param host             of both sides.
 * @param ni               board of both sides.
 * @param pciBits          width of the bus between them.
 * @param mode             of the messages.
 * @param notification     by which hosts learn of them.
 * @param forwarding       by the boards.
 * @param channelCount     logical channels that a board scans, 1 to 256.
 * @param outstandingLimit messages of a channel without an answer, 1 to 127.
 */
public record ModelParameters(HostTiming host, LanaiModel ni, int pciBits, Mode mode, Notification notification,
    Forwarding forwarding, int channelCount, int outstandingLimit)
{
    /** The most messages of one channel that a board has in flight to one destination. */
    public static final int OUTSTANDING_MAX = 127;

    private static final int CHANNEL_COUNT_MAX = 256;
    private static final int PCI_BITS = 32;

    public ModelParameters
    {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(ni, "ni");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(notification, "notification");
        Objects.requireNonNull(forwarding, "forwarding");
        if (pciBits != PCI_BITS && pciBits != host.pciBits(ni))
        {
            throw new IllegalArgumentException(
                "PCI bits=" + pciBits + " is no bus of host=" + host.label() + " with ni=" + ni.label());
        }
        requireWithin("channel count", channelCount, CHANNEL_COUNT_MAX);
        requireWithin("outstanding limit", outstandingLimit, OUTSTANDING_MAX);
    }

    /**
     * The original as it was: fragments cut through at both boards, one channel, the widest bus. Hosts poll the queue
     * pointer; a remote-memory write is without its notification word, which is optional.
     */
    public static ModelParameters original(final HostTiming host, final LanaiModel ni, final Mode mode)
    {
        return new ModelParameters(host, ni, host.pciBits(ni), mode,
            mode.isMessage() ? Notification.POINTER : Notification.TAIL_FLAG, Forwarding.original(ni), 1,
            OUTSTANDING_MAX);
    }

    /** Returns parameters with another kind of notification. */
    public ModelParameters with(final Notification other)
    {
        return new ModelParameters(host, ni, pciBits, mode, other, forwarding, channelCount, outstandingLimit);
    }

    /** Returns parameters with another kind of forwarding. */
    public ModelParameters with(final Forwarding other)
    {
        return new ModelParameters(host, ni, pciBits, mode, notification, other, channelCount, outstandingLimit);
    }

    /**
     * Another number of channels.
     *
     * @param count 1 to 256.
     */
    public ModelParameters withChannelCount(final int count)
    {
        return new ModelParameters(host, ni, pciBits, mode, notification, forwarding, count, outstandingLimit);
    }

    /**
     * Another limit of messages without an answer.
     *
     * @param limit 1 to 127.
     */
    public ModelParameters withOutstandingLimit(final int limit)
    {
        return new ModelParameters(host, ni, pciBits, mode, notification, forwarding, channelCount, limit);
    }

    private static void requireWithin(final String what, final int value, final int max)
    {
        if (value < 1 || value > max)
        {
            throw new IllegalArgumentException(what + "=" + value + " is outside 1 to " + max);
        }
    }
}
