// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.transport.MessageStream;
import org.grim.wire.MessageHeader;

/** Sends that poll while they wait. Thread: the endpoint's owner; no state. */
final class BlockingSend
{
    private BlockingSend()
    {
    }

    static SendStatus send(
        final Endpoint endpoint, final EndpointLink link, final int handler, final int[] arguments,
        final DirectBuffer source, final int offset, final int length, final IdleStrategy idleStrategy)
    {
        final int a0 = argument(arguments, 0);
        final int a1 = argument(arguments, 1);
        final int a2 = argument(arguments, 2);
        final int a3 = argument(arguments, 3);
        if (length > link.payloadLengthMax())
        {
            link.checkBlocking(handler, source, offset, length);
            return sendLarge(endpoint, link, handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source,
                offset, length, idleStrategy);
        }
        while (true)
        {
            final SendStatus status = link.send(handler, a0, a1, a2, a3, source, offset, length);
            if (status != SendStatus.BACK_PRESSURED)
            {
                return status;
            }
            idleStrategy.idle(endpoint.poll());
        }
    }

    /** In place, or else as a stream: the message goes from the caller's buffer, and is copied nowhere else. */
    private static SendStatus sendLarge(
        final Endpoint endpoint, final EndpointLink link, final int handler, final long arguments01,
        final long arguments23, final DirectBuffer source, final int offset, final int length,
        final IdleStrategy idleStrategy)
    {
        while (true)
        {
            final SendStatus status =
                link.large().trySendOrOpen(handler, arguments01, arguments23, source, offset, length);
            if (status == SendStatus.QUEUED)
            {
                return addAll(endpoint, link.large().parts().blockingStream(), source, offset, length, idleStrategy);
            }
            if (status != SendStatus.BACK_PRESSURED)
            {
                return status;
            }
            idleStrategy.idle(endpoint.poll());
        }
    }

    private static SendStatus addAll(
        final Endpoint endpoint, final MessageStream stream, final DirectBuffer source, final int offset,
        final int length, final IdleStrategy idleStrategy)
    {
        try
        {
            int takenLength = 0;
            while (stream.isOpen() && takenLength < length)
            {
                takenLength += stream.add(source, offset + takenLength, length - takenLength);
                if (takenLength < length)
                {
                    idleStrategy.idle(endpoint.poll());
                }
            }
            SendStatus status = stream.end();
            while (status == SendStatus.BACK_PRESSURED)
            {
                idleStrategy.idle(endpoint.poll());
                status = stream.end();
            }
            return status;
        }
        finally
        {
            stream.abort();             // Does nothing, unless polling threw: then the link's turn must not be lost.
        }
    }

    private static int argument(final int[] arguments, final int index)
    {
        return index < arguments.length ? arguments[index] : 0;
    }
}
