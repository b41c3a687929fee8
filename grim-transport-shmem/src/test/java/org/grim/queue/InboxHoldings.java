// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

/** Slots and frames that a node holds in another node's inbox, for tests that wait until a dead one holds nothing. */
public final class InboxHoldings
{
    private InboxHoldings()
    {
    }

    /** Exclusive queues, and entries among the senders of shared queues, which go after the slots and frames. */
    public static int of(final Inbox inbox, final int channel, final int node, final int incarnation)
    {
        int count = 0;
        for (int queue = 0; queue < inbox.geometry().exclusiveQueueCount(); queue++)
        {
            count += isOf(inbox.owner(channel, queue), node, incarnation) ? 1 : 0;
        }
        final int senderCount = inbox.geometry().sharedQueueCount() == 0 ? 0 : InboxLayout.SENDER_COUNT;
        for (int sender = 0; sender < senderCount; sender++)
        {
            count += isOf(inbox.sender(channel, sender), node, incarnation) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOf(final long owner, final int node, final int incarnation)
    {
        return owner != 0 && QueueOwner.node(owner) == node && QueueOwner.incarnation(owner) == incarnation;
    }
}
