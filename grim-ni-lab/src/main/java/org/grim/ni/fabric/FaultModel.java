// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * What goes wrong on one direction of a link: either drawn from a seeded stream, packet by packet, or exactly the
 * faults of a list. Each kind draws from a stream of its own.
 * <p>Thread: the fabric's.
 * <p>Bounds: allocates only for the log, if there is one.
 */
public final class FaultModel
{
    private static final FaultKind[] KINDS = FaultKind.values();
    private static final long ALL_TYPES = -1L;
    private static final int TYPE_OFFSET = Integer.BYTES;
    private static final int TYPE_SHIFT = 26;
    private static final int BITS_FLIPPED_MAX = 3;

    private final RandomStream[] streams = new RandomStream[KINDS.length];
    private final double[] chances = new double[KINDS.length];
    private final long[] parameterMins = new long[KINDS.length];
    private final long[] parameterMaxs = new long[KINDS.length];
    private final long[] typeMasks = new long[KINDS.length];
    private final long[] counts = new long[KINDS.length];
    private final long[] parameters = new long[KINDS.length];
    private final List<Fault> replayed;
    private int replayIndex;
    private List<Fault> log;
    private long packetIndex;
    private int decided;                    // a bit for each kind that befalls the packet just judged
    private boolean isPartitioned;

    /**
     * A link without faults, until {@link #chance} gives it some.
     *
     * @param random of this link direction alone.
     */
    public FaultModel(final RandomStream random)
    {
        this(random, null);
    }

    private FaultModel(final RandomStream random, final List<Fault> replayed)
    {
        this.replayed = replayed;
        Arrays.fill(typeMasks, ALL_TYPES);
        for (int i = 0; i < KINDS.length; i++)
        {
            streams[i] = random.fork(KINDS[i].name());
        }
    }

    /**
     * A link on which exactly these faults happen, and nothing at random.
     *
     * @param faults in any order.
     * @return the model.
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
     * @return this.
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
        chances[index(kind)] = chance;
        parameterMins[index(kind)] = parameterMin;
        parameterMaxs[index(kind)] = parameterMax;
        return this;
    }

    /**
     * Limits a kind of fault to some messages.
     *
     * @param kind      to limit.
     * @param typeCodes of {@link org.grim.wire.MessageType}: it befalls these, no others and nothing that cannot be
     * read.
     * @return this.
     */
    public FaultModel limit(final FaultKind kind, final int... typeCodes)
    {
        long mask = 0;
        for (final int typeCode : typeCodes)
        {
            mask |= 1L << typeCode;
        }
        typeMasks[index(kind)] = mask;
        return this;
    }

    /**
     * Keeps note of each fault from now on.
     *
     * @param newLog that is appended to; null for none.
     * @return this.
     */
    public FaultModel logTo(final List<Fault> newLog)
    {
        log = newLog;
        return this;
    }

    /** From now on nothing passes. */
    public void partition()
    {
        isPartitioned = true;
    }

    /** The partition ends. Random faults go on. */
    public void heal()
    {
        isPartitioned = false;
    }

    /** From now on nothing happens at random any more, and a partition ends: the time of the liveness check. */
    public void cease()
    {
        isPartitioned = false;
        Arrays.fill(chances, 0);
    }

    /**
     * Faults so far.
     *
     * @param kind asked for.
     * @return how many.
     */
    public long count(final FaultKind kind)
    {
        return counts[index(kind)];
    }

    /** {@return packets judged so far; how many came to this link} */
    public long packetCount()
    {
        return packetIndex;
    }

    /** Whether the model was never given anything but faults that lose nothing. */
    boolean isLossless()
    {
        for (final FaultKind kind : KINDS)
        {
            if (chances[index(kind)] > 0 && !kind.isLossless())
            {
                return false;
            }
        }
        return replayed == null || replayed.stream().allMatch(fault -> fault.kind().isLossless());
    }

    /** Decides what befalls the link's next packet, which is whole; {@link #has} tells. */
    void judge(final AtomicBuffer buffer, final int length)
    {
        decided = 0;
        if (replayed != null)
        {
            repeatList();
        }
        else if (isPartitioned)
        {
            decide(FaultKind.PARTITION, 0);
        }
        else
        {
            draw(1L << typeCode(buffer, length));
        }
        packetIndex++;
    }

    /**
     * Whether a copy that an earlier fault made gets lost now. Copies are not judged themselves, or taking a fault out
     * of a list would shift all later ones; they go the way of the packet judged last, live as in a replay.
     */
    boolean isCopyLost()
    {
        return has(FaultKind.PARTITION);
    }

    /** Whether a kind befalls the packet just judged. */
    boolean has(final FaultKind kind)
    {
        return (decided & 1 << index(kind)) != 0;
    }

    /** Parameter of a kind that befalls the packet just judged. */
    long parameter(final FaultKind kind)
    {
        return parameters[index(kind)];
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

    /** What a parameter leaves of a packet. */
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

    private void draw(final long typeBit)
    {
        for (final FaultKind kind : KINDS)
        {
            final int i = index(kind);
            if (chances[i] > 0)
            {
                // Both are drawn whatever comes of it: the stream moves by two for each packet.
                final boolean isDue = streams[i].nextDouble() < chances[i];
                final boolean isFree = kind == FaultKind.CORRUPT || kind == FaultKind.TRUNCATE;
                final long parameter = isFree ? streams[i].nextLong() :
                    streams[i].nextLong(parameterMins[i], parameterMaxs[i]);
                if (isDue && (typeMasks[i] & typeBit) != 0)
                {
                    decide(kind, parameter);
                }
            }
        }
    }

    private void decide(final FaultKind kind, final long parameter)
    {
        decided |= 1 << index(kind);
        parameters[index(kind)] = parameter;
        counts[index(kind)]++;
        if (log != null)
        {
            log.add(new Fault(packetIndex, kind, parameter));
        }
    }

    /** Type of the message inside, with or without an envelope around it; 0, which no type has, if there is none. */
    private static int typeCode(final AtomicBuffer buffer, final int length)
    {
        final boolean isEnveloped = length >= Envelope.LENGTH && buffer.getInt(0, BIG_ENDIAN) == Envelope.MAGIC;
        final int offset = isEnveloped ? Envelope.LENGTH : 0;
        if (length < offset + TYPE_OFFSET + Integer.BYTES ||
            buffer.getInt(offset, BIG_ENDIAN) >>> Short.SIZE != MessageHeader.GRIM_ID)
        {
            return 0;
        }
        return buffer.getInt(offset + TYPE_OFFSET, BIG_ENDIAN) >>> TYPE_SHIFT;
    }

    @SuppressWarnings("EnumOrdinal")        // The arrays live and die with this object.
    private static int index(final FaultKind kind)
    {
        return kind.ordinal();
    }
}
