// SPDX-License-Identifier: Apache-2.0
package org.grim.board.counters;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;
import org.grim.GrimException;
import org.grim.counters.CountersFile;
import org.grim.counters.CountersView;

/**
 * Counters of a network interface for tools: gauges that its service copies at housekeeping, and counters of the
 * triples that had trouble. {@link CountersView} reads the file.
 * <p>Thread: the NI's stepper. Allocates when a triple has trouble for the first time, and not otherwise.
 * <p>Bounds: {@link #TRIPLE_COUNT_MAX} triples have counters of their own; the others share some.
 * <p>Owns: the file, which goes when the node leaves.
 */
public final class NiCounters implements AutoCloseable
{
    /** Triples with counters of their own. */
    public static final int TRIPLE_COUNT_MAX = 256;
    /** Key of the counters that all other triples share. */
    public static final int OTHER_TRIPLES_KEY = -1;

    private static final int NI_BITS = 12;
    private static final int CHANNEL_BITS = 8;
    private static final int CHANNEL_MASK = (1 << CHANNEL_BITS) - 1;
    private static final int NI_MASK = (1 << NI_BITS) - 1;

    private final CountersFile file;
    private final Map<NiCounterKind, AtomicCounter[]> gauges = new EnumMap<>(NiCounterKind.class);
    private final Int2ObjectHashMap<NiTripleCounters> triples = new Int2ObjectHashMap<>();
    private final NiTripleCounters others;

    private NiCounters(final CountersFile file, final int channelCount, final List<String> dropReasons)
    {
        this.file = file;
        for (final NiCounterKind kind : NiCounterKind.values())
        {
            switch (kind.scope())
            {
                case NI -> allocate(kind, 1, key -> "");
                case DROP_REASON -> allocate(kind, dropReasons.size(), key -> " " + dropReasons.get(key));
                case CHANNEL -> allocate(kind, channelCount, key -> " ni-channel=" + key);
                case TRIPLE ->
                {
                    // They come as they have trouble.
                }
            }
        }
        others = new NiTripleCounters(file, OTHER_TRIPLES_KEY, " other-triples");
        file.publish();
    }

    /**
     * Makes counters that tools can read.
     *
     * @param path         of the file.
     * @param channelCount channels of the NI.
     * @param dropReasons  name of each reason to drop a packet, by its code.
     * @return the counters, all zero.
     * @throws GrimException if the file cannot be made; nothing is left behind.
     */
    public static NiCounters create(final Path path, final int channelCount, final List<String> dropReasons)
    {
        return new NiCounters(
            CountersFile.create(path, countOf(channelCount, dropReasons)), channelCount, dropReasons);
    }

    /**
     * Makes counters of this process alone.
     *
     * @param channelCount channels of the NI.
     * @param dropReasons  name of each reason to drop a packet, by its code.
     * @return the counters, all zero.
     */
    public static NiCounters inPrivateMemory(final int channelCount, final List<String> dropReasons)
    {
        return new NiCounters(
            CountersFile.inPrivateMemory(countOf(channelCount, dropReasons)), channelCount, dropReasons);
    }

    /**
     * Sets a gauge.
     *
     * @param kind  of any scope but triples.
     * @param key   channel or reason; 0 for the NI itself.
     * @param value that it has now.
     */
    public void set(final NiCounterKind kind, final int key, final long value)
    {
        gauges.get(kind)[key].setPlain(value);
    }

    /**
     * Counters of a triple, which begin at its first trouble. Returns its own, or those that all share who came too
     * late.
     */
    public NiTripleCounters triple(final int channel, final int ni, final int destinationChannel)
    {
        final int key = tripleKey(channel, ni, destinationChannel);
        NiTripleCounters counters = triples.get(key);
        if (counters == null)
        {
            if (triples.size() == TRIPLE_COUNT_MAX)
            {
                return others;
            }
            counters = new NiTripleCounters(file, key,
                " ni-channel=" + channel + " ni=" + ni + " to-ni-channel=" + destinationChannel);
            triples.put(key, counters);
        }
        return counters;
    }

    /**
     * Key of a triple's counters.
     *
     * @param channel            that sends.
     * @param ni                 that it sends to.
     * @param destinationChannel that it sends to.
     * @return for {@link #channelOf}, {@link #niOf} and {@link #destinationChannelOf}.
     */
    public static int tripleKey(final int channel, final int ni, final int destinationChannel)
    {
        return (channel & CHANNEL_MASK) << (NI_BITS + CHANNEL_BITS) | (ni & NI_MASK) << CHANNEL_BITS |
            (destinationChannel & CHANNEL_MASK);
    }

    /**
     * The channel that sends.
     *
     * @param tripleKey not {@link #OTHER_TRIPLES_KEY}.
     * @return its number.
     */
    public static int channelOf(final int tripleKey)
    {
        return (tripleKey >>> (NI_BITS + CHANNEL_BITS)) & CHANNEL_MASK;
    }

    /**
     * The NI that a triple leads to.
     *
     * @param tripleKey not {@link #OTHER_TRIPLES_KEY}.
     * @return its number.
     */
    public static int niOf(final int tripleKey)
    {
        return (tripleKey >>> CHANNEL_BITS) & NI_MASK;
    }

    /**
     * The channel that a triple leads to.
     *
     * @param tripleKey not {@link #OTHER_TRIPLES_KEY}.
     * @return its number.
     */
    public static int destinationChannelOf(final int tripleKey)
    {
        return tripleKey & CHANNEL_MASK;
    }

    /** {@return where the service says what it refused, once per cause} */
    public DistinctErrorLog errorLog()
    {
        return file.errorLog();
    }

    /** Removes the file. Nothing may count any more. */
    @Override
    public void close()
    {
        file.close();
    }

    private static int countOf(final int channelCount, final List<String> dropReasons)
    {
        int count = 0;
        for (final NiCounterKind kind : NiCounterKind.values())
        {
            count += switch (kind.scope())
            {
                case NI -> 1;
                case DROP_REASON -> dropReasons.size();
                case CHANNEL -> channelCount;
                case TRIPLE -> TRIPLE_COUNT_MAX + 1;        // and one for all that came too late
            };
        }
        return count;
    }

    private void allocate(final NiCounterKind kind, final int count, final IntFunction<String> suffixOf)
    {
        final AtomicCounter[] counters = new AtomicCounter[count];
        for (int key = 0; key < count; key++)
        {
            counters[key] = file.allocate(kind, key, kind.label() + suffixOf.apply(key));
        }
        gauges.put(kind, counters);
    }
}
