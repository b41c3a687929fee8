// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A message that arrives piece by piece; used again for others.
 * <p>Thread: the endpoint's owner.
 */
public final class ReceivedStream implements ActiveMessage.Stream
{
    private final LinkTable links;
    private ActiveMessage.Stream.Handler streamHandler;
    private long flowKey;
    private int handler;
    private long totalLength;
    private long arguments01;
    private long arguments23;
    private Object attachment;

    /** No stream yet. */
    public ReceivedStream(final LinkTable links)
    {
        this.links = links;
    }

    @Override
    public EndpointId source()
    {
        return links.idOf(FlowKey.sourceKey(flowKey));
    }

    @Override
    public EndpointId destination()
    {
        return links.idOf(FlowKey.destinationKey(flowKey));
    }

    @Override
    public HandlerId handler()
    {
        return HandlerId.of(handler);
    }

    @Override
    public long totalLength()
    {
        return totalLength;
    }

    @Override
    public int argument(final int index)
    {
        return MessageHeader.argument(arguments01, arguments23, index);
    }

    @Override
    public Object attachment()
    {
        return attachment;
    }

    @Override
    public void attach(final Object newAttachment)
    {
        attachment = newAttachment;
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
        return links.getBack(flowKey).answer(
            argument(Requests.CORRELATION_INDEX), a0, a1, a2, source, offset, length);
    }

    @Override
    public SendStatus reply(
        final HandlerId replyHandler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return links.getBack(flowKey).send(replyHandler, a0, a1, a2, a3, source, offset, length);
    }

    /**
     * Begins a stream.
     *
     * @param newStreamHandler that takes the pieces.
     * @param newFlowKey           source endpoint and channel, destination endpoint and channel.
     * @param newHandler       id of the handler.
     * @param newTotalLength   bytes of all pieces.
     * @param newArguments01   words 4 and 5 of the header.
     * @param newArguments23   words 6 and 7.
     * @return this.
     */
    public ReceivedStream open(
        final ActiveMessage.Stream.Handler newStreamHandler, final long newFlowKey, final int newHandler,
        final long newTotalLength, final long newArguments01, final long newArguments23)
    {
        streamHandler = newStreamHandler;
        flowKey = newFlowKey;
        handler = newHandler;
        totalLength = newTotalLength;
        arguments01 = newArguments01;
        arguments23 = newArguments23;
        attachment = null;
        return this;
    }

    /** {@return what takes the pieces} */
    public ActiveMessage.Stream.Handler streamHandler()
    {
        return streamHandler;
    }
}
