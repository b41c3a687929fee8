// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.grim.ni.clock.VirtualClock;

/**
 * What happens in a run: hashed always, the last of it kept, and all of it told if somebody listens.
 * <p>Thread: the simulation's.
 */
final class Trace
{
    static final int NONE = -1;

    private static final int HALF_BITS = 32;

    private final VirtualClock clock;
    private final TraceHash hash = new TraceHash();
    private final EventLog log;
    private final EnumSet<Probe> probes = EnumSet.noneOf(Probe.class);
    private final Consumer<String> story;
    private PacketRecorder recorder;

    /** Tells the story to a listener, or to nobody if that is null. */
    Trace(final VirtualClock clock, final Consumer<String> story)
    {
        this.clock = clock;
        log = new EventLog(clock);
        this.story = story;
    }

    /** Lets a recorder of packets know which of them leave once more, or nobody if that is null. */
    void recorder(final PacketRecorder newRecorder)
    {
        recorder = newRecorder;
    }

    /** An NI is about to send a message, perhaps once more. */
    void transmitted(final int ni, final boolean isRepeated)
    {
        if (recorder != null)
        {
            recorder.transmitted(ni, isRepeated);
        }
    }

    void event(final EventKind kind, final Enum<?> detail, final int ni, final int channel)
    {
        event(kind, detail, ni, channel, 0, 0, 0, 0, 0);
    }

    void event(
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

    void reach(final Probe probe)
    {
        probes.add(probe);
    }

    Set<Probe> probes()
    {
        return probes;
    }

    long hash()
    {
        return hash.value();
    }

    List<String> lastLines()
    {
        return log.lines();
    }

    private static long pair(final int upper, final int lower)
    {
        return (long)upper << HALF_BITS | Integer.toUnsignedLong(lower);
    }
}
