// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.counters.ChannelCounters;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A hop with the header words of one source and destination: what exclusive and shared links have in common.
 * <p>Thread: as the link.
 */
abstract class OutgoingLink implements Endpoint.Sender
{
    final EndpointState state;
    final EndpointId destination;
    final Hop hop;
    final ChannelCounters counters;
    final LinkAccounting accounting;
    final LinkHeader header;
    final int payloadLengthMax;

    OutgoingLink(
        final LinkResources resources, final int sourceChannel, final EndpointId destination, final int incarnation,
        final Hop hop, final ChannelCounters counters)
    {
        this.destination = destination;
        this.hop = hop;
        this.counters = counters;
        state = resources.state();
        accounting = new LinkAccounting(destination.node(), incarnation, hop, counters, resources.counters());
        payloadLengthMax = Math.min(hop.payloadLengthMax(), MessageHeader.PAYLOAD_LENGTH_MAX);
        header = new LinkHeader(state.id(), sourceChannel, destination);
    }

    @Override
    public final EndpointId destination()
    {
        return destination;
    }

    @Override
    public final int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    @Override
    public final SendStatus send(
        final HandlerId handler, final DirectBuffer source, final int offset, final int length)
    {
        return send(handler, 0, 0, 0, 0, source, offset, length);
    }

    @Override
    public final SendStatus send(final HandlerId handler, final int a0, final int a1, final int a2, final int a3)
    {
        return send(handler, a0, a1, a2, a3, null, 0, 0);
    }

    @Override
    public final SendStatus send(final HandlerId handler, final String text)
    {
        return send(handler, 0, 0, 0, 0, text);
    }

    @Override
    public final SendStatus send(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final String text)
    {
        final byte[] bytes = Objects.requireNonNull(text, "text").getBytes(UTF_8);
        return send(handler, a0, a1, a2, a3, Buffers.wrap(bytes), 0, bytes.length);
    }

    /** Gives up the hop. */
    abstract void end();

    static void checkLength(final int length, final int lengthMax, final String limit)
    {
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("payload length=" + length + " exceeds max=" + lengthMax + limit);
        }
    }
}
