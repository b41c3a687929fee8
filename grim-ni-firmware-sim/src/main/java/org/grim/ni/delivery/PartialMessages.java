// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.board.StopReason;
import org.grim.ni.event.Outcome;

/**
 * Messages that are begun while their hosts still write them. One whose host does not go on is cut, so that the link is
 * free for others, and held: it is sent from its start when it is complete. Meanwhile it keeps its place, and its
 * channel takes nothing that stands behind it. The receiver has dropped what came of it, or has refused it: then it
 * does so again.
 * <p>Thread: the board's stepper. Allocates nothing.
 */
public final class PartialMessages
{
    private final DeliveryState state;
    private final ReliableSender sender;

    PartialMessages(final DeliveryState state, final ReliableSender sender)
    {
        this.state = state;
        this.sender = sender;
    }

    /**
     * Bytes of a message that its host has written.
     *
     * @param record that was begun.
     * @return up to its length; -1 if its channel had to be stopped.
     */
    public int arrivedLength(final MessageRecord record)
    {
        return record.channel.arrivedLength(record);
    }

    /** A message that was begun will never be complete: its channel is stopped. */
    public void giveUp(final MessageRecord record)
    {
        record.channel.stop(StopReason.BAD_FILLED);
        withdraw(record);
    }

    /** A message that was begun was cut, since its host does not go on. */
    public void hold(final MessageRecord record, final long nowNs)
    {
        final SendTriple triple = record.triple;
        record.isHeld = true;
        state.scoreboard().release(record);
        triple.hold(record);
        restIfIdle(triple);
        sender.endQuarantine(triple.peer, nowNs);
        state.listener().onHeld(record.channel(), record.position);
    }

    /** Permits a channel's message that was cut to be sent, if it is complete by now. */
    void resume(final ChannelWindow window)
    {
        final MessageRecord record = window.held();
        if (record == null)
        {
            return;
        }
        final int arrivedLength = window.arrivedLength(record);
        if (arrivedLength < 0)
        {
            withdraw(record);
        }
        else if (arrivedLength == record.length)
        {
            record.isHeld = false;
            sender.announceReady(record.triple);
        }
    }

    private void withdraw(final MessageRecord record)
    {
        record.triple.withdraw(record);
        restIfIdle(record.triple);
        sender.settle(record, Outcome.UNDELIVERED);
    }

    private void restIfIdle(final SendTriple triple)
    {
        if (triple.window.inFlightCount() == 0 && !triple.isWaiting)
        {
            state.deadlines().cancel(triple);
        }
    }
}
