// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.PacketTap;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.trace.PacketEvent;
import org.grim.ni.trace.PcapWriter;

/**
 * Events of a run: all are hashed, the last ones are kept, and a listener, if there is one, receives all of them.
 * <p>Thread: the simulation's. Bounds: keeps {@value #EVENTS_KEPT} events, and makes lines of them only when asked.
 */
public final class Trace
{
    /** In place of an NI or a channel: the event concerns all of them. */
    public static final int NONE = -1;

    static final int EVENTS_KEPT = 1 << 9;

    private static final int NUMBER_COUNT = 5;
    private static final double NS_PER_MS = 1e6;
    private static final int HALF_BITS = 32;
    private static final long FACTOR = 0xFF51_AFD7_ED55_8CCDL;
    private static final long OTHER_FACTOR = 0xC4CE_B9FE_1A85_EC53L;

    private final VirtualClock clock;
    private final Deque<Entry> last = new ArrayDeque<>(EVENTS_KEPT + 1);
    private final EnumSet<Probe> probes = EnumSet.noneOf(Probe.class);
    private final Consumer<String> story;
    private final BitSet repeating = new BitSet();          // NIs whose next packet left before.
    private long hash = OTHER_FACTOR;

    /**
     * Nothing has happened yet.
     *
     * @param clock of the run.
     * @param story that takes each event as a line, or null.
     */
    public Trace(final VirtualClock clock, final Consumer<String> story)
    {
        this.clock = clock;
        this.story = story;
    }

    @SuppressWarnings("ArrayRecordComponent")           // Never compared.
    private record Entry(long timeNs, EventKind kind, Enum<?> detail, int ni, int channel, int[] numbers)
    {
        private String line()
        {
            final String place = (ni < 0 ? "all" : "NI " + ni) + (channel < 0 ? "" : " channel " + channel);
            final String words = detail == null ? "" : detail.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return String.format(
                Locale.ROOT, "%.6f ms  %s: %s", timeNs / NS_PER_MS, place, kind.text(words, numbers));
        }
    }

    /**
     * Writes from now on what passes between NIs. The fabric does not know whether a message left before; its firmware
     * says so just before it begins the packet, and nothing of that NI comes between.
     *
     * @param writer that takes the packets.
     * @return what the fabric must tell of its packets.
     */
    public PacketTap record(final PcapWriter writer)
    {
        return (event, sourceNi, destinationNi, buffer, offset, length) ->
        {
            final boolean isResent = event == PacketEvent.SENT && repeating.get(sourceNi);
            if (isResent)
            {
                repeating.clear(sourceNi);
            }
            writer.packet(clock.nowNs(), isResent ? PacketEvent.RESENT : event, sourceNi, destinationNi, buffer,
                offset, length);
        };
    }

    /** An NI is about to send a message, perhaps once more. */
    void transmitted(final int ni, final boolean isRepeated)
    {
        repeating.set(ni, isRepeated);
    }

    /**
     * Something happened.
     *
     * @param kind    of event.
     * @param detail  that the kind has, or null.
     * @param ni      it happened to, or {@link #NONE}.
     * @param channel of that NI, or {@link #NONE}.
     * @param numbers that the kind's text needs, 5 at most; 0 for those that are missing.
     */
    public void event(
        final EventKind kind, final Enum<?> detail, final int ni, final int channel, final int... numbers)
    {
        final int[] all = Arrays.copyOf(numbers, NUMBER_COUNT);
        final Entry entry = new Entry(clock.nowNs(), kind, detail, ni, channel, all);
        hash(entry.timeNs);
        // A name's hash is the same in every run; an identity hash is not.
        hash(pair(kind.name().hashCode(), detail == null ? 0 : detail.name().hashCode()));
        hash(pair(ni, channel));
        hash(pair(all[0], all[1]));
        hash(pair(all[2], all[3]));
        hash(all[4]);
        last.add(entry);
        if (last.size() > EVENTS_KEPT)
        {
            last.remove();
        }
        if (story != null)
        {
            story.accept(entry.line());
        }
    }

    /** A situation was reached. */
    public void reach(final Probe probe)
    {
        probes.add(probe);
    }

    /** {@return all situations that were reached} */
    public Set<Probe> probes()
    {
        return probes;
    }

    /** {@return all events so far as one number: the same for the same events in the same order} */
    public long hash()
    {
        return hash;
    }

    /** {@return the last events: a line each, oldest first} */
    public List<String> lastLines()
    {
        return last.stream().map(Entry::line).toList();
    }

    private void hash(final long word)
    {
        final long mixed = (hash ^ word) * FACTOR;
        hash = (mixed ^ mixed >>> HALF_BITS) * OTHER_FACTOR;
    }

    private static long pair(final int upper, final int lower)
    {
        return (long)upper << HALF_BITS | Integer.toUnsignedLong(lower);
    }
}
