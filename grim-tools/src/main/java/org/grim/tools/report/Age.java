// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.report;

import java.util.Locale;

/** Age of an event, in words. */
public final class Age
{
    /** Age of what never was. */
    public static final long NEVER_MS = -1;

    private Age()
    {
    }

    /**
     * Age of a moment, 0 or more. Clocks of one host agree, but reads are not simultaneous.
     *
     * @param momentMs since the epoch; 0 for never.
     * @param nowMs    since the epoch.
     * @return ms; {@link #NEVER_MS} if it never was.
     */
    public static long sinceMs(final long momentMs, final long nowMs)
    {
        return momentMs <= 0 ? NEVER_MS : Math.max(0, nowMs - momentMs);
    }

    /**
     * An age in words.
     *
     * @param ageMs ms, or {@link #NEVER_MS}.
     * @return such as {@code 3.2 s ago}.
     */
    public static String text(final long ageMs)
    {
        if (ageMs == NEVER_MS)
        {
            return "never";
        }
        return duration(ageMs) + " ago";
    }

    /**
     * A time in words.
     *
     * @param durationMs ms.
     * @return such as {@code 3.2 s}.
     */
    public static String duration(final long durationMs)
    {
        return durationMs < 1000 ? durationMs + " ms" : String.format(Locale.ROOT, "%.1f s", durationMs / 1e3);
    }
}
