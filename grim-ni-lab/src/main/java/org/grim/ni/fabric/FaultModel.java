// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Faults on one direction of a link: either drawn from a seeded stream, packet by packet, or exactly the faults of a
 * list. Each kind draws from a stream of its own.
 * <p>Thread: the fabric's.
 */
public final class FaultModel
{
    private static final int BITS_FLIPPED_MAX = 3;

    /** Probability of a kind per packet, and its parameter's range. */
    private record Odds(RandomStream stream, double chance, long parameterMin, long parameterMax)
    {
    }

    private final RandomStream random;
    private final Map<FaultKind, Odds> odds = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Long> decided = new EnumMap<>(FaultKind.class);   // Of the packet judged last.
    private final List<Fault> replayed;
    private int replayIndex;
    private List<Fault> log;
    private long packetIndex;
    private int partitionCount;

    /** A link without faults, until {@link #chance} gives it some. */
    public FaultModel(final RandomStream random)
    {
        this(random, null);
    }

    private FaultModel(final RandomStream random, final List<Fault> replayed)
    {
        this.random = random;
        this.replayed = replayed;
    }

    /**
     * A link on which exactly these faults happen, and nothing at random.
     *
     * @param faults in any order.
     */
    public static FaultModel replay(final List<Fault> faults)
    {
        final List<Fault> sorted = new ArrayList<>(faults);
        sorted.sort(Comparator.comparingLong(Fault::packetIndex));
        return new FaultModel(new RandomStream(0), sorted);
    }

    /**
     * Lets a kind of fault happen.
     *
     * @param kind         any but {@link FaultKind#PARTITION}.
     * @param chance       per packet, 0 to 1.
     * @param parameterMin least nanoseconds; no meaning for kinds without a time.
     * @param parameterMax most nanoseconds.
     */
    public FaultModel chance(
        final FaultKind kind, final double chance, final long parameterMin, final long parameterMax)
    {
        if (kind == FaultKind.PARTITION || !(chance >= 0 && chance <= 1) || parameterMin < 0 ||
            parameterMax < parameterMin)
        {
            throw new IllegalArgumentException(kind + " with chance=" + chance + " and parameter " + parameterMin +
                " to " + parameterMax);
        }
        if (chance > 0)
        {
            odds.put(kind, new Odds(random.fork(kind.name()), chance, parameterMin, parameterMax));
        }
        return this;
    }

    /**
     * Keeps note of each fault from now on.
     *
     * @param newLog that is appended to; null for none.
     */
    public FaultModel logTo(final List<Fault> newLog)
    {
        log = newLog;
        return this;
    }

    /** From now on nothing passes, until as many partitions have ended as began. */
    public void partition()
    {
        partitionCount++;
    }

    /** A partition ends; random faults go on. Says whether packets pass again: false while another one lasts. */
    public boolean heal()
    {
        partitionCount = Math.max(0, partitionCount - 1);
        return partitionCount == 0;
    }

    /** From now on nothing happens at random any more, and a partition ends: the time of the liveness check. */
    public void cease()
    {
        partitionCount = 0;
        odds.clear();
    }

    /** Faults so far. */
    public long count(final FaultKind kind)
    {
        return counts.getOrDefault(kind, 0L);
    }

    /** {@return packets judged so far; how many came to this link} */
    public long packetCount()
    {
        return packetIndex;
    }

    /** Whether the model was never given anything but faults that lose nothing. */
    boolean isLossless()
    {
        return odds.keySet().stream().allMatch(FaultKind::isLossless) &&
            (replayed == null || replayed.stream().allMatch(fault -> fault.kind().isLossless()));
    }

    /** Decides the faults of the link's next packet, which is whole; {@link #has} returns them. */
    void judge()
    {
        decided.clear();
        if (replayed != null)
        {
            repeatList();
        }
        else if (partitionCount > 0)
        {
            decide(FaultKind.PARTITION, 0);
        }
        else
        {
            draw();
        }
        packetIndex++;
    }

    /**
     * Returns whether a copy that an earlier fault made gets lost now. Copies are not judged themselves, or taking a
     * fault out of a list would shift all later ones; they share the outcome of the packet judged last, in a live run
     * as in a replay.
     */
    boolean isCopyLost()
    {
        return has(FaultKind.PARTITION);
    }

    /** Whether a kind happens to the packet just judged. */
    boolean has(final FaultKind kind)
    {
        return decided.containsKey(kind);
    }

    /** Parameter of a kind that happens to the packet just judged. */
    long parameter(final FaultKind kind)
    {
        return decided.get(kind);
    }

    /** Flips the bits that a parameter names. Two are never the same, and three leave at least one: it shows always. */
    static void corrupt(final AtomicBuffer buffer, final int length, final long parameter)
    {
        final int bitCount = length * Byte.SIZE;
        final int flipCount = 1 + (int)(parameter & Integer.MAX_VALUE) % BITS_FLIPPED_MAX;
        int bit = (int)Long.remainderUnsigned(parameter, bitCount);
        for (int i = 0; i < flipCount; i++)
        {
            final int byteIndex = bit / Byte.SIZE;
            buffer.putByte(byteIndex, (byte)(buffer.getByte(byteIndex) ^ 1 << bit % Byte.SIZE));
            bit = (bit + 1 + (int)Long.remainderUnsigned(parameter >>> (Byte.SIZE << i), bitCount - 1)) % bitCount;
        }
    }

    /** Returns the length that a parameter leaves of a packet. */
    static int truncated(final int length, final long parameter)
    {
        return (int)Long.remainderUnsigned(parameter, length);
    }

    private void repeatList()
    {
        while (replayIndex < replayed.size() && replayed.get(replayIndex).packetIndex() <= packetIndex)
        {
            final Fault fault = replayed.get(replayIndex++);
            if (fault.packetIndex() == packetIndex)
            {
                decide(fault.kind(), fault.parameter());
            }
        }
    }

    private void draw()
    {
        odds.forEach((kind, each) ->
        {
            // Both are drawn in any case: the stream moves by two for each packet.
            final boolean isDue = each.stream.nextDouble() < each.chance;
            final boolean isFree = kind == FaultKind.CORRUPT || kind == FaultKind.TRUNCATE;
            final long parameter = isFree ? each.stream.nextLong() :
                each.stream.nextLong(each.parameterMin, each.parameterMax);
            if (isDue)
            {
                decide(kind, parameter);
            }
        });
    }

    private void decide(final FaultKind kind, final long parameter)
    {
        decided.put(kind, parameter);
        counts.merge(kind, 1L, Long::sum);
        if (log != null)
        {
            log.add(new Fault(packetIndex, kind, parameter));
        }
    }
}
