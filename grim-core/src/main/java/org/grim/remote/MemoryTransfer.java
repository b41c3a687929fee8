// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.DirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.queue.OverflowQueue;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

/**
 * A remote write or read that is under way: rows of bytes, cut into pieces that the hop takes at once, and its
 * progress; or an atomic operation, which is one piece. A plain range is one row. Used again for each transfer;
 * allocates nothing.
 * <p>Thread: the endpoint's owner. Owns nothing; lets go of a write's source at {@link #end()}.
 */
final class MemoryTransfer
{
    private static final long OVERHEAD_MAX = 1L << 62;

    private MessageType type;
    private int ticket;
    private long remoteAddress;
    private long remoteStride;
    private DirectBuffer source;
    private long local;
    private int sourceStride;
    private int rowLength;
    private int rowCount;
    private AtomicOperation atomic;                 // null for a write or a read
    private long operand;
    private long comparand;
    private long notificationAddress;
    private long notificationValue;
    private int pieceLengthMax;
    private int row;
    private int doneLength;

    /** Begins a write of one row. */
    MemoryTransfer write(
        final boolean isPhysical, final long newRemoteAddress, final DirectBuffer newSource, final int offset,
        final int length, final int newPieceLengthMax)
    {
        type = isPhysical ? MessageType.REMOTE_WRITE_PHYSICAL : MessageType.REMOTE_WRITE_VIRTUAL;
        source = newSource;
        ticket = ReadHandle.NO_TICKET;
        begin(newRemoteAddress, offset, length, newPieceLengthMax);
        return this;
    }

    /** Begins a read. */
    MemoryTransfer read(
        final long newRemoteAddress, final long targetAddress, final int length, final int newTicket,
        final int newPieceLengthMax)
    {
        type = MessageType.REMOTE_READ;
        source = null;
        ticket = newTicket;
        begin(newRemoteAddress, targetAddress, length, newPieceLengthMax);
        return this;
    }

    /** Begins an atomic operation on a word. */
    MemoryTransfer atomic(
        final AtomicOperation operation, final long newRemoteAddress, final int length, final long newOperand,
        final long newComparand, final long targetAddress, final int newTicket)
    {
        type = MessageType.of(operation);
        source = null;
        ticket = newTicket;
        operand = newOperand;
        comparand = newComparand;
        begin(newRemoteAddress, targetAddress, length, length);
        atomic = operation;
        return this;
    }

    /** Has a write's notification change its word so. */
    MemoryTransfer asSignal(final SignalOperation operation)
    {
        type = MessageType.of(operation);
        return this;
    }

    /** Makes it a block of rows; those of no bytes are one operation, which is refused once. */
    MemoryTransfer rows(final int newRowCount, final long newRemoteStride, final int newSourceStride)
    {
        rowCount = rowLength == 0 ? 1 : newRowCount;
        remoteStride = newRemoteStride;
        sourceStride = newSourceStride;
        return this;
    }

    /** Says what is stored, or added, when all is there. */
    MemoryTransfer notification(final long address, final long value)
    {
        notificationAddress = address;
        notificationValue = value;
        return this;
    }

    /** Forgets the source. */
    void end()
    {
        source = null;
    }

    boolean isRead()
    {
        return type == MessageType.REMOTE_READ;
    }

    /** Returns the kind of an atomic operation; null for a write or a read. */
    AtomicOperation atomic()
    {
        return atomic;
    }

    /** Returns the operation on a write's signal; null if it has none. */
    SignalOperation signal()
    {
        return MessageType.signalOf(type.code());
    }

    long operand()
    {
        return operand;
    }

    long comparand()
    {
        return comparand;
    }

    boolean isPhysical()
    {
        return type == MessageType.REMOTE_WRITE_PHYSICAL;
    }

    boolean isOnePiece()
    {
        return rowCount == 1 && rowLength <= pieceLengthMax;
    }

    boolean isDone()
    {
        return row == rowCount;
    }

    /** Bytes of all rows. */
    long length()
    {
        return (long)rowLength * rowCount;
    }

    MessageType type()
    {
        return type;
    }

    DirectBuffer source()
    {
        return source;
    }

    /** First byte of the piece at the target's. */
    long remoteAddress()
    {
        return remoteAddress + row * remoteStride + doneLength;
    }

    /** First byte of the piece here: an index in a write's source, else a virtual address of the target. */
    long local()
    {
        return local + row * (long)sourceStride + doneLength;
    }

    int pieceLength()
    {
        return Math.min(pieceLengthMax, rowLength - doneLength);
    }

    /** Returns where the notification word is, which only the last piece has. */
    long notificationAddress()
    {
        return isLastPiece() ? notificationAddress : MemoryHop.NO_NOTIFICATION;
    }

    long notificationValue()
    {
        return notificationValue;
    }

    int ticket()
    {
        return isLastPiece() ? ReadHandle.lastOf(ticket) : ticket;
    }

    /** The piece was accepted. */
    void advance()
    {
        doneLength += pieceLength();
        if (doneLength >= rowLength)
        {
            doneLength = 0;
            row++;
        }
    }

    /** Most bytes that the overflow queue takes for all pieces. */
    long queuedLength()
    {
        return queuedLength(pieceCount(), length());
    }

    /** Most bytes that it takes for all but the first. */
    long queuedLengthOfRest()
    {
        return queuedLength(pieceCount() - 1, length() - Math.min(rowLength, pieceLengthMax));
    }

    private void begin(final long newRemoteAddress, final long newLocal, final int length, final int newPieceLengthMax)
    {
        atomic = null;
        remoteAddress = newRemoteAddress;
        local = newLocal;
        rowLength = length;
        pieceLengthMax = newPieceLengthMax;
        notificationAddress = MemoryHop.NO_NOTIFICATION;
        row = 0;
        doneLength = 0;
        rows(1, 0, 0);
    }

    private boolean isLastPiece()
    {
        return row == rowCount - 1 && rowLength - doneLength <= pieceLengthMax;
    }

    private long pieceCount()
    {
        return rowCount * Math.max(1, (rowLength + (long)pieceLengthMax - 1) / pieceLengthMax);
    }

    /** Returns what a transfer takes in the queue: 2^62 bytes of data and of overhead at most, so no overflow. */
    private long queuedLength(final long pieceCount, final long length)
    {
        final long overhead =
            (long)OverflowQueue.RECORD_OVERHEAD_MAX + RemoteMemoryFormat.extensionLength(type.code());
        return pieceCount > OVERHEAD_MAX / overhead ? Long.MAX_VALUE :
            pieceCount * overhead + (source == null ? 0 : length);
    }
}
