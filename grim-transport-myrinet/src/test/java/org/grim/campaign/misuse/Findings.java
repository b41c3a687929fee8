// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.io.PrintStream;
import java.lang.reflect.Executable;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.grim.GrimException;

/** Judges exceptions: undocumented ones are findings, each reported once. Any thread. */
final class Findings
{
    /** First word of a line that reports one. */
    static final String MARK = "FINDING ";

    private static final Set<Class<?>> DOCUMENTED =
        Set.of(IllegalArgumentException.class, IllegalStateException.class, GrimException.class);

    private final PrintStream output;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> callCounts = new ConcurrentHashMap<>();

    Findings(final PrintStream output)
    {
        this.output = output;
    }

    /** A call ended. */
    void onCall(final Executable executable, final Throwable thrown, final boolean hasNull)
    {
        callCounts.merge(PublicApi.nameOf(executable), 1, Integer::sum);
        if (thrown != null && !isAllowed(thrown, hasNull) && !isOutsideOfBuffer(executable, thrown))
        {
            add(PublicApi.nameOf(executable) + " threw " + thrown.getClass().getName(), thrown);
        }
    }

    /** Reports that a use of an object from GRIM ended with an exception. */
    void onUse(final Object object, final Throwable thrown)
    {
        if (!isAllowed(thrown, false))
        {
            add("use of " + object.getClass().getName() + " threw " + thrown.getClass().getName(), thrown);
        }
    }

    /** The error handler was called: none of the handlers throws, and the polling thread may be one that must not. */
    void onError(final Throwable error)
    {
        if (!isAllowed(error, false) || error instanceof IllegalArgumentException)
        {
            add("the error handler got " + error.getClass().getName(), error);
        }
    }

    void add(final String what, final Throwable thrown)
    {
        final StackTraceElement[] frames = thrown == null ? new StackTraceElement[0] : thrown.getStackTrace();
        final String place = frames.length == 0 ? "" : " at " + frames[0];
        if (reported.add(what + place))
        {
            final StringBuilder text = new StringBuilder(MARK + what + place);
            if (thrown != null)
            {
                text.append("\n  ").append(thrown);
                for (int i = 1; i < Math.min(12, frames.length); i++)
                {
                    text.append("\n    ").append(frames[i]);
                }
                text.append(thrown.getCause() == null ? "" : "\n  cause: " + thrown.getCause());
            }
            output.println(text);
        }
    }

    int count()
    {
        return reported.size();
    }

    int callCount()
    {
        return callCounts.values().stream().mapToInt(Integer::intValue).sum();
    }

    Set<String> called()
    {
        return new TreeSet<>(new TreeMap<>(callCounts).keySet());
    }

    /** Agrona's buffers say it so when a range is not inside of one. */
    private static boolean isOutsideOfBuffer(final Executable executable, final Throwable thrown)
    {
        return thrown.getClass() == IndexOutOfBoundsException.class &&
            Stream.of(executable.getParameterTypes()).anyMatch(DirectBuffer.class::isAssignableFrom);
    }

    private static boolean isAllowed(final Throwable thrown, final boolean hasNull)
    {
        if (thrown instanceof NullPointerException)
        {
            return hasNull;
        }
        if (thrown.getCause() instanceof ClosedByInterruptException)
        {
            return false;                   // An interrupt must not close files.
        }
        return DOCUMENTED.stream().anyMatch(type -> type == thrown.getClass());
    }
}
