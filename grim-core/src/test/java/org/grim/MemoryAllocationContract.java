// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.SignalOperation;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Remote memory allocates nothing per operation once warm; each transport has a subclass. */
@Timeout(180)
public abstract class MemoryAllocationContract
{
    private static final int WARM_UP_COUNT = 50_000;
    private static final int OPERATION_COUNT = 200_000;
    private static final int REGION_LENGTH = 64 * 1024;
    private static final SignalOperation[] SIGNALS = SignalOperation.values();
    private static final RemoteLink.AtomicOperation[] ATOMICS = RemoteLink.AtomicOperation.values();
    private static final RemoteLink.Rows ROWS = new RemoteLink.Rows(40, 20, 100, 50);

    private final AtomicBuffer source = Buffers.allocate(REGION_LENGTH);
    private Grim near;
    private Grim far;
    private RemoteLink remote;
    private MemoryRegion region;
    private RemoteRegion word;
    private RemoteRegion physicalWord;
    private RemoteRegion signal;
    private MemoryRegion target;
    private RemoteMemory.Read read;
    private int value;
    private long reportedCount;

    /** Opens one node; called twice unless the transport knows only one. */
    protected abstract Grim open(Map<String, Object> settings, String name);

    /** False if one node has to talk to itself. */
    protected abstract boolean hasPeer();

    /** By how much fewer operations show the same: more than 1 where each takes some microseconds. */
    protected int divisor()
    {
        return 1;
    }

    @BeforeEach
    void openNodes()
    {
        final Map<String, Object> settings =
            ContractSupport.settings("grim.liveness.interval", "1m", "grim.queue.slot-count", 64);
        far = open(settings, "far");
        near = hasPeer() ? open(settings, "near") : far;
        region = far.endpoint().memory().register(REGION_LENGTH);
        word = region.remote().slice(0, 4);
        signal = region.remote().slice(40, 8);
        physicalWord = region.remotePhysical().slice(0, 4);
        target = near.endpoint().memory().register(REGION_LENGTH);
        read = near.endpoint().memory().newRead();
        remote = near.endpoint().memory().link(region.remote());
        near.endpoint().memory().onRefused((where, remoteAddress, length, reason) -> reportedCount++);
    }

    @AfterEach
    void closeNodes()
    {
        near.close();
        far.close();
    }

    @Test
    void shouldAllocateNothingPerWrite()
    {
        assertEquals(0, Allocation.least(() -> writes(WARM_UP_COUNT), () -> writes(OPERATION_COUNT)));
    }

    @Test
    void shouldAllocateNothingPerBlockOfRows()
    {
        assertEquals(0, Allocation.least(() -> rows(WARM_UP_COUNT / 5), () -> rows(OPERATION_COUNT / 10)));
    }

    @Test
    void shouldAllocateNothingPerRead()
    {
        assertEquals(0, Allocation.least(() -> reads(WARM_UP_COUNT), () -> reads(OPERATION_COUNT)));
    }

    @Test
    void shouldAllocateNothingPerAtomicOperationAndSignal()
    {
        final RemoteMemory.Atomic done = near.endpoint().memory().newAtomic();
        assertEquals(0, Allocation.least(() -> atomics(WARM_UP_COUNT, done), () -> atomics(OPERATION_COUNT, done)));
    }

    @Test
    void shouldAllocateNothingPerRefusal()
    {
        final RemoteRegion last = far.endpoint().memory().register(64).remote();
        final RemoteRegion nobodys = new RemoteRegion(last.endpoint(), last.address() + 4_096, 8, last.rights(), false);
        assertEquals(0, Allocation.least(() -> refusals(WARM_UP_COUNT, nobodys),
            () -> refusals(OPERATION_COUNT, nobodys)));
        assertTrue(reportedCount >= OPERATION_COUNT / divisor(), "reported=" + reportedCount);
    }

    private void writes(final int fullCount)
    {
        final int count = fullCount / divisor();
        for (int i = 0; i < count; i++)
        {
            final boolean isPhysical = (i & 1) == 0;
            final int length = 1 + i % 3_000;
            value++;
            SendStatus status = SendStatus.BACK_PRESSURED;
            while (!status.isAccepted())
            {
                status = isPhysical ?
                    remote.write(region.remotePhysical(), 8, source, 0, length, physicalWord, value) :
                    near.endpoint().memory().link(region.remote()).write(
                        region.remote(), 8, source, 0, length, word, value);
                poll();
            }
        }
        while (region.buffer().getIntVolatile(0) != value)
        {
            poll();
        }
    }

    private void rows(final int fullCount)
    {
        final int count = fullCount / divisor();
        for (int i = 0; i < count; i++)
        {
            value++;
            while (!remote.writeRows(region.remote(), 8, source, 0, ROWS, word, value).isAccepted())
            {
                poll();
            }
            poll();
        }
        while (region.buffer().getIntVolatile(0) != value)
        {
            poll();
        }
    }

    private void reads(final int fullCount)
    {
        final int count = fullCount / divisor();
        for (int i = 0; i < count; i++)
        {
            while (!remote.read(region.remote(), 0, target, i % 100, 1 + i % 2_000, read).isAccepted())
            {
                poll();
            }
            while (!read.isComplete())
            {
                poll();
            }
        }
    }

    private void atomics(final int fullCount, final RemoteMemory.Atomic done)
    {
        final int count = fullCount / divisor();
        final long before = region.buffer().getLongVolatile(16);
        for (int i = 0; i < count; i++)
        {
            while (!remote.writeWithSignal(region.remote(), 24, source, 0, 8, word, 1).isAccepted())
            {
                poll();
            }
            final SignalOperation operation = SIGNALS[i & 3];
            while (!remote.writeWithSignal(region.remote(), 32, source, 0, 8, operation, signal, i).isAccepted())
            {
                poll();
            }
            while (!remote.fetchAddLong(region.remote(), 16, 1, done).isAccepted())
            {
                poll();
            }
            while (!done.isComplete())
            {
                poll();
            }
            assertTrue(done.previous() == before + i);
            while (!remote.atomic(ATOMICS[i % ATOMICS.length], region.remote(), 48, 8, i, i, done).isAccepted())
            {
                poll();
            }
            while (!done.isComplete())
            {
                poll();
            }
        }
    }

    private void refusals(final int fullCount, final RemoteRegion nobodys)
    {
        final int count = fullCount / divisor();
        final long end = reportedCount + count;
        int sent = 0;
        while (reportedCount < end)
        {
            final boolean isAccepted = sent < count && remote.write(nobodys, 0, source, 0, 8).isAccepted();
            sent += isAccepted ? 1 : 0;
            if (!isAccepted || sent % 20 == 0)
            {
                poll();
            }
        }
    }

    private void poll()
    {
        far.endpoint().poll();
        if (near != far)
        {
            near.endpoint().poll();
        }
    }
}
