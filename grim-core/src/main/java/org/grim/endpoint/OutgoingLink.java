// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.agrona.DirectBuffer;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.counters.ChannelCounters;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

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
    final FrameClaim room = new FrameClaim();
    final int payloadLengthMax;
    private final int typeWord;
    private final int routeWord;
    private final int destinationAddress;

    OutgoingLink(
        final LinkResources resources, final int sourceChannel, final EndpointId destination, final Hop hop,
        final ChannelCounters counters)
    {
        this.destination = destination;
        this.hop = hop;
        this.counters = counters;
        state = resources.state();
        accounting = new LinkAccounting(destination.node(), hop, counters, resources.counters());
        payloadLengthMax = Math.min(hop.payloadLengthMax(), MessageHeader.PAYLOAD_LENGTH_MAX);
        typeWord = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, state.id().address());
        routeWord = MessageHeader.routeWord(sourceChannel, destination.channel());
        destinationAddress = destination.address();
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
        final byte[] bytes = text.getBytes(UTF_8);
        return send(handler, 0, 0, 0, 0, Buffers.wrap(bytes), 0, bytes.length);
    }

    /** Gives up the hop. */
    abstract void end();

    final int wordOne(final int length)
    {
        return typeWord | MessageHeader.correction(length);
    }

    final long extentWords(final int handler, final int length)
    {
        return MessageHeader.extentWords(destinationAddress, routeWord | handler, length);
    }

    /**
     * Writes the header of a message of this link.
     *
     * @param claim       that describes the room.
     * @param handler     to run there.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param length      bytes of the payload.
     */
    public final void writeHeader(
        final FrameClaim claim, final int handler, final long arguments01, final long arguments23, final int length)
    {
        MessageHeader.write(claim.buffer(), claim.headerOffset(), wordOne(length), extentWords(handler, length),
            arguments01, arguments23);
    }

    /** Fills the claimed room. The caller's buffer may be too short: then the claim goes back. */
    final void fillPayload(final DirectBuffer source, final int offset, final int length)
    {
        try
        {
            room.buffer().putBytes(room.offset(), source, offset, length);
        }
        catch (final RuntimeException | Error ex)
        {
            room.abort();
            throw ex;
        }
    }

    static void checkLength(final int length, final int lengthMax, final String limit)
    {
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("payload length=" + length + " exceeds max=" + lengthMax + limit);
        }
    }
}
