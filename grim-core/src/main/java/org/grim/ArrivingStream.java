// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.grim.wire.MessageHeader;

/**
 * A message that a {@link StreamHandler} takes piece by piece. Valid from its beginning to its end.
 * <p>Thread: the one that runs the handler.
 */
public final class ArrivingStream
{
    private final Endpoint endpoint;
    private StreamHandler streamHandler;
    private long way;
    private int handler;
    private int totalLength;
    private long arguments01;
    private long arguments23;
    private Object attachment;

    ArrivingStream(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
    }

    /**
     * Who sends it, with the channel that it is sent from: where a reply goes.
     *
     * @return the same object for the same endpoint.
     */
    public EndpointId source()
    {
        return endpoint.idOf((int)(way >>> Integer.SIZE));
    }

    /**
     * Which endpoint of this node, and which channel, it is sent to.
     *
     * @return the same object for the same endpoint.
     */
    public EndpointId destination()
    {
        return endpoint.idOf((int)way);
    }

    /**
     * Id of the handler that runs.
     *
     * @return 0 to 65,535.
     */
    public int handler()
    {
        return handler;
    }

    /**
     * Bytes of the message.
     *
     * @return 0 or more.
     */
    public int totalLength()
    {
        return totalLength;
    }

    /**
     * One of the four arguments.
     *
     * @param index 0 to 3.
     * @return the argument.
     */
    public int argument(final int index)
    {
        if (index < 0 || index >= MessageHeader.ARGUMENT_COUNT)
        {
            throw new IllegalArgumentException("argument index=" + index + " is outside 0 to 3");
        }
        final long pair = index < 2 ? arguments01 : arguments23;
        return (int)(index % 2 == 0 ? pair >>> Integer.SIZE : pair);
    }

    /**
     * What the handler attached.
     *
     * @return null at the beginning.
     */
    public Object attachment()
    {
        return attachment;
    }

    /**
     * Keeps something of the handler's until the end: where the pieces go, for example.
     *
     * @param newAttachment what.
     */
    public void attach(final Object newAttachment)
    {
        attachment = newAttachment;
    }

    /**
     * Answers the sender, on the channel that the message comes from; see {@link ActiveMessage#reply}.
     *
     * @param replyHandler to run there.
     * @param a0           argument 0.
     * @param a1           argument 1.
     * @param a2           argument 2.
     * @param a3           argument 3.
     * @param source       holding the payload.
     * @param offset       first byte of the payload.
     * @param length       bytes of the payload.
     * @return what became of it.
     */
    public SendStatus reply(
        final int replyHandler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return endpoint.linkByKey((int)way & EndpointId.CHANNEL_MAX, (int)(way >>> Integer.SIZE))
            .send(replyHandler, a0, a1, a2, a3, source, offset, length);
    }

    ArrivingStream open(
        final StreamHandler newStreamHandler, final long newWay, final int newHandler, final int newTotalLength,
        final long newArguments01, final long newArguments23)
    {
        streamHandler = newStreamHandler;
        way = newWay;
        handler = newHandler;
        totalLength = newTotalLength;
        arguments01 = newArguments01;
        arguments23 = newArguments23;
        attachment = null;
        return this;
    }

    StreamHandler streamHandler()
    {
        return streamHandler;
    }
}
