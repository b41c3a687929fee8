// SPDX-License-Identifier: Apache-2.0
package org.grim;

/** A stream handler in the place of an ordinary one: what comes in one piece is a stream of one piece. Any thread. */
record StreamAdapter(StreamHandler streamHandler) implements ActiveMessageHandler
{
    @Override
    public void onMessage(final ActiveMessage message)
    {
        final ArrivingStream stream = message.asStream(streamHandler);
        streamHandler.onBegin(stream);
        if (message.length() > 0)
        {
            streamHandler.onPiece(stream, message.buffer(), message.offset(), message.length(), 0);
        }
        streamHandler.onEnd(stream);
    }
}
