// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.nio.file.Path;
import java.util.Random;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.MappedFile;

/** Puts another node's inbox into states that no test can time from outside: for tools that have to explain them. */
public final class QueueVandal
{
    private static final int FOREIGN_STATE = 0x12345678;

    private QueueVandal()
    {
    }

    /**
     * Leaves the first shared queue as a sender does that is interrupted in publish(), between the claim of its slot
     * and the release store.
     *
     * @param path        of the receiver's inbox.
     * @param node        that claims.
     * @param incarnation of it.
     */
    public static void claimAndStop(final Path path, final int node, final int incarnation)
    {
        try (MappedFile file = MappedFile.open(path, Inbox.MAGIC, Inbox.lengthMin(), true))
        {
            final Inbox inbox = Inbox.wrap(file.buffer());
            int sender = 0;
            while (!inbox.trySender(0, sender, QueueOwner.of(node, 0, incarnation)))
            {
                sender++;
            }
            final InboxGeometry geometry = inbox.geometry();
            final int queue = geometry.exclusiveQueueCount() + sender % geometry.sharedQueueCount();
            final long tail = file.buffer().getLongVolatile(inbox.tailIndex(0, queue));
            final int slot = slot(inbox, queue, tail);
            final int state = file.buffer().getIntVolatile(slot);
            file.buffer().compareAndSetInt(slot, state,
                SlotState.claimed(tail, Integer.numberOfTrailingZeros(geometry.slotCount()), sender));
            file.buffer().compareAndSetLong(inbox.tailIndex(0, queue), tail, tail + 1);
        }
    }

    /**
     * Writes a state that no sender writes into the slot that comes next on channel 0.
     *
     * @param path  of the receiver's inbox.
     * @param queue within the channel.
     */
    public static void scribble(final Path path, final int queue)
    {
        try (MappedFile file = MappedFile.open(path, Inbox.MAGIC, Inbox.lengthMin(), true))
        {
            final Inbox inbox = Inbox.wrap(file.buffer());
            file.buffer().putIntVolatile(slot(inbox, queue, inbox.headAcquire(0, queue)), FOREIGN_STATE);
        }
    }

    /**
     * Writes anything anywhere behind the geometry.
     *
     * @param path   of the inbox.
     * @param random source of what and where.
     */
    public static void scribbleEverywhere(final Path path, final Random random)
    {
        try (MappedFile file = MappedFile.open(path, Inbox.MAGIC, Inbox.lengthMin(), true))
        {
            final AtomicBuffer buffer = file.buffer();
            for (int i = InboxLayout.ATTACH_OFFSET; i < buffer.capacity(); i += Integer.BYTES)
            {
                if (random.nextInt(4) == 0)
                {
                    buffer.putInt(i, random.nextInt());
                }
            }
        }
    }

    private static int slot(final Inbox inbox, final int queue, final long position)
    {
        final InboxGeometry geometry = inbox.geometry();
        return inbox.slotsOffset(0, queue) + (int)(position & geometry.slotCount() - 1) * geometry.slotLength();
    }
}
