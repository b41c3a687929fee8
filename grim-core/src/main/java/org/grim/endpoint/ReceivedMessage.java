// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.KeptMessage;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The view of a message in the arrival buffer, used again for each message.
 * <p>Thread: the endpoint's owner.
 */
public final class ReceivedMessage implements ActiveMessage
{
    private final LinkTable links;
    private final MessageHeader header = new MessageHeader();
    private DirectBuffer buffer;
    private int payloadOffset;
    private int payloadLength;
    private Route route = new Route();
    private int handler;
    private boolean isOpen;
    private ReceivedStream stream;
    private ReceivedMessage carried;

    /** A view of no message yet. */
    public ReceivedMessage(final LinkTable links)
    {
        this.links = links;
    }

    @Override
    public EndpointId source()
    {
        requireValid();
        return route.source(links);
    }

    @Override
    public EndpointId destination()
    {
        requireValid();
        return links.idOf(FlowKey.destinationKey(route.flowKey()));
    }

    @Override
    public HandlerId handler()
    {
        requireValid();
        return HandlerId.of(handler);
    }

    @Override
    public int argument(final int index)
    {
        requireValid();
        return header.argument(MessageHeader.checkedArgument(index));
    }

    @Override
    public DirectBuffer buffer()
    {
        requireValid();
        return buffer;
    }

    @Override
    public int offset()
    {
        requireValid();
        return payloadOffset;
    }

    @Override
    public int length()
    {
        requireValid();
        return payloadLength;
    }

    @Override
    public String text()
    {
        requireValid();
        return buffer.getStringWithoutLengthUtf8(payloadOffset, payloadLength);
    }

    @Override
    public KeptMessage keep()
    {
        requireValid();
        return links.kept().keep(route.flowKey(), handler, MessageHeader.pair(header.argument(0), header.argument(1)),
            MessageHeader.pair(header.argument(2), header.argument(3)), buffer, payloadOffset, payloadLength);
    }

    @Override
    public SendStatus reply(final String text)
    {
        final byte[] bytes = Objects.requireNonNull(text, "text").getBytes(UTF_8);
        return reply(0, 0, 0, Buffers.wrap(bytes), 0, bytes.length);
    }

    @Override
    public SendStatus reply(
        final int a0, final int a1, final int a2, final DirectBuffer source, final int offset, final int length)
    {
        return linkToSource().answer(header.argument(Requests.CORRELATION_INDEX), a0, a1, a2, source, offset, length);
    }

    @Override
    public SendStatus reply(final HandlerId replyHandler, final String text)
    {
        return linkToSource().send(replyHandler, text);
    }

    @Override
    public SendStatus reply(final HandlerId replyHandler, final int a0)
    {
        return reply(replyHandler, a0, 0, 0, 0, null, 0, 0);
    }

    @Override
    public SendStatus reply(
        final HandlerId replyHandler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return linkToSource().send(replyHandler, a0, a1, a2, a3, source, offset, length);
    }

    /** {@return the link back to the sender, from the channel that the message came to} */
    public EndpointLink linkToSource()
    {
        requireValid();
        return route.linkBack(links);
    }

    /** Completes the request that a message answers: the built-in handler of {@link Requests#ANSWER}. */
    public static void onAnswer(final ActiveMessage message)
    {
        final ReceivedMessage answer = (ReceivedMessage)message;
        answer.links.requests().onAnswer(answer, answer.route.flowKey());
    }

    /** Opens the view. */
    void open(
        final Route newRoute, final MutableDirectBuffer newBuffer, final int headerOffset, final int newPayloadOffset,
        final int newPayloadLength, final int newHandler)
    {
        header.wrap(newBuffer, headerOffset);
        if (buffer != newBuffer)            // Storing a reference costs a collector's barrier: only when it changes.
        {
            buffer = newBuffer;
        }
        if (route != newRoute)
        {
            route = newRoute;
        }
        payloadOffset = newPayloadOffset;
        payloadLength = newPayloadLength;
        handler = newHandler;
        isOpen = true;
    }

    /**
     * Opens the view of a message whose header and payload lie apart.
     *
     * @param headerBuffer     holding the header.
     * @param headerOffset     first byte of the header.
     * @param payload          holding the payload.
     * @param newPayloadOffset first byte of the payload.
     * @param newPayloadLength bytes of the payload.
     * @param flowKey          source endpoint and channel, destination endpoint and channel.
     * @param newHandler       id of the handler.
     */
    public void open(
        final MutableDirectBuffer headerBuffer, final int headerOffset, final DirectBuffer payload,
        final int newPayloadOffset, final int newPayloadLength, final long flowKey, final int newHandler)
    {
        route.set(flowKey);
        open(route, headerBuffer, headerOffset, newPayloadOffset, newPayloadLength, newHandler);
        buffer = payload;
    }

    /**
     * Opens the view of a message of another endpoint that this one carries, for the endpoint that this one came to.
     *
     * @param headerBuffer  holding the header of the carried message.
     * @param headerOffset  first byte of the header.
     * @param payload       holding the payload.
     * @param offset        first byte of the payload.
     * @param length        bytes of the payload.
     * @param sourceKey     {@link EndpointId#key()} of the endpoint that sent it.
     * @param carriedId     id of its handler.
     * @return the view, which the caller closes; the same each time.
     */
    public ReceivedMessage openCarried(
        final MutableDirectBuffer headerBuffer, final int headerOffset, final DirectBuffer payload, final int offset,
        final int length, final int sourceKey, final int carriedId)
    {
        requireValid();
        if (carried == null)
        {
            carried = new ReceivedMessage(links);
        }
        carried.open(headerBuffer, headerOffset, payload, offset, length,
            FlowKey.of(sourceKey, FlowKey.destinationKey(route.flowKey())), carriedId);
        return carried;
    }

    /** This message as a stream of one piece. */
    ReceivedStream asStream(final ActiveMessage.Stream.Handler streamHandler)
    {
        if (stream == null)
        {
            stream = new ReceivedStream(links);
        }
        return stream.open(streamHandler, route.flowKey(), handler, payloadLength,
            MessageHeader.pair(header.argument(0), header.argument(1)),
            MessageHeader.pair(header.argument(2), header.argument(3)));
    }

    /** Closes the view: the queue may reuse the bytes. */
    public void close()
    {
        isOpen = false;
    }

    private void requireValid()
    {
        if (!isOpen)
        {
            throw new IllegalStateException(
                "active message used outside its handler: keep it, or copy what you need, inside");
        }
    }
}
