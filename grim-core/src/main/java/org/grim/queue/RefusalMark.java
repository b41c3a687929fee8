// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

/**
 * Since when a sender finds no room in a queue, where tools see it: once per time that the queue stands still, on the
 * line that its senders own. Senders of a shared queue overwrite each other's; the queue stands still for all of them.
 * <p>Thread: the sender's. Only asked where the sender has already looked for the head in vain.
 */
final class RefusalMark
{
    private final Inbox inbox;
    private final int channel;
    private final int queue;
    private final SenderHost host;
    private boolean isSet;
    private long refusedPosition;

    RefusalMark(final Inbox inbox, final int channel, final int queue, final SenderHost host)
    {
        this.inbox = inbox;
        this.channel = channel;
        this.queue = queue;
        this.host = host;
    }

    boolean isSet()
    {
        return isSet;
    }

    /** Notes whether there is room at a position of the tail; a tail that moved begins another time. */
    boolean check(final boolean hasRoom, final long tail)
    {
        if (hasRoom)
        {
            if (isSet)
            {
                isSet = false;
                inbox.refusedSinceMs(channel, queue, 0);
            }
        }
        else if (!isSet || refusedPosition != tail)
        {
            isSet = true;
            refusedPosition = tail;
            inbox.refusedSinceMs(channel, queue, host.epochMs());
        }
        return hasRoom;
    }
}
