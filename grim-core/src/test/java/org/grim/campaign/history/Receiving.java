// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.function.IntUnaryOperator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.HandlerRegistry;
import org.grim.death.History;
import org.grim.death.Patterns;

/**
 * Handlers that check what arrives, write it down, and have the node answer at times. Arguments of a message: key of
 * its sender, stream, sequence, checksum.
 * <p>Thread: the node's.
 */
final class Receiving implements ActiveMessage.Stream.Handler
{
    /** Takes whole messages. */
    static final String WHOLE = "whole";
    /** Takes messages piece by piece. */
    static final String PIECES = "pieces";

    private final int index;
    private final History.Sink history;
    private final Answer answer;

    Receiving(final int index, final History.Sink history, final Answer answer)
    {
        this.index = index;
        this.history = history;
        this.answer = answer;
    }

    /** Sends from inside a handler. */
    interface Answer
    {
        void afterMessage(int sourceNode, int channel, ActiveMessage message);
    }

    void register(final HandlerRegistry handlers)
    {
        handlers.register(WHOLE, this::onMessage);
        handlers.registerStream(PIECES, this);
    }

    @Override
    public void onBegin(final ActiveMessage.Stream stream)
    {
        stream.attach(new UnsafeBuffer(new byte[(int)stream.totalLength()]));
    }

    @Override
    public void onPiece(
        final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
        final long position)
    {
        ((UnsafeBuffer)stream.attachment()).putBytes((int)position, buffer, offset, length);
    }

    @Override
    public void onEnd(final ActiveMessage.Stream stream)
    {
        record(stream::argument, (UnsafeBuffer)stream.attachment(), 0, (int)stream.totalLength());
        answer.afterMessage(stream.source().node(), stream.source().channel(), null);
    }

    @Override
    public void onAbort(final ActiveMessage.Stream stream)
    {
        stream.attach(null);
    }

    private void onMessage(final ActiveMessage message)
    {
        record(message::argument, message.buffer(), message.offset(), message.length());
        answer.afterMessage(message.source().node(), message.source().channel(), message);
    }

    private void record(
        final IntUnaryOperator argument, final DirectBuffer buffer, final int offset, final int length)
    {
        final int key = argument.applyAsInt(0);
        final int stream = argument.applyAsInt(1);
        final int sequence = argument.applyAsInt(2);
        final int checksum = Patterns.checksum(buffer, offset, length, key, stream, sequence);
        history.onRecord(checksum == argument.applyAsInt(3) ? HistoryRecord.DELIVERED : HistoryRecord.CORRUPT, index,
            key, stream, sequence);
    }
}
