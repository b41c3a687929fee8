// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.buffer.AtomicWord;
import org.grim.ni.board.BoardTimer;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;

/**
 * A host DMA engine in virtual time. A transfer begins when the one before it ends, or at the processor's moment if
 * none runs, and its bytes move at once when it ends; then host and firmware are woken to look again.
 * <p>The kind of a transfer decides its cost: bytes with a tail word are a message, a tail word alone is a notification
 * (its address was looked up already, so that it counts as cached), and bytes without one are remote-memory data. The
 * pointer of an arrival queue has a call of its own. An atomic operation costs two transfers of its word: one to the
 * board, one back.
 * <p>Thread: the simulator's.
 * <p>Bounds: {@value #TRANSFER_COUNT_MAX} transfers wait, the running one included; nothing is allocated for one.
 */
public final class VirtualHostEngine implements HostEngine
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int INDEX_MASK = TRANSFER_COUNT_MAX - 1;

    private enum Kind
    {
        WRITE, WRITE_WITH_TAIL, READ, UPDATE
    }

    private final HostMemory memory;
    private final VirtualClock clock;
    private final BoardTimer processor;
    private final LanaiTiming timing;
    private final long transferNs;
    private final long bytesPerSecond;              // 0: a transfer's length costs nothing
    private final Runnable wakeUp;
    private final Event completion = Event.of(this::completeFirst);
    private final Transfer[] transfers = new Transfer[TRANSFER_COUNT_MAX];
    private int firstIndex;
    private int count;
    private long busyUntilNs;
    private long detachedCount;
    private WriteCheck writeCheck = (address, length) -> { };

    private VirtualHostEngine(final HostMemory memory, final VirtualClock clock, final BoardTimer processor,
        final LanaiTiming timing, final long transferNs, final long bytesPerSecond, final Runnable wakeUp)
    {
        this.memory = memory;
        this.clock = clock;
        this.processor = processor;
        this.timing = timing;
        this.transferNs = transferNs;
        this.bytesPerSecond = bytesPerSecond;
        this.wakeUp = wakeUp;
        for (int i = 0; i < transfers.length; i++)
        {
            transfers[i] = new Transfer();
        }
    }

    /**
     * An engine that needs the time of an original board.
     *
     * @param memory    of the host.
     * @param clock     that completes transfers.
     * @param processor that starts them; never behind the clock while it does.
     * @param timing    of the board.
     * @param wakeUp    called after each transfer is complete; it may start others.
     * @return an engine without transfers.
     */
    public static VirtualHostEngine of(final HostMemory memory, final VirtualClock clock, final BoardTimer processor,
        final LanaiTiming timing, final Runnable wakeUp)
    {
        return new VirtualHostEngine(memory, clock, processor, timing, 0, 0, wakeUp);
    }

    /** An engine for runs where times do not matter: every transfer costs the same, 0 or more. */
    public static VirtualHostEngine uniform(final HostMemory memory, final VirtualClock clock,
        final BoardTimer processor, final long transferNs, final Runnable wakeUp)
    {
        if (transferNs < 0)
        {
            throw new IllegalArgumentException("transfer ns=" + transferNs + " is negative");
        }
        return new VirtualHostEngine(memory, clock, processor, null, transferNs, 0, wakeUp);
    }

    /** An engine on some other bus: every transfer costs a start-up time, and a time for each byte. */
    public static VirtualHostEngine linear(final HostMemory memory, final VirtualClock clock,
        final BoardTimer processor, final long startupNs, final long bytesPerSecond, final Runnable wakeUp)
    {
        if (startupNs < 0 || bytesPerSecond < 1)
        {
            throw new IllegalArgumentException("start-up ns=" + startupNs + " is negative, or bytes per second=" +
                bytesPerSecond + " less than 1");
        }
        return new VirtualHostEngine(memory, clock, processor, null, startupNs, bytesPerSecond, wakeUp);
    }

    /** Sees each write to the host before it is queued. Thread: the simulator's. */
    @FunctionalInterface
    public interface WriteCheck
    {
        /** The board is about to write; may throw. */
        void onWrite(long address, int length);
    }

    /** Sets an observer of all writes from now on. */
    public void checkWrites(final WriteCheck check)
    {
        writeCheck = check;
    }

    /** The board is reset: transfers that are not complete never happen, and nobody is woken. */
    public void cancelAll()
    {
        clock.cancel(completion);
        while (count > 0)
        {
            removeFirst();
        }
        busyUntilNs = 0;
    }

    @Override
    public boolean isIdle()
    {
        return count == 0;
    }

    @Override
    public int room()
    {
        return TRANSFER_COUNT_MAX - count;
    }

    @Override
    public void write(final long address, final DirectBuffer source, final int offset, final int length)
    {
        requireBytes(length);
        final Transfer transfer = add(Kind.WRITE, address, offset, length, remoteNs(length));
        transfer.source = source;
    }

    @Override
    public void writeWithTail(
        final long address, final DirectBuffer source, final int offset, final int length, final int word)
    {
        if (length < 0 || (length & (Integer.BYTES - 1)) != 0)
        {
            throw new IllegalArgumentException("length=" + length + " before a tail word is not a multiple of 4");
        }
        final Transfer transfer = add(Kind.WRITE_WITH_TAIL, address, offset, length, tailNs(length));
        transfer.source = source;
        transfer.word = word;
    }

    @Override
    public void writePointer(final long address, final DirectBuffer source, final int word)
    {
        final long costNs = timing == null ? untabledNs(Integer.BYTES) : timing.pointerDmaNs();
        final Transfer transfer = add(Kind.WRITE_WITH_TAIL, address, 0, 0, costNs);
        transfer.source = source;
        transfer.word = word;
    }

    @Override
    public void read(final long address, final MutableDirectBuffer target, final int offset, final int length)
    {
        requireBytes(length);
        final Transfer transfer = add(Kind.READ, address, offset, length, remoteNs(length));
        transfer.target = target;
    }

    @Override
    public void update(
        final AtomicOperation operation, final long address, final int length, final long operand,
        final long comparand, final MutableDirectBuffer target, final int offset)
    {
        final Transfer transfer = add(Kind.UPDATE, address, offset, length, 2 * remoteNs(length));
        transfer.target = target;
        transfer.operation = operation;
        transfer.operand = operand;
        transfer.comparand = comparand;
    }

    /** Transfers that came to nothing because the context had lost its memory when they were complete; 0 or more. */
    public long detachedCount()
    {
        return detachedCount;
    }

    private long remoteNs(final int length)
    {
        return timing == null ? untabledNs(length) : timing.remoteDmaNs(length);
    }

    private long tailNs(final int length)
    {
        if (timing == null)
        {
            return untabledNs(length + Integer.BYTES);
        }
        return length == 0 ? timing.notificationDmaNs(true) : timing.hostDmaNs(length + Integer.BYTES);
    }

    private long untabledNs(final int length)
    {
        return bytesPerSecond == 0 ? transferNs :
            transferNs + (length * SECOND_NS + bytesPerSecond - 1) / bytesPerSecond;
    }

    private Transfer add(final Kind kind, final long address, final int offset, final int length, final long costNs)
    {
        if (count == TRANSFER_COUNT_MAX)
        {
            throw new IllegalStateException("host engine has " + TRANSFER_COUNT_MAX + " transfers already");
        }
        if (kind != Kind.READ)
        {
            writeCheck.onWrite(address, kind == Kind.WRITE_WITH_TAIL ? length + Integer.BYTES : length);
        }
        final Transfer transfer = transfers[(firstIndex + count) & INDEX_MASK];
        busyUntilNs = Math.max(busyUntilNs, processor.nowNs()) + costNs;
        transfer.kind = kind;
        transfer.address = address;
        transfer.offset = offset;
        transfer.length = length;
        transfer.endNs = busyUntilNs;
        count++;
        if (count == 1)
        {
            clock.schedule(completion, busyUntilNs);
        }
        return transfer;
    }

    private void completeFirst()
    {
        final Transfer transfer = transfers[firstIndex];
        final AtomicBuffer region = memory.region(transfer.address);
        if (region == null)
        {
            detachedCount++;
        }
        else
        {
            transfer.move(region);
        }
        removeFirst();
        if (count > 0)
        {
            clock.schedule(completion, transfers[firstIndex].endNs);
        }
        wakeUp.run();
    }

    private void removeFirst()
    {
        transfers[firstIndex].source = null;
        transfers[firstIndex].target = null;
        firstIndex = (firstIndex + 1) & INDEX_MASK;
        count--;
    }

    private static void requireBytes(final int length)
    {
        if (length < 1)
        {
            throw new IllegalArgumentException("length=" + length + " is less than 1");
        }
    }

    private static final class Transfer
    {
        private Kind kind;
        private long address;
        private DirectBuffer source;
        private MutableDirectBuffer target;
        private int offset;
        private int length;
        private int word;
        private AtomicOperation operation;
        private long operand;
        private long comparand;
        private long endNs;

        void move(final AtomicBuffer region)
        {
            final int index = HostMemory.index(address);
            switch (kind)
            {
                case WRITE -> region.putBytes(index, source, offset, length);
                case WRITE_WITH_TAIL ->
                {
                    if (length > 0)
                    {
                        region.putBytes(index, source, offset, length);
                    }
                    // Pairs with the host's acquire of the word: bytes before it are visible when it is.
                    region.putIntRelease(index + length, bigEndian(word));
                }
                case READ -> region.getBytes(index, target, offset, length);
                case UPDATE ->
                {
                    final long previous = AtomicWord.execute(operation, region, index, length, operand, comparand);
                    if (target != null)
                    {
                        AtomicWord.putResult(target, offset, length, previous);
                    }
                }
            }
        }

        private static int bigEndian(final int value)
        {
            return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
        }
    }
}
