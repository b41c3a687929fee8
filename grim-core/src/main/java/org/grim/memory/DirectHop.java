// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.AtomicWord;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;

/**
 * The path to memory that this process has mapped: it executes each operation itself, at once. So an operation that was
 * accepted is complete, or refused.
 * <p>A long copy is made in pieces, each an operation of its own for the freeing of regions: pages become reusable
 * after the current piece; later pieces are refused.
 * <p>Thread: the link's owner. Owns: its lines in the directories, until {@link #closeMemory()}.
 */
final class DirectHop implements MemoryHop
{
    /** Bytes that are copied between two looks at whether the region is still there. */
    static final int PIECE_LENGTH_MAX = 1 << 20;

    private final long peerStatusAddress;
    private final int peerStatus;
    private final Runnable onNotified;
    private final InitiatorLine initiator;
    private final LocalSide local;
    private final Runnable onClosed;
    private final RefusalRing refusals = new RefusalRing();
    private final PhysicalLookup physicalData;
    private final PhysicalLookup physicalWord;
    private final VirtualLookup virtualData;
    private final VirtualLookup virtualWord;

    DirectHop(
        final NodeMemory.Space space, final InitiatorLine initiator, final LocalSide local,
        final long peerStatusAddress, final int peerStatus, final Runnable onNotified, final Runnable onClosed)
    {
        this.onNotified = onNotified;
        this.initiator = initiator;
        this.local = local;
        this.peerStatusAddress = peerStatusAddress;
        this.peerStatus = peerStatus;
        this.onClosed = onClosed;
        final RegionTable table = new RegionTable(space.directory());
        physicalData = space.physicalLookup();
        physicalWord = space.physicalLookup();
        virtualData = space.virtualLookup(table);
        virtualWord = space.virtualLookup(table);
    }

    @Override
    public int writeLengthMax()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public int readLengthMax()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public SendStatus tryWrite(
        final boolean isPhysical, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        source.boundsCheck(offset, length);
        if (Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            return SendStatus.PEER_GONE;
        }
        RemoteRefusal reason = InitiatorLine.reasonOfForm(remoteAddress, length, notificationAddress);
        if (reason == null)
        {
            reason = isPhysical ?
                write(physicalData, physicalWord, remoteAddress, source, offset, length, notificationAddress,
                    notificationValue) :
                write(virtualData, virtualWord, remoteAddress, source, offset, length, notificationAddress,
                    notificationValue);
        }
        return reason == null ? executed(notificationAddress != NO_NOTIFICATION) :
            refuse(ticket, remoteAddress, length, reason);
    }

    @Override
    public SendStatus tryRead(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress,
        final int notificationValue, final int ticket)
    {
        if (Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            return SendStatus.PEER_GONE;
        }
        if (!local.tryAttach())
        {
            return SendStatus.BACK_PRESSURED;
        }
        RemoteRefusal reason = InitiatorLine.reasonOfForm(remoteAddress, length, notificationAddress);
        if (reason == null)
        {
            reason = InitiatorLine.isWrapping(targetAddress, length) ? RemoteRefusal.WRAP_AROUND :
                read(remoteAddress, targetAddress, length, notificationAddress, notificationValue);
        }
        return reason == null ? SendStatus.SENT : refuse(ticket, remoteAddress, length, reason);
    }

    @Override
    public SendStatus tryWriteWithSignal(
        final long remoteAddress, final DirectBuffer source, final int offset, final int length,
        final SignalOperation operation, final long signalAddress, final long value, final int ticket)
    {
        source.boundsCheck(offset, length);
        if (Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            return SendStatus.PEER_GONE;
        }
        RemoteRefusal reason =
            InitiatorLine.reasonOfForm(remoteAddress, length, operation.length(), signalAddress);
        if (reason == null)
        {
            final int done = lengthOfFirst(length);
            reason = done == 0 ? null :
                writeFirst(virtualData, virtualWord, remoteAddress, source, offset, length, operation.length(),
                    signalAddress);
            reason = reason != null ? reason : initiator.writeWithSignal(virtualData, virtualWord,
                remoteAddress + done, source, offset + done, length - done, operation, signalAddress, value);
        }
        return reason == null ? executed(signalAddress != NO_NOTIFICATION) :
            refuse(ticket, remoteAddress, length, reason);
    }

    @Override
    public SendStatus tryAtomic(
        final AtomicOperation operation, final long remoteAddress, final int length, final long operand,
        final long comparand, final long targetAddress, final long notificationAddress, final int notificationValue,
        final int ticket)
    {
        if (Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            return SendStatus.PEER_GONE;
        }
        if (!local.tryAttach())
        {
            return SendStatus.BACK_PRESSURED;
        }
        RemoteRefusal reason = InitiatorLine.reasonOfForm(remoteAddress, length);
        if (reason == null)
        {
            reason = atomic(operation, remoteAddress, length, operand, comparand, targetAddress, notificationAddress,
                notificationValue);
        }
        return reason == null ? executed(true) : refuse(ticket, remoteAddress, length, reason);
    }

    @Override
    public int drainRefusals(final RefusalSink sink)
    {
        return refusals.drain(sink);
    }

    @Override
    public void closeMemory()
    {
        initiator.close();
        local.close();
        onClosed.run();
    }

    private RemoteRefusal write(
        final Lookup data, final Lookup word, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        final int done = lengthOfFirst(length);
        final RemoteRefusal reason = done == 0 ? null :
            writeFirst(data, word, remoteAddress, source, offset, length, Integer.BYTES, notificationAddress);
        return reason != null ? reason : initiator.write(data, word, Lookup.WRITE, remoteAddress + done, source,
            offset + done, length - done, notificationAddress, notificationValue);
    }

    /** Bytes of all pieces of a copy but the last. */
    private static int lengthOfFirst(final int length)
    {
        return (length - 1) / PIECE_LENGTH_MAX * PIECE_LENGTH_MAX;
    }

    /** Writes all pieces but the last, while what is still to be written is found. */
    private RemoteRefusal writeFirst(
        final Lookup data, final Lookup word, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final int wordLength, final long notificationAddress)
    {
        for (int done = 0; done < lengthOfFirst(length); done += PIECE_LENGTH_MAX)
        {
            initiator.begin();
            try
            {
                final RemoteRefusal reason = InitiatorLine.find(
                    data, remoteAddress + done, length - done, Lookup.WRITE, word, wordLength, notificationAddress);
                if (reason != null)
                {
                    return reason;
                }
                data.buffer().putBytes(data.index(), source, offset + done, PIECE_LENGTH_MAX);
            }
            finally
            {
                initiator.end();
            }
        }
        return null;
    }

    private RemoteRefusal atomic(
        final AtomicOperation operation, final long remoteAddress, final int length, final long operand,
        final long comparand, final long targetAddress, final long notificationAddress, final int notificationValue)
    {
        initiator.begin();
        local.begin();
        try
        {
            RemoteRefusal reason = virtualData.find(remoteAddress, length, Lookup.READ | Lookup.WRITE);
            reason = reason != null ? reason : InitiatorLine.find(
                local.data(), targetAddress, length, Lookup.ANY, local.word(), notificationAddress);
            if (reason == null)
            {
                AtomicWord.putResult(local.data().buffer(), local.data().index(), length, AtomicWord.execute(
                    operation, virtualData.buffer(), virtualData.index(), length, operand, comparand));
                if (notificationAddress != NO_NOTIFICATION)
                {
                    // Partner: the acquire load of the thread that waits for the operation: its result comes before it.
                    local.word().buffer().putIntRelease(local.word().index(), notificationValue);
                }
            }
            return reason;
        }
        finally
        {
            local.end();
            initiator.end();
        }
    }

    private RemoteRefusal read(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress,
        final int notificationValue)
    {
        int done = 0;
        while (true)
        {
            final int rest = length - done;
            final int pieceLength = Math.min(rest, PIECE_LENGTH_MAX);
            initiator.begin();
            local.begin();
            try
            {
                RemoteRefusal reason = virtualData.find(remoteAddress + done, rest, Lookup.READ);
                reason = reason != null ? reason : InitiatorLine.find(
                    local.data(), targetAddress + done, rest, Lookup.ANY, local.word(), notificationAddress);
                if (reason != null)
                {
                    return reason;
                }
                InitiatorLine.copy(local.data().buffer(), local.data().index(), virtualData.buffer(),
                    virtualData.index(), pieceLength);
                done += pieceLength;
                if (done == length)
                {
                    if (notificationAddress != NO_NOTIFICATION)
                    {
                        // Partner: the acquire load of the thread that waits for the read: every byte comes before it.
                        local.word().buffer().putIntRelease(local.word().index(), notificationValue);
                    }
                    return null;
                }
            }
            finally
            {
                local.end();
                initiator.end();
            }
        }
    }

    /** A word of the peer's that it may wait for was written: it wakes, as it does for a message. */
    private SendStatus executed(final boolean isNotified)
    {
        if (isNotified)
        {
            onNotified.run();
        }
        return SendStatus.SENT;
    }

    private SendStatus refuse(
        final int ticket, final long remoteAddress, final int length, final RemoteRefusal reason)
    {
        return refusals.tryAdd(ticket, remoteAddress, length, reason) ? SendStatus.SENT : SendStatus.BACK_PRESSURED;
    }

    /**
     * Refusals that were not reported yet, in order.
     * <p>Thread: the link's owner. Bounds: {@value #CAPACITY}; an operation that finds it full gets back pressure
     * instead.
     */
    static final class RefusalRing
    {
        /** Refusals at a time. */
        static final int CAPACITY = 64;

        private final int[] tickets = new int[CAPACITY];
        private final long[] addresses = new long[CAPACITY];
        private final int[] lengths = new int[CAPACITY];
        private final RemoteRefusal[] reasons = new RemoteRefusal[CAPACITY];
        private long head;
        private long tail;

        boolean tryAdd(final int ticket, final long address, final int length, final RemoteRefusal reason)
        {
            if (tail - head == CAPACITY)
            {
                return false;
            }
            final int slot = (int)tail & (CAPACITY - 1);
            tickets[slot] = ticket;
            addresses[slot] = address;
            lengths[slot] = length;
            reasons[slot] = reason;
            tail++;
            return true;
        }

        /** Reports all present refusals; those that the sink causes wait for the next call. */
        int drain(final MemoryHop.RefusalSink sink)
        {
            final long end = tail;
            int count = 0;
            while (head != end)
            {
                final int slot = (int)head & (CAPACITY - 1);
                head++;                             // Before the call: a sink that throws has had its report.
                count++;
                sink.onRefused(tickets[slot], addresses[slot], lengths[slot], reasons[slot]);
            }
            return count;
        }
    }
}
