// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.EndpointId;
import org.grim.counters.ChannelCounters;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

/**
 * A route of messages: the common part of their headers, judged once, with the results. A message that
 * has the same bits needs no judgement but of its length and handler. Used again for another route.
 * <p>Thread: the endpoint's owner.
 */
final class Route
{
    private static final long NONE = -1;        // Never equal to a part of a word.

    private long first = NONE;
    private long second = NONE;
    private long flowKey;
    private ChannelCounters counters;
    private EndpointLink linkBack;
    private EndpointId source;

    /** The index of a message's route among some routes. */
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

    /** Sets the route of another message, whose header was judged, and the counters of its channel. */
    void set(final long newFirst, final long newSecond, final ChannelCounters newCounters)
    {
        set(FlowKey.of(newFirst, newSecond));
        first = MessageHeader.routeOfFirst(newFirst);
        second = MessageHeader.routeOfSecond(newSecond);
        counters = newCounters;
    }

    /** Sets a route that is known without a header. */
    void set(final long newFlowKey)
    {
        if (newFlowKey != flowKey)
        {
            first = NONE;
            second = NONE;
            flowKey = newFlowKey;
            linkBack = null;
            source = null;
        }
    }

    /** Returns source and destination as {@link FlowKey} packs them. */
    long flowKey()
    {
        return flowKey;
    }

    ChannelCounters counters()
    {
        return counters;
    }

    /** Returns the source of messages of this route. */
    EndpointId source(final LinkTable links)
    {
        if (source == null)
        {
            source = links.idOf(FlowKey.sourceKey(flowKey));
        }
        return source;
    }

    /** Returns the link from the channel that messages of this route come to, to their source. */
    EndpointLink linkBack(final LinkTable links)
    {
        if (linkBack == null || !linkBack.isUsable() || linkBack.isPeerGone())
        {
            linkBack = links.getBack(FlowKey.channelTo(flowKey), FlowKey.sourceKey(flowKey));
        }
        return linkBack;
    }
}
