// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;
import org.grim.wire.MessageHeader;

/**
 * A transport whose one way takes as much as the test says, and notes what it took. Messages and operations share its
 * room. Bytes of writes go to {@link #far}, whose addresses begin at {@link #FAR_ADDRESS}.
 */
public final class ScriptedTransport implements Transport, Hop, MemoryHop
{
    public static final long FAR_ADDRESS = 1L << 40;
    /** The far memory, and as much beyond it. */
    public static final RemoteRegion FAR = new RemoteRegion(
        EndpointId.of(0, 0, 0), FAR_ADDRESS, 128 * 1024, MemoryRegion.Rights.READ_WRITE, false);
    public static final RemoteRegion FAR_PHYSICAL =
        new RemoteRegion(FAR.endpoint(), FAR_ADDRESS, FAR.length(), FAR.rights(), true);
    public static final RemoteRegion WORD = FAR.slice(40_000, 4);
    public static final RemoteRegion PHYSICAL_WORD = FAR_PHYSICAL.slice(40_000, 4);

    public final AtomicBuffer far = Buffers.allocate(64 * 1024);
    public final List<String> taken = new ArrayList<>();
    public final Deque<Refusal> refusals = new ArrayDeque<>();
    public final List<Read> reads = new ArrayList<>();
    /** Runs within each send of a message. */
    public Runnable duringSend = () -> { };
    public int room = Integer.MAX_VALUE;
    public int pieceLengthMax = 100;
    public boolean isGone;
    public int drainCount;
    public boolean isMemoryClosed;
    /** Exception of each connection; null for none. */
    public Error connectFailure;
    /** Exception of each close after it was counted; null for none. */
    public Error closeFailure;
    public int closeCount;
    private final AtomicBuffer frame = Buffers.allocate(64 * 1024);
    private final HopClaim claim = new HopClaim();

    /** Answer of the hop to an operation. */
    public record Refusal(int ticket, long remoteAddress, int length, RemoteRefusal reason)
    {
    }

    /** A read that the hop took. */
    public record Read(
        long remoteAddress, long targetAddress, int length, long notificationAddress, int value, int ticket)
    {
    }

    @Override
    public SendStatus tryWrite(
        final boolean isPhysical, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        final SendStatus status = take((isPhysical ? "P " : "V ") + (remoteAddress - FAR_ADDRESS) + "+" + length +
            notification(notificationAddress, notificationValue));
        if (status == SendStatus.SENT && length > 0)
        {
            source.boundsCheck(offset, length);
            final long index = remoteAddress - FAR_ADDRESS;
            if (index >= 0 && index <= far.capacity() - length)
            {
                far.putBytes((int)index, source, offset, length);
            }
        }
        return status;
    }

    @Override
    public SendStatus tryRead(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress,
        final int notificationValue, final int ticket)
    {
        final SendStatus status = take("R " + (remoteAddress - FAR_ADDRESS) + "+" + length);
        if (status == SendStatus.SENT)
        {
            reads.add(
                new Read(remoteAddress, targetAddress, length, notificationAddress, notificationValue, ticket));
        }
        return status;
    }

    @Override
    public SendStatus tryWriteWithSignal(
        final long remoteAddress, final DirectBuffer source, final int offset, final int length,
        final SignalOperation operation, final long signalAddress, final long value, final int ticket)
    {
        return take(operation + " " + (remoteAddress - FAR_ADDRESS) + "+" + length +
            notification(signalAddress, value));
    }

    @Override
    public SendStatus tryAtomic(
        final AtomicOperation operation, final long remoteAddress, final int length, final long operand,
        final long comparand, final long targetAddress, final long notificationAddress, final int notificationValue,
        final int ticket)
    {
        final SendStatus status = take(
            operation + " " + (remoteAddress - FAR_ADDRESS) + "+" + length + " " + operand + " " + comparand);
        if (status == SendStatus.SENT)
        {
            reads.add(
                new Read(remoteAddress, targetAddress, length, notificationAddress, notificationValue, ticket));
        }
        return status;
    }

    @Override
    public int drainRefusals(final RefusalSink sink)
    {
        drainCount++;
        final int count = refusals.size();
        for (int i = 0; i < count; i++)
        {
            final Refusal refusal = refusals.remove();
            sink.onRefused(refusal.ticket, refusal.remoteAddress, refusal.length, refusal.reason);
        }
        return count;
    }

    @Override
    public int writeLengthMax()
    {
        return pieceLengthMax;
    }

    @Override
    public int readLengthMax()
    {
        return pieceLengthMax;
    }

    @Override
    public void closeMemory()
    {
        isMemoryClosed = true;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        final SendStatus status = take("M " + payloadLength);
        if (status == SendStatus.SENT)
        {
            claim.claimed(this, frame, 0, MessageHeader.LENGTH, payloadLength, 0);
        }
        return status;
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        duringSend.run();
        return Hop.sendByClaim(
            this, claim, wordOne, extentWords, arguments01, arguments23, source, offset, length);
    }

    @Override
    public void publish(final HopClaim claim)
    {
        // Noted when it was claimed.
    }

    @Override
    public void abort(final HopClaim claim)
    {
        taken.remove(taken.size() - 1);
    }

    @Override
    public int payloadLengthMax()
    {
        return 1_000;
    }

    @Override
    public boolean isPeerGone()
    {
        return isGone;
    }

    @Override
    public long unknownCount()
    {
        return 0;
    }

    @Override
    public String name()
    {
        return "scripted";
    }

    @Override
    public boolean reaches(final int node)
    {
        return true;
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        if (connectFailure != null)
        {
            throw connectFailure;
        }
        return this;
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return this;
    }

    @Override
    public void attach(final int channel, final ArrivalQueues queues)
    {
        // Nothing arrives.
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        // Nobody rings.
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        return 0;
    }

    @Override
    public void close()
    {
        closeCount++;
        if (closeFailure != null)
        {
            throw closeFailure;
        }
    }

    private SendStatus take(final String what)
    {
        if (isGone)
        {
            return SendStatus.PEER_GONE;
        }
        if (room == 0)
        {
            return SendStatus.BACK_PRESSURED;
        }
        room--;
        taken.add(what);
        return SendStatus.SENT;
    }

    private static String notification(final long address, final long value)
    {
        return address == NO_NOTIFICATION ? "" : " " + (address - FAR_ADDRESS) + "=" + value;
    }
}
