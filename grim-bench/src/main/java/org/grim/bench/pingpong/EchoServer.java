// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.SendStatus;

/**
 * The answering side: echoes pings, verifies and counts streamed messages, and says when the raw pass is wanted. Every
 * request carries the id of the handler that takes the answer, in its last argument.
 * <p>Thread: the one that polls. Allocates nothing per message.
 */
final class EchoServer
{
    static final String ECHO = "pingpong.echo";
    static final String STREAM = "pingpong.stream";
    static final String STREAM_END = "pingpong.stream-end";
    static final String RAW = "pingpong.raw";
    static final String SWITCH = "pingpong.switch";

    private final Checksum checksum = new Checksum();
    private int receivedCount;
    private int badCount;
    private boolean isRawWanted;
    private boolean isSwitchWanted;

    EchoServer(final Grim grim)
    {
        grim.handlers().register(ECHO, this::onEcho);
        grim.handlers().register(STREAM, this::onStream);
        grim.handlers().register(STREAM_END, this::onStreamEnd);
        grim.handlers().register(RAW, message -> isRawWanted = true);
        grim.handlers().register(SWITCH, message -> isSwitchWanted = true);
    }

    /** Tells once per request whether to go on with the other transport now. */
    boolean takeSwitchWanted()
    {
        final boolean wasWanted = isSwitchWanted;
        isSwitchWanted = false;
        return wasWanted;
    }

    /** Tells once per request whether to take part in the raw pass now. */
    boolean takeRawWanted()
    {
        final boolean wasWanted = isRawWanted;
        isRawWanted = false;
        return wasWanted;
    }

    private void onEcho(final ActiveMessage message)
    {
        requireAccepted(message.reply(message.argument(3), message.argument(0), 0, 0, 0, message.buffer(),
            message.offset(), message.length()));
    }

    private void onStream(final ActiveMessage message)
    {
        if (message.argument(0) != receivedCount ||
            message.argument(1) != checksum.of(message.buffer(), message.offset(), message.length()))
        {
            badCount++;
        }
        receivedCount++;
    }

    private void onStreamEnd(final ActiveMessage message)
    {
        requireAccepted(message.reply(message.argument(3), receivedCount, badCount, 0, 0, null, 0, 0));
        receivedCount = 0;
        badCount = 0;
    }

    /** A reply that nobody will see ends the measurement. */
    static void requireAccepted(final SendStatus status)
    {
        if (!status.isAccepted())
        {
            throw new GrimException("reply was not accepted: status=" + status);
        }
    }
}
