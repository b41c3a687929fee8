// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Faults, by kind, with a text of the first cases. Any thread. */
public final class Faults
{
    private static final int TOLD_COUNT_MAX = 5;            // Of each kind.

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, Integer> cases = new EnumMap<>(Kind.class);
    private final List<String> texts = new CopyOnWriteArrayList<>();

    /** Kinds of fault; all must be 0. */
    public enum Kind
    {
        /** Accepted, and never delivered, though the receiver lived. */
        LOST,
        /** Delivered twice. */
        REPEATED,
        /** Delivered before an earlier one. */
        REORDERED,
        /** Delivered, and never sent, or to the wrong incarnation. */
        PHANTOM,
        /** Delivered with other bytes than were sent. */
        CORRUPT,
        /** Neither delivered nor accounted for, or an event that did not come in time. */
        UNRESOLVED,
        /** A sender whose peer is alive found no room, or a call did not return, for far too long. */
        HUNG,
        /** A process ended by itself, or with another status than it should. */
        CRASHED,
        /** Two members of a group saw different orders, or different members of one epoch. */
        DIVERGED,
        /** A call or a handler threw what its page does not name. */
        THREW
    }

    public synchronized void add(final Kind kind, final int count, final String what)
    {
        counts.merge(kind, count, Integer::sum);
        if (cases.merge(kind, 1, Integer::sum) <= TOLD_COUNT_MAX)
        {
            texts.add(kind + " " + what);
        }
    }

    public synchronized int total()
    {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public synchronized String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (final Kind kind : Kind.values())
        {
            text.append(kind.name().toLowerCase(Locale.ROOT)).append('=').append(counts.getOrDefault(kind, 0))
                .append(' ');
        }
        texts.forEach(what -> text.append("\n  ").append(what));
        return text.toString();
    }
}
