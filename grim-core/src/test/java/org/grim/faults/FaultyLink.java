// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a network in which datagrams are lost, repeated, overtaken, changed and delayed.
 * <p>Thread: one. Time is an argument, 0 or more.
 * <p>Bounds: holds {@value #QUEUE_LENGTH_MAX} bytes; drops what comes on top.
 */
final class FaultyLink
{
    static final int QUEUE_LENGTH_MAX = 4 << 20;
    /** Longest time that a datagram waits to be overtaken. */
    static final long HOLD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long seed;
    private final EffectCounts counts;
    private final Queue<Datagram> leaving = new PriorityQueue<>(
        Comparator.comparingLong(Datagram::dueNs).thenComparingLong(Datagram::order));
    private final List<Held> held = new ArrayList<>();
    private long number;
    private long order;
    private long lastDepartureNs;
    private int queuedLength;

    private record Datagram(ByteBuffer bytes, long dueNs, long order)
    {
    }

    private record Held(ByteBuffer bytes, boolean isDuplicated, long overtakerNumber, long deadlineNs)
    {
    }

    FaultyLink(final long seed, final EffectCounts counts)
    {
        this.seed = seed;
        this.counts = counts;
    }

    /** Takes a datagram, which belongs to the link from now on. It counts as received once its other effects do. */
    void offer(final byte[] bytes, final LinkFaults faults, final long nowNs)
    {
        take(number++, bytes, faults, nowNs);
        counts.add(Effect.RECEIVED);
    }

    /** {@return the next datagram that leaves; null if none does yet} */
    ByteBuffer poll(final LinkFaults faults, final long nowNs)
    {
        held.removeIf(each ->
        {
            final boolean isLate = each.deadlineNs <= nowNs;
            if (isLate)
            {
                enqueue(each.bytes, each.isDuplicated, faults, nowNs);
            }
            return isLate;
        });
        final Datagram first = leaving.peek();
        if (first == null || first.dueNs > nowNs)
        {
            return null;
        }
        leaving.remove();
        queuedLength -= first.bytes.remaining();
        counts.add(Effect.SENT);
        return first.bytes;
    }

    /** {@return when the next datagram may leave; {@link Long#MAX_VALUE} if there is none} */
    long nextNs()
    {
        long nextNs = leaving.isEmpty() ? Long.MAX_VALUE : leaving.peek().dueNs;
        for (final Held each : held)
        {
            nextNs = Math.min(nextNs, each.deadlineNs);
        }
        return nextNs;
    }

    private void take(final long own, final byte[] bytes, final LinkFaults faults, final long nowNs)
    {
        final Outcome outcome = Outcome.of(faults, seed, own, bytes.length);
        if (outcome.isLost())
        {
            counts.add(Effect.LOST);
            return;
        }
        if (queuedLength + bytes.length > QUEUE_LENGTH_MAX)
        {
            counts.add(Effect.DROPPED);
            return;
        }
        queuedLength += bytes.length;
        if (outcome.flippedBit() >= 0)
        {
            bytes[outcome.flippedBit() / Byte.SIZE] ^= (byte)(1 << outcome.flippedBit() % Byte.SIZE);
            counts.add(Effect.CORRUPTED);
        }
        if (outcome.overtakerCount() > 0)
        {
            held.add(new Held(
                ByteBuffer.wrap(bytes), outcome.isDuplicated(), own + outcome.overtakerCount(), nowNs + HOLD_NS));
            return;
        }
        enqueue(ByteBuffer.wrap(bytes), outcome.isDuplicated(), faults, nowNs);
        held.removeIf(each ->
        {
            final boolean isOvertaken = each.overtakerNumber <= own;
            if (isOvertaken)
            {
                counts.add(Effect.REORDERED);
                enqueue(each.bytes, each.isDuplicated, faults, nowNs);
            }
            return isOvertaken;
        });
    }

    private void enqueue(final ByteBuffer bytes, final boolean isDuplicated, final LinkFaults faults, final long nowNs)
    {
        if (isDuplicated)
        {
            counts.add(Effect.DUPLICATED);
            queuedLength += bytes.remaining();
            leave(bytes.duplicate(), faults, nowNs);
        }
        leave(bytes, faults, nowNs);
    }

    private void leave(final ByteBuffer bytes, final LinkFaults faults, final long nowNs)
    {
        final long timeNs = faults.bytesPerSecond() == 0 ? 0 :
            TimeUnit.SECONDS.toNanos(bytes.remaining()) / faults.bytesPerSecond();
        lastDepartureNs = Math.max(lastDepartureNs, nowNs) + timeNs;
        leaving.add(new Datagram(bytes, lastDepartureNs + faults.delayNs(), order++));
    }
}
