// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.SleepBell;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.TransportContext;

/**
 * A board that another process runs: it needs nothing of this one but to be woken when its process sleeps.
 * <p>Thread: any.
 */
final class RemoteRunner implements BoardRunner
{
    private final TransportContext node;
    private final PathStatus.BoardIncarnation board;
    private final SleepBell bell;

    RemoteRunner(final TransportContext node, final PathStatus.BoardIncarnation board, final AtomicBuffer sram)
    {
        this.node = node;
        this.board = board;
        bell = SleepBell.ofBoard(sram);
    }

    @Override
    public void onPublished()
    {
        final int number = bell.bellVolatile();
        if (number != SleepBell.AWAKE)
        {
            node.ring(board.node(), board.incarnation(), number);
        }
    }

    @Override
    public int step()
    {
        onPublished();
        return 0;
    }

    @Override
    public void advance()
    {
        onPublished();
        Thread.onSpinWait();
    }

    @Override
    public void attach(final ArrivalQueues queues, final ChannelArrivals arrivals)
    {
        queues.add(arrivals);
    }

    @Override
    public int housekeep(final ArrivalQueues queues)
    {
        return 0;
    }

    @Override
    public void asleep(final int channel, final int newBell)
    {
        // The board delivers while the loop sleeps, and rings.
    }

    @Override
    public void close()
    {
        // The board goes on.
    }
}
