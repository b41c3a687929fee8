// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.grim.RemoteLink.SignalOperation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Nodes on threads of their own that change one word at the same time: peers by their transports, its owner by a link
 * to itself and by the processor. Each goes on until all have done what they must.
 */
public final class AtomicSum
{
    private static final int WORD_OFFSET = 64;
    private static final int SIGNAL_OFFSET = 128;
    private static final int LONG_SIGNAL_OFFSET = 136;
    private static final int BITS_OFFSET = 192;
    private static final long WIDE = 1L << 32 | 1;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(120);

    private final CompletableFuture<RemoteRegion> region = new CompletableFuture<>();
    private final AtomicInteger busyCount = new AtomicInteger();
    private final AtomicInteger nodeNumber = new AtomicInteger();
    private final AtomicLong doneCount = new AtomicLong();
    private final int leastCount;
    private final long startNs = System.nanoTime();

    private AtomicSum(final int nodeCount, final int leastCount)
    {
        busyCount.set(nodeCount);
        this.leastCount = leastCount;
    }

    /**
     * Checks that nothing is lost or done twice.
     *
     * @param owner      of the word.
     * @param peers      that change it, too.
     * @param leastCount operations of each node.
     */
    public static void check(final Supplier<Grim> owner, final List<Supplier<Grim>> peers, final int leastCount)
    {
        new AtomicSum(peers.size() + 1, leastCount).run(owner, peers);
    }

    private void run(final Supplier<Grim> owner, final List<Supplier<Grim>> peers)
    {
        try (Grim own = owner.get())
        {
            final MemoryRegion memory = own.endpoint().memory().register(4_096);
            final List<CompletableFuture<Void>> done = peers.stream().map(peer -> ContractSupport.onThreadOfItsOwn(() ->
            {
                try (Grim grim = peer.get())
                {
                    change(grim, () ->
                    {
                    });
                }
            })).toList();
            region.complete(memory.remote());
            final long[] ownCount = new long[1];
            change(own, () ->
            {
                ownCount[0]++;
                memory.buffer().getAndAddLong(WORD_OFFSET, 1);
            });
            await(own, () -> done.stream().allMatch(CompletableFuture::isDone));
            done.forEach(CompletableFuture::join);

            assertEquals(doneCount.get() + ownCount[0], memory.buffer().getLongVolatile(WORD_OFFSET));
            assertEquals((int)doneCount.get(), memory.buffer().getIntVolatile(SIGNAL_OFFSET));
            assertEquals(doneCount.get() * WIDE, memory.buffer().getLongVolatile(LONG_SIGNAL_OFFSET));
            assertEquals(0, memory.buffer().getLongVolatile(BITS_OFFSET));
        }
    }

    private void change(final Grim grim, final Runnable besides)
    {
        final RemoteRegion where = region.join();
        final RemoteRegion signal = where.slice(SIGNAL_OFFSET, 4);
        final RemoteRegion longSignal = where.slice(LONG_SIGNAL_OFFSET, 8);
        final long bit = 1L << (nodeNumber.getAndIncrement() * 31);
        final RemoteLink[] link = new RemoteLink[1];
        await(grim, () -> (link[0] = tryLink(grim, where)) != null);
        final MemoryRegion source = grim.endpoint().memory().register(8);
        final RemoteMemory.Atomic handle = grim.endpoint().memory().newAtomic();
        int count = 0;
        while (busyCount.get() > 0)
        {
            await(grim, () -> link[0].fetchAddLong(where, WORD_OFFSET, 1, handle).isAccepted());
            await(grim, () -> link[0].writeWithSignal(where, 8, source.buffer(), 0, 8, signal, 1).isAccepted());
            await(grim, () -> link[0].writeWithSignal(
                where, 8, source.buffer(), 0, 8, SignalOperation.ADD_LONG, longSignal, WIDE).isAccepted());
            besides.run();
            poll(grim);                     // Operations of others wait for it, where the loop executes them.
            await(grim, handle::isComplete);
            assertNull(handle.refusal());
            final int number = count;
            await(grim, () -> changeBit(number, link[0], where, bit, handle).isAccepted());
            await(grim, handle::isComplete);
            assertEquals(count % 2 == 0 ? 0 : bit, handle.previous() & bit, "of this node's own bit");
            if (++count == leastCount)
            {
                busyCount.decrementAndGet();
            }
        }
        // Later operations complete later: when this one has, so have the signals.
        await(grim, () -> link[0].fetchAndLong(where, BITS_OFFSET, ~bit, handle).isAccepted());
        await(grim, handle::isComplete);
        doneCount.addAndGet(count);
    }

    /** Sets a bit that is clear, and clears it the next time; each by two operations in turn. */
    private static SendStatus changeBit(
        final int number, final RemoteLink link, final RemoteRegion where, final long bit,
        final RemoteMemory.Atomic handle)
    {
        return switch (number % 4)
        {
            case 0 -> link.fetchOrLong(where, BITS_OFFSET, bit, handle);
            case 1 -> link.fetchAndLong(where, BITS_OFFSET, ~bit, handle);
            default -> link.fetchXorLong(where, BITS_OFFSET, bit, handle);
        };
    }

    /** Of another host its node may not be known yet. */
    private static RemoteLink tryLink(final Grim grim, final RemoteRegion where)
    {
        try
        {
            return grim.endpoint().memory().link(where);
        }
        catch (final GrimException ex)
        {
            assertEquals(GrimException.Reason.UNREACHABLE, ex.reason(), ex::getMessage);
            return null;
        }
    }

    private void await(final Grim grim, final BooleanSupplier isSo)
    {
        while (!isSo.getAsBoolean())
        {
            poll(grim);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private void poll(final Grim grim)
    {
        assertTrue(System.nanoTime() - startNs < DEADLINE_NS, () -> "in vain: " + ContractSupport.countersOf(grim));
        if (grim.endpoint().poll() == 0)
        {
            Thread.yield();                 // The other nodes need the core.
        }
    }
}
