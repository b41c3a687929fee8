// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe;

import java.util.Locale;

/** How long ago something was, in words. */
final class Age
{
    static final long NEVER_MS = -1;

    private Age()
    {
    }

    /** Age of a moment; {@link #NEVER_MS} if it never was. Clocks of one host agree, but reads are not simultaneous. */
    static long sinceMs(final long momentMs, final long nowMs)
    {
        return momentMs <= 0 ? NEVER_MS : Math.max(0, nowMs - momentMs);
    }

    static String text(final long ageMs)
    {
        if (ageMs == NEVER_MS)
        {
            return "never";
        }
        return duration(ageMs) + " ago";
    }

    static String duration(final long durationMs)
    {
        return durationMs < 1000 ? durationMs + " ms" : String.format(Locale.ROOT, "%.1f s", durationMs / 1e3);
    }
}
