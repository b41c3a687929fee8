// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.Locale;

/** How long ago something was, in words. */
final class Age
{
    /** Age of what never was. */
    static final long NEVER_MS = -1;

    private Age()
    {
    }

    /** Age of a moment in ms since the epoch, 0 or more. Clocks of one host agree, but reads are not simultaneous. */
    static long sinceMs(final long momentMs, final long nowMs)
    {
        return momentMs <= 0 ? NEVER_MS : Math.max(0, nowMs - momentMs);
    }

    /** An age in words, such as {@code 3.2 s ago}. */
    static String text(final long ageMs)
    {
        if (ageMs == NEVER_MS)
        {
            return "never";
        }
        return duration(ageMs) + " ago";
    }

    /** A time in words, such as {@code 3.2 s}. */
    static String duration(final long durationMs)
    {
        return durationMs < 1000 ? durationMs + " ms" : String.format(Locale.ROOT, "%.1f s", durationMs / 1e3);
    }
}
