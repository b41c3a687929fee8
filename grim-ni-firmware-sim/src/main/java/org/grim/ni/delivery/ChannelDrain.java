// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.event.Outcome;

/**
 * Takes channels out of service while the firmware runs, because their host has gone. Messages that were not taken from
 * a channel's queue, or that wait to be sent, are settled as undelivered. Messages in flight keep their tokens until
 * they are answered: its sequence numbers must not be used again before. A message that was refused for lack of room is
 * in flight no more where the wire loses nothing; elsewhere a copy of it may still be under way, and it is sent until
 * it is settled.
 * <p>Thread: the board's stepper, as part of its slow work. Allocates a little.
 */
public final class ChannelDrain
{
    private final DeliveryState state;
    private final ReliableSender sender;

    ChannelDrain(final DeliveryState state, final ReliableSender sender)
    {
        this.state = state;
        this.sender = sender;
    }

    /** Takes nothing more from a channel, and discards what has not left. */
    public void drain(final int channel)
    {
        final ChannelWindow window = sender.window(channel);
        window.close();
        discard(window);
    }

    /** Whether nothing of a channel is in flight any more. True for good. */
    public boolean isDrained(final int channel)
    {
        final ChannelWindow window = sender.window(channel);
        discard(window);                            // Messages that were refused meanwhile no longer wait.
        return window.unsettledCount() == 0;
    }

    /**
     * A channel's window is as new.
     *
     * @param channel that was drained, its registers 0.
     */
    public void reset(final int channel)
    {
        sender.window(channel).reset();
    }

    private void discard(final ChannelWindow window)
    {
        state.table().forEachSendTriple(triple ->
        {
            if (triple.channel == window)
            {
                discard(triple);
            }
        });
    }

    private void discard(final SendTriple triple)
    {
        final boolean isRefused = triple.isWaiting && !state.limits().isWireLossy();
        final int kept = isRefused ? 0 : triple.window.unacknowledgedCount();
        for (int i = triple.window.pendingCount(); i > kept; i--)
        {
            final MessageRecord last = triple.last();
            triple.withdraw(last);
            sender.settle(last, Outcome.UNDELIVERED);
        }
        if (isRefused)
        {
            triple.isWaiting = false;
            state.deadlines().cancel(triple);
        }
    }
}
