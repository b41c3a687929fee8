// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.ActiveMessage;

/** A stream handler in the place of an ordinary one: what comes in one piece is a stream of one piece. Any thread. */
public record StreamAdapter(ActiveMessage.Stream.Handler streamHandler) implements ActiveMessage.Handler
{
    @Override
    public void onMessage(final ActiveMessage message)
    {
        final ActiveMessage.Stream stream = ((ReceivedMessage)message).asStream(streamHandler);
        streamHandler.onBegin(stream);
        if (message.length() > 0)
        {
            streamHandler.onPiece(stream, message.buffer(), message.offset(), message.length(), 0);
        }
        streamHandler.onEnd(stream);
    }
}
