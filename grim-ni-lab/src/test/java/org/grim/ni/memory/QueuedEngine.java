// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.ArrayDeque;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;

/** An engine whose transfers wait until the test runs them, and which may die with those that wait. */
final class QueuedEngine implements HostEngine
{
    private final DirectHostEngine engine;
    private final ArrayDeque<Runnable> transfers = new ArrayDeque<>();
    private final int capacity;
    private int startedCount;
    private int killAfter = Integer.MAX_VALUE;

    QueuedEngine(final HostMemory memory, final int capacity)
    {
        engine = new DirectHostEngine(memory);
        this.capacity = capacity;
    }

    /** The firmware dies when it starts one transfer more than this. */
    QueuedEngine killAfter(final int count)
    {
        killAfter = count;
        return this;
    }

    int startedCount()
    {
        return startedCount;
    }

    int waitingCount()
    {
        return transfers.size();
    }

    boolean runOne()
    {
        final Runnable transfer = transfers.poll();
        if (transfer != null)
        {
            transfer.run();
        }
        return transfer != null;
    }

    void runAll()
    {
        while (!transfers.isEmpty())
        {
            runOne();
        }
    }

    @Override
    public boolean isIdle()
    {
        return transfers.isEmpty();
    }

    @Override
    public int room()
    {
        return capacity - transfers.size();
    }

    @Override
    public void write(final long address, final DirectBuffer source, final int offset, final int length)
    {
        start(() -> engine.write(address, source, offset, length));
    }

    @Override
    public void writeWithTail(
        final long address, final DirectBuffer source, final int offset, final int length, final int word)
    {
        start(() -> engine.writeWithTail(address, source, offset, length, word));
    }

    @Override
    public void read(final long address, final MutableDirectBuffer target, final int offset, final int length)
    {
        start(() -> engine.read(address, target, offset, length));
    }

    @Override
    public void update(
        final AtomicOperation operation, final long address, final int length, final long operand,
        final long comparand, final MutableDirectBuffer target, final int offset)
    {
        start(() -> engine.update(operation, address, length, operand, comparand, target, offset));
    }

    private void start(final Runnable transfer)
    {
        if (room() == 0)
        {
            throw new AssertionError("no room for a transfer");
        }
        if (startedCount == killAfter)
        {
            throw new Killed();
        }
        startedCount++;
        transfers.add(transfer);
    }

    /** The firmware was killed. */
    static final class Killed extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }
}
