// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.counters.ChannelCounters;
import org.grim.wire.MessageHeader;
import org.grim.wire.Way;

/**
 * A way that messages come: what their headers have in common, judged once, and what follows from it. A message that
 * has the same bits needs no judgement but of its length and handler. Used again for another way.
 * <p>Thread: the endpoint's owner.
 */
final class Route
{
    private static final long NONE = -1;        // Never equal to a part of a word.

    private long first = NONE;
    private long second = NONE;
    private long way;
    private ChannelCounters counters;
    private EndpointLink linkBack;

    /** Which of some routes it is to be looked for. */
    static int hash(final long first, final long second)
    {
        return MessageHeader.sourceAddress(first) >>> 4 ^ MessageHeader.sourceChannel(second) ^
            MessageHeader.destinationChannel(second);
    }

    /** Whether a message's header says what this route's do. */
    boolean isOf(final long newFirst, final long newSecond)
    {
        return MessageHeader.routeOfFirst(newFirst) == first && MessageHeader.routeOfSecond(newSecond) == second;
    }

    /** From now on this is the way of another message, whose header was judged; counters are of its channel. */
    void set(final long newFirst, final long newSecond, final ChannelCounters newCounters)
    {
        set(Way.of(newFirst, newSecond));
        first = MessageHeader.routeOfFirst(newFirst);
        second = MessageHeader.routeOfSecond(newSecond);
        counters = newCounters;
    }

    /** From now on this is a way that is known without a header. */
    void set(final long newWay)
    {
        if (newWay != way)
        {
            first = NONE;
            second = NONE;
            way = newWay;
            linkBack = null;
        }
    }

    /** As {@link Way} packs it. */
    long way()
    {
        return way;
    }

    ChannelCounters counters()
    {
        return counters;
    }

    /** The link from the channel that messages of this way come to, to where they come from. */
    EndpointLink linkBack(final LinkTable links)
    {
        if (linkBack == null || !linkBack.isUsable())
        {
            linkBack = links.get(Way.channelTo(way), Way.sourceKey(way));
        }
        return linkBack;
    }
}
