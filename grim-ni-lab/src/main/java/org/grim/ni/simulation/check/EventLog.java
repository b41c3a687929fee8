// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.grim.ni.board.BoardTimer;

/**
 * The last events of a run, kept as numbers and told as lines only when somebody asks.
 * <p>Thread: the simulation's. Bounds: {@value #CAPACITY} events; never allocates while it keeps.
 */
final class EventLog
{
    static final int CAPACITY = 1 << 9;

    private static final int FIELD_COUNT = 7;
    private static final double NS_PER_MS = 1e6;

    private final EventKind[] kinds = new EventKind[CAPACITY];
    private final Enum<?>[] details = new Enum<?>[CAPACITY];
    private final long[] timesNs = new long[CAPACITY];
    private final int[] fields = new int[CAPACITY * FIELD_COUNT];
    private final BoardTimer timer;
    private long count;

    EventLog(final BoardTimer timer)
    {
        this.timer = timer;
    }

    void add(
        final EventKind kind, final Enum<?> detail, final int ni, final int channel,
        final int first, final int second, final int third, final int fourth, final int fifth)
    {
        final int slot = (int)count++ & (CAPACITY - 1);
        kinds[slot] = kind;
        details[slot] = detail;
        timesNs[slot] = timer.nowNs();
        int field = slot * FIELD_COUNT;
        fields[field++] = ni;
        fields[field++] = channel;
        fields[field++] = first;
        fields[field++] = second;
        fields[field++] = third;
        fields[field++] = fourth;
        fields[field] = fifth;
    }

    String lastLine()
    {
        return line((int)(count - 1) & (CAPACITY - 1));
    }

    /** The last events, oldest first. */
    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        for (long i = Math.max(0, count - CAPACITY); i < count; i++)
        {
            lines.add(line((int)i & (CAPACITY - 1)));
        }
        return lines;
    }

    private String line(final int slot)
    {
        final int field = slot * FIELD_COUNT;
        final int ni = fields[field];
        final int channel = fields[field + 1];
        final String place = (ni < 0 ? "all" : "NI " + ni) + (channel < 0 ? "" : " channel " + channel);
        final String detail = details[slot] == null ? "" :
            details[slot].name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return String.format(Locale.ROOT, "%.6f ms  %s: %s", timesNs[slot] / NS_PER_MS, place, kinds[slot].text(detail,
            fields[field + 2], fields[field + 3], fields[field + 4], fields[field + 5], fields[field + 6]));
    }
}
