// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.PacketTap;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.trace.PcapWriter;

/**
 * What happens in a run: hashed always, the last of it kept, and all of it told if somebody listens.
 * <p>Thread: the simulation's.
 */
public final class Trace
{
    /** In place of an NI or a channel: the event concerns all of them. */
    public static final int NONE = -1;

    private static final int HALF_BITS = 32;

    private final VirtualClock clock;
    private final TraceHash hash = new TraceHash();
    private final EventLog log;
    private final EnumSet<Probe> probes = EnumSet.noneOf(Probe.class);
    private final Consumer<String> story;
    private PacketRecorder recorder;

    /**
     * Nothing has happened yet.
     *
     * @param clock of the run.
     * @param story that takes each event as a line, or null.
     */
    public Trace(final VirtualClock clock, final Consumer<String> story)
    {
        this.clock = clock;
        log = new EventLog(clock);
        this.story = story;
    }

    /**
     * Writes from now on what passes between NIs, and tells packets that leave once more from others.
     *
     * @param writer  that takes the packets.
     * @param niCount NI numbers are below it.
     * @return what the fabric must tell of its packets.
     */
    public PacketTap record(final PcapWriter writer, final int niCount)
    {
        recorder = new PacketRecorder(writer, clock, niCount);
        return recorder;
    }

    /** An NI is about to send a message, perhaps once more. */
    void transmitted(final int ni, final boolean isRepeated)
    {
        if (recorder != null)
        {
            recorder.transmitted(ni, isRepeated);
        }
    }

    /**
     * Something happened, without numbers.
     *
     * @param kind    of event.
     * @param detail  that the kind has, or null.
     * @param ni      it happened to, or {@link #NONE}.
     * @param channel of that NI, or {@link #NONE}.
     */
    public void event(final EventKind kind, final Enum<?> detail, final int ni, final int channel)
    {
        event(kind, detail, ni, channel, 0, 0, 0, 0, 0);
    }

    /**
     * Something happened. The numbers mean what the kind's text says.
     *
     * @param kind    of event.
     * @param detail  that the kind has, or null.
     * @param ni      it happened to, or {@link #NONE}.
     * @param channel of that NI, or {@link #NONE}.
     * @param first   number.
     * @param second  number.
     * @param third   number.
     * @param fourth  number.
     * @param fifth   number.
     */
    public void event(
        final EventKind kind, final Enum<?> detail, final int ni, final int channel,
        final int first, final int second, final int third, final int fourth, final int fifth)
    {
        final long nowNs = clock.nowNs();
        hash.add(nowNs);
        // A name's hash is the same in every run; an identity hash is not.
        hash.add(pair(kind.name().hashCode(), detail == null ? 0 : detail.name().hashCode()));
        hash.add(pair(ni, channel));
        hash.add(pair(first, second));
        hash.add(pair(third, fourth));
        hash.add(fifth);
        log.add(kind, detail, ni, channel, first, second, third, fourth, fifth);
        if (story != null)
        {
            story.accept(log.lastLine());
        }
    }

    /**
     * A situation was reached.
     *
     * @param probe for it.
     */
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
        return hash.value();
    }

    /** {@return the last events: a line each, oldest first} */
    public List<String> lastLines()
    {
        return log.lines();
    }

    private static long pair(final int upper, final int lower)
    {
        return (long)upper << HALF_BITS | Integer.toUnsignedLong(lower);
    }
}
