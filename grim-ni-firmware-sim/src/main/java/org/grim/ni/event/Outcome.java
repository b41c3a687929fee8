// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.event;

import org.grim.board.ChannelRegisters;
import org.grim.board.MessageOutcome;

/** Outcome of a message that a channel's queue held. */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public enum Outcome
{
    /** The destination's NI accepted it. */
    ACKNOWLEDGED(null),
    /** The destination's NI accepted it and did not execute it: its address or destination is wrong. */
    REFUSED(MessageOutcome.REFUSED),
    /** It never left, or cannot have been delivered. */
    UNDELIVERED(MessageOutcome.UNDELIVERED),
    /** It left and was not answered before the peer went: it may have been delivered. */
    UNKNOWN(MessageOutcome.UNKNOWN);

    private final MessageOutcome mark;

    Outcome(final MessageOutcome mark)
    {
        this.mark = mark;
    }

    /** {@return outcome that the message's first word then shows to its host; null for none} */
    public MessageOutcome mark()
    {
        return mark;
    }

    /** Counts a message that was not acknowledged, where its host sees it. */
    public static void count(final MessageOutcome outcome, final ChannelRegisters registers)
    {
        switch (outcome)
        {
            case REFUSED -> registers.addRelease(ChannelRegisters.REFUSED, 1);
            case UNDELIVERED -> registers.addRelease(ChannelRegisters.UNDELIVERED, 1);
            case UNKNOWN -> registers.addRelease(ChannelRegisters.UNKNOWN, 1);
        }
    }
}
