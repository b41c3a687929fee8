// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.wire.MessageHeader;

/**
 * A message in the arrival buffer, as its handler sees it. Valid only inside the handler: afterwards every call throws.
 * <p>Thread: the one that runs the handler. Owns nothing: the bytes are the queue's again when the handler returns.
 */
public final class ActiveMessage
{
    private final Endpoint endpoint;
    private final MessageHeader header = new MessageHeader();
    private DirectBuffer buffer;
    private int payloadOffset;
    private int payloadLength;
    private int sourceKey;
    private int destinationKey;
    private int handler;
    private boolean isOpen;
    private ArrivingStream stream;

    ActiveMessage(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
    }

    /**
     * Who sent it, with the channel that it was sent from: where a reply goes.
     *
     * @return the same object for the same endpoint.
     */
    public EndpointId source()
    {
        requireValid();
        return endpoint.idOf(sourceKey);
    }

    /**
     * Which endpoint of this node, and which channel, it was sent to.
     *
     * @return the same object for the same endpoint.
     */
    public EndpointId destination()
    {
        requireValid();
        return endpoint.idOf(destinationKey);
    }

    /**
     * Id of the handler that runs.
     *
     * @return 0 to 65,535.
     */
    public int handler()
    {
        requireValid();
        return handler;
    }

    /**
     * One of the four arguments.
     *
     * @param index 0 to 3.
     * @return the argument.
     */
    public int argument(final int index)
    {
        requireValid();
        if (index < 0 || index >= MessageHeader.ARGUMENT_COUNT)
        {
            throw new IllegalArgumentException("argument index=" + index + " is outside 0 to 3");
        }
        return header.argument(index);
    }

    /**
     * Where the payload lies. Read only from {@link #offset()} for {@link #length()} bytes.
     *
     * @return the arrival buffer.
     */
    public DirectBuffer buffer()
    {
        requireValid();
        return buffer;
    }

    /**
     * First byte of the payload.
     *
     * @return an index in {@link #buffer()}.
     */
    public int offset()
    {
        requireValid();
        return payloadOffset;
    }

    /**
     * Bytes of the payload.
     *
     * @return 0 or more.
     */
    public int length()
    {
        requireValid();
        return payloadLength;
    }

    /**
     * Answers the sender without a payload.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @return what became of it: {@link SendStatus#QUEUED} if the way back is full now.
     */
    public SendStatus reply(final int replyHandler, final int a0)
    {
        return reply(replyHandler, a0, 0, 0, 0, null, 0, 0);
    }

    /**
     * Answers the sender, on the channel that the message came from.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload; may be this message's own {@link #buffer()}.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @return what became of it: {@link SendStatus#QUEUED} if the way back is full now.
     * @throws GrimException if the overflow queue's ceiling is reached.
     */
    public SendStatus reply(
        final int replyHandler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return linkToSource().send(replyHandler, a0, a1, a2, a3, source, offset, length);
    }

    /** The way back to the sender, from the channel that the message came to. */
    EndpointLink linkToSource()
    {
        requireValid();
        return endpoint.linkByKey(destinationKey & EndpointId.CHANNEL_MAX, sourceKey);
    }

    /** Begins the life of the view. */
    void open(
        final MutableDirectBuffer newBuffer, final int headerOffset, final int newPayloadOffset,
        final int newPayloadLength, final int newSourceKey, final int newDestinationKey, final int newHandler)
    {
        header.wrap(newBuffer, headerOffset);
        if (buffer != newBuffer)            // Storing a reference costs a collector's barrier: only when it changes.
        {
            buffer = newBuffer;
        }
        payloadOffset = newPayloadOffset;
        payloadLength = newPayloadLength;
        sourceKey = newSourceKey;
        destinationKey = newDestinationKey;
        handler = newHandler;
        isOpen = true;
    }

    /** Begins the life of the view of a message whose header and payload lie apart. */
    void open(
        final MutableDirectBuffer headerBuffer, final int headerOffset, final DirectBuffer payload,
        final int newPayloadOffset, final int newPayloadLength, final long way, final int newHandler)
    {
        open(headerBuffer, headerOffset, newPayloadOffset, newPayloadLength, (int)(way >>> Integer.SIZE), (int)way,
            newHandler);
        buffer = payload;
    }

    /** This message as a stream of one piece. */
    ArrivingStream asStream(final StreamHandler streamHandler)
    {
        if (stream == null)
        {
            stream = new ArrivingStream(endpoint);
        }
        return stream.open(streamHandler, (long)sourceKey << Integer.SIZE | destinationKey, handler, payloadLength,
            MessageHeader.pair(header.argument(0), header.argument(1)),
            MessageHeader.pair(header.argument(2), header.argument(3)));
    }

    /** Ends it: the queue may reuse the bytes. */
    void close()
    {
        isOpen = false;
    }

    private void requireValid()
    {
        if (!isOpen)
        {
            throw new IllegalStateException("active message used outside its handler: copy what you need inside");
        }
    }
}
