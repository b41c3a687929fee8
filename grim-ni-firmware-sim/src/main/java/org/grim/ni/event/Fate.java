// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.event;

import org.grim.board.ChannelRegisters;
import org.grim.board.MessageFate;

/** What became of a message that a channel's queue held. */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public enum Fate
{
    /** The destination's NI accepted it. */
    ACKNOWLEDGED(null),
    /** The destination's NI accepted it and did not execute it: its address or destination is wrong. */
    REFUSED(MessageFate.REFUSED),
    /** It never left, or cannot have been delivered. */
    UNDELIVERED(MessageFate.UNDELIVERED),
    /** It left and was not answered before the peer went: it may have been delivered. */
    UNKNOWN(MessageFate.UNKNOWN);

    private final MessageFate mark;

    Fate(final MessageFate mark)
    {
        this.mark = mark;
    }

    /** {@return what the message's first word then tells its host; null for nothing} */
    public MessageFate mark()
    {
        return mark;
    }

    /**
     * Counts a message that was not acknowledged, where its host sees it.
     *
     * @param fate      of the message.
     * @param registers of its channel.
     */
    public static void count(final MessageFate fate, final ChannelRegisters registers)
    {
        switch (fate)
        {
            case REFUSED -> registers.addRelease(ChannelRegisters.REFUSED, 1);
            case UNDELIVERED -> registers.addRelease(ChannelRegisters.UNDELIVERED, 1);
            case UNKNOWN -> registers.addRelease(ChannelRegisters.UNKNOWN, 1);
        }
    }
}
