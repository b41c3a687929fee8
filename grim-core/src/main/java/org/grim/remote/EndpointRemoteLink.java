// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.counters.ChannelCounters;
import org.grim.endpoint.Backlog;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkContext;
import org.grim.endpoint.RemotePath;
import org.grim.memory.NodeMemory;
import org.grim.queue.OverflowQueue;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MemoryOperation;
import org.grim.wire.RemoteMemoryFormat;

import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Remote memory's half of a link, whose hop, backlog and end it shares: cuts what the hop does
 * not take at once, and has operations wait behind messages that wait.
 * <p>Thread: the endpoint's owner.
 */
public final class EndpointRemoteLink
    implements RemoteLink, RemotePath, RemoteRefusals.Source, OverflowQueue.Operations
{
    /** The overflow queue doubles one memory: more than this it cannot hold, for any ceiling. */
    private static final long QUEUED_LENGTH_MAX = 1L << 29;

    private final EndpointId destination;
    private final Backlog backlog;
    private final IntSupplier poll;
    private final EndpointState state;
    private final OverflowQueue overflow;
    private final ChannelCounters counters;
    private final NodeMemory regions;
    private final ReadHandles handles;
    private final RemoteRefusals refusals;
    private final OpenReads reads = new OpenReads();
    private final RemoteChecks checks;
    private final MemoryTransfer transfer = new MemoryTransfer();
    private final MemoryTransfer blocking = new MemoryTransfer();
    private final HopClaim room = new HopClaim();
    private final MemoryOperation operation = new MemoryOperation();
    private final MemoryHop.RefusalSink refusalSink = this::refused;
    private final int writeLengthMax;
    private final int readLengthMax;
    private final boolean isImmediate;
    private MemoryHop hop;                  // null when closed: it keeps no memory mapped.
    private boolean isClosed;

    EndpointRemoteLink(
        final LinkContext link, final IntSupplier poll, final NodeMemory regions, final ReadHandles handles,
        final RemoteRefusals refusals)
    {
        this.poll = poll;
        this.regions = regions;
        this.handles = handles;
        this.refusals = refusals;
        destination = link.destination();
        checks = new RemoteChecks(destination.node());
        state = link.state();
        backlog = link.backlog();
        overflow = backlog.overflow();
        counters = link.accounting().counters();
        hop = link.connectMemory();
        writeLengthMax = hop.writeLengthMax();
        readLengthMax = hop.readLengthMax();
        isImmediate = hop.isImmediate();
        overflow.operations(this);
        refusals.add(this);
    }

    @Override
    public EndpointId destination()
    {
        return destination;
    }

    @Override
    public SendStatus write(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final int length, final RemoteRegion word, final int value)
    {
        backlog.checkUse();
        RemoteChecks.source(source, offset, length);
        final long address = checks.write(region, regionOffset, length);
        final long wordAddress = checks.word(word, region);
        if (length <= writeLengthMax && !isClosed && backlog.canSendNow() && hop.tryWrite(region.isPhysical(), address,
            source, offset, length, wordAddress, value, ReadHandle.NO_TICKET) == SendStatus.SENT)
        {
            refusals.onOperation();
            counters.memoryWritten(length);
            return SendStatus.SENT;
        }
        return run(transfer.write(region.isPhysical(), address, source, offset, length, writeLengthMax)
            .notification(wordAddress, value));
    }

    @Override
    public SendStatus writeBlocking(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final int length, final RemoteRegion word, final int value, final IdleStrategy idleStrategy)
    {
        backlog.checkUse();
        state.requireOutsideHandler("writeBlocking");
        RemoteChecks.source(source, offset, length);
        final long address = checks.write(region, regionOffset, length);
        blocking.write(region.isPhysical(), address, source, offset, length, writeLengthMax)
            .notification(checks.word(word, region), value);
        try
        {
            SendStatus status = tryAdvance(blocking);
            while (status == SendStatus.BACK_PRESSURED)
            {
                idleStrategy.idle(poll.getAsInt());
                status = tryAdvance(blocking);
            }
            return status;
        }
        finally
        {
            blocking.end();
        }
    }

    @Override
    public SendStatus writeRows(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final RemoteLink.Rows rows, final RemoteRegion word, final int value)
    {
        backlog.checkUse();
        RemoteChecks.rows(source, offset, rows);
        return run(transfer
            .write(false, checks.rows(region, regionOffset, rows), source, offset, rows.length(), writeLengthMax)
            .rows(rows.count(), rows.remoteStride(), rows.sourceStride())
            .notification(checks.word(word, region), value));
    }

    @Override
    public SendStatus read(
        final RemoteRegion region, final long regionOffset, final MemoryRegion target, final long targetOffset,
        final int length, final RemoteRegion word, final int value)
    {
        backlog.checkUse();
        RemoteChecks.target(regions, target, targetOffset, length);
        return run(transfer.read(checks.read(region, regionOffset, length), target.remote().address() + targetOffset,
            length, ReadHandle.NO_TICKET, readLengthMax).notification(checks.word(word, target.remote()), value));
    }

    @Override
    public SendStatus read(
        final RemoteRegion region, final long regionOffset, final MemoryRegion target, final long targetOffset,
        final int length, final RemoteMemory.Read completion)
    {
        backlog.checkUse();
        RemoteChecks.target(regions, target, targetOffset, length);
        final long address = checks.read(region, regionOffset, length);
        final ReadHandle handle = handles.of(completion);
        handle.prepare();
        final SendStatus status = run(transfer
            .read(address, target.remote().address() + targetOffset, length, handle.ticket(), readLengthMax)
            .notification(handle.address(), handle.value()));
        if (status.isAccepted())
        {
            handle.begin(reads, length > readLengthMax);
        }
        return status;
    }

    @Override
    public SendStatus writeWithSignal(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final int length, final SignalOperation signalOperation, final RemoteRegion signal, final long value)
    {
        backlog.checkUse();
        RemoteChecks.source(source, offset, length);
        return run(transfer
            .write(false, checks.write(region, regionOffset, length), source, offset, length, writeLengthMax)
            .asSignal(signalOperation)
            .notification(checks.signal(signal, signalOperation.length(), region), value));
    }

    @Override
    public SendStatus atomic(
        final AtomicOperation atomic, final RemoteRegion region, final long regionOffset, final int length,
        final long operand, final long comparand, final RemoteMemory.Atomic completion)
    {
        backlog.checkUse();
        final long address = checks.atomic(region, regionOffset, length);
        final ReadHandle handle = handles.of(completion);
        handle.prepare();
        final SendStatus status = run(transfer
            .atomic(atomic, address, length, operand, comparand, handle.resultAddress(), handle.ticket())
            .notification(handle.address(), handle.value()));
        if (status.isAccepted())
        {
            handle.beginAtomic(reads, length);
        }
        return status;
    }

    @Override
    public SendStatus tryExecute(
        final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset, final int payloadLength)
    {
        operation.wrap(buffer, headerOffset, payloadOffset);
        if (operation.invalid(payloadLength) != null)
        {
            return SendStatus.CLOSED;               // Our own memory is corrupt: this path is unusable.
        }
        refusals.onOperation();
        final AtomicOperation atomic = operation.atomic();
        if (atomic != null)
        {
            return hop.tryAtomic(atomic, operation.remoteAddress(), operation.count(), operation.operand(),
                operation.comparand(), operation.targetAddress(), operation.notificationAddress(),
                (int)operation.notificationValue(), operation.ticket());
        }
        if (operation.isRead())
        {
            return hop.tryRead(operation.remoteAddress(), operation.targetAddress(), operation.count(),
                operation.notificationAddress(), (int)operation.notificationValue(), operation.ticket());
        }
        final SignalOperation signal = operation.signal();
        return signal != null ?
            hop.tryWriteWithSignal(operation.remoteAddress(), buffer, operation.dataOffset(), operation.count(),
                signal, operation.notificationAddress(), operation.notificationValue(), operation.ticket()) :
            hop.tryWrite(operation.isPhysical(), operation.remoteAddress(), buffer, operation.dataOffset(),
                operation.count(), operation.notificationAddress(), (int)operation.notificationValue(),
                operation.ticket());
    }

    @Override
    public void onDiscarded(final MutableDirectBuffer buffer, final int headerOffset, final int payloadOffset)
    {
        operation.wrap(buffer, headerOffset, payloadOffset);
        refused(operation.ticket(), operation.remoteAddress(), operation.count(), RemoteRefusal.PEER_GONE);
    }

    /** Notes what is known by now of operations that were refused, and of reads that have ended. */
    @Override
    public void drainRefusals()
    {
        reads.look();
        hop.drainRefusals(refusalSink);
        reads.endSeen();
        if (reads.hasCut())
        {
            refusals.onOperation();         // A thread may be waiting in a loop: look again at the next poll.
        }
    }

    /** No read of this link will be completed that is not by now. */
    @Override
    public void settle()
    {
        if (!isClosed)
        {
            drainRefusals();
            reads.end(RemoteRefusal.PEER_GONE);
        }
    }

    /** Gives up the hop. Its refusals are reported at the next poll. */
    @Override
    public void close()
    {
        settle();
        isClosed = true;
        refusals.remove(this);
        hop.closeMemory();
        hop = null;
    }

    /** Has the hop take as much of a write as it has room for now; for a caller that polls and comes again. */
    private SendStatus tryAdvance(final MemoryTransfer all)
    {
        backlog.checkUse();
        final SendStatus gate = gate();
        if (gate != SendStatus.SENT)
        {
            return gate;
        }
        final SendStatus status = move(all);
        if (status != SendStatus.SENT)
        {
            return backlog.refused(status);
        }
        counters.memoryWritten(all.length());
        return status;
    }

    private SendStatus run(final MemoryTransfer all)
    {
        final SendStatus status = tryRun(all);
        all.end();
        if (status.isAccepted())
        {
            if (all.atomic() != null)
            {
                counters.memoryAtomic();
            }
            else if (all.isRead())
            {
                counters.memoryRead(all.length());
            }
            else
            {
                counters.memoryWritten(all.length());
            }
        }
        return status;
    }

    private SendStatus tryRun(final MemoryTransfer all)
    {
        final SendStatus gate = gate();
        if (gate == SendStatus.QUEUED)
        {
            return queueAll(all);
        }
        if (gate != SendStatus.SENT)
        {
            return gate;
        }
        // Where a part may have to wait, its room must be known before anything moves.
        if (!all.isOnePiece() && !isImmediate && !hasRoom(all.queuedLengthOfRest(), all.length()))
        {
            return backlog.refused(SendStatus.BACK_PRESSURED);
        }
        final SendStatus first = movePiece(all);
        if (first != SendStatus.SENT)
        {
            final SendStatus refused = backlog.refused(first);
            return refused == SendStatus.BACK_PRESSURED && state.isInHandler() ? queueAll(all) : refused;
        }
        final SendStatus rest = move(all);
        if (rest == SendStatus.BACK_PRESSURED)
        {
            queue(all);
            return SendStatus.QUEUED;
        }
        return rest == SendStatus.SENT ? rest : backlog.refused(rest);
    }

    private SendStatus move(final MemoryTransfer all)
    {
        SendStatus status = SendStatus.SENT;
        while (status == SendStatus.SENT && !all.isDone())
        {
            status = movePiece(all);
            if (status == SendStatus.BACK_PRESSURED && isImmediate)
            {
                drainRefusals();            // It is full of them, and this transfer cannot stop halfway.
                status = movePiece(all);
            }
        }
        return status;
    }

    private SendStatus movePiece(final MemoryTransfer all)
    {
        final SendStatus status = tryPiece(all);
        if (status == SendStatus.SENT)
        {
            refusals.onOperation();
            all.advance();
        }
        return status;
    }

    private SendStatus tryPiece(final MemoryTransfer all)
    {
        if (all.atomic() != null)
        {
            return hop.tryAtomic(all.atomic(), all.remoteAddress(), all.pieceLength(), all.operand(), all.comparand(),
                all.local(), all.notificationAddress(), (int)all.notificationValue(), all.ticket());
        }
        if (all.isRead())
        {
            return hop.tryRead(all.remoteAddress(), all.local(), all.pieceLength(), all.notificationAddress(),
                (int)all.notificationValue(), all.ticket());
        }
        final SignalOperation signal = all.signal();
        return signal != null ?
            hop.tryWriteWithSignal(all.remoteAddress(), all.source(), (int)all.local(), all.pieceLength(), signal,
                all.notificationAddress(), all.notificationValue(), all.ticket()) :
            hop.tryWrite(all.isPhysical(), all.remoteAddress(), all.source(), (int)all.local(), all.pieceLength(),
                all.notificationAddress(), (int)all.notificationValue(), all.ticket());
    }

    private SendStatus queueAll(final MemoryTransfer all)
    {
        if (!hasRoom(all.queuedLength(), all.length()))
        {
            return backlog.refused(SendStatus.BACK_PRESSURED);
        }
        queue(all);
        return SendStatus.QUEUED;
    }

    private void queue(final MemoryTransfer all)
    {
        while (!all.isDone())
        {
            final int length = all.pieceLength();
            final boolean isWrite = all.source() != null;
            overflow.claim(
                RemoteMemoryFormat.extensionLength(all.type().code()) + (isWrite ? length : 0), room);
            operation.wrap(room.buffer(), room.headerOffset(), room.offset()).put(all.type(), all.ticket(),
                all.remoteAddress(), all.notificationAddress(), all.notificationValue(), length);
            if (all.atomic() != null)
            {
                operation.targetAddress(all.local()).operands(all.operand(), all.comparand());
            }
            else if (!isWrite)
            {
                operation.targetAddress(all.local());
            }
            else if (length > 0)
            {
                room.buffer().putBytes(operation.dataOffset(), all.source(), (int)all.local(), length);
            }
            room.publish();
            all.advance();
        }
    }

    /** Whether an operation may go to the hop; if it has to wait in the overflow queue; or why neither. */
    private SendStatus gate()
    {
        return isClosed && !state.isClosed() ?
            backlog.refused(SendStatus.PEER_GONE) :             // It was replaced, and its hop is no more.
            backlog.admit();
    }

    /** Whether the ceiling has room now; an exception if it never can have. */
    private boolean hasRoom(final long queuedLength, final long length)
    {
        final OverflowQueue.Ceiling ceiling = overflow.ceiling();
        final long lengthMax = Math.min(QUEUED_LENGTH_MAX, ceiling.lengthMax());
        if (queuedLength > lengthMax)
        {
            throw new GrimException(NO_ROOM,
                "remote memory length=" + length + " exceeds what the overflow queue can take: " +
                "needed=" + queuedLength + " bytes max=" + lengthMax + " bytes (grim.overflow.ceiling); nothing was " +
                "begun: move less at once, or use writeBlocking outside handlers");
        }
        return queuedLength <= lengthMax - ceiling.length();
    }

    private void refused(
        final int ticket, final long remoteAddress, final int length, final RemoteRefusal reason)
    {
        handles.onRefused(ticket, reason);
        refusals.onRefused(destination, remoteAddress, length, reason);
    }
}
