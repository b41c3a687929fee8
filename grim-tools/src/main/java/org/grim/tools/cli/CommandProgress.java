// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Shows how far a command is: a bar if standard error is a terminal, else a line every 10 s.
 * <p>Thread: one.
 */
public final class CommandProgress implements AutoCloseable
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final int BAR_LENGTH = 30;
    private static final long BAR_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter error;
    private final String verb;
    private final long length;
    private final String unit;
    private final long unitLength;
    private final boolean hasBar;
    private final long beginNs = System.nanoTime();
    private long nextNs = beginNs;
    private long position;
    private String text = "";

    /**
     * Begins.
     *
     * @param error      takes bar or lines.
     * @param verb       what the command does, as a participle.
     * @param length     position at the end.
     * @param unit       for people, such as {@code MiB}.
     * @param unitLength positions in a unit.
     */
    public CommandProgress(
        final PrintWriter error, final String verb, final long length, final String unit, final long unitLength)
    {
        this(error, verb, length, unit, unitLength, isTerminal());
    }

    CommandProgress(
        final PrintWriter error,
        final String verb,
        final long length,
        final String unit,
        final long unitLength,
        final boolean hasBar)
    {
        this.error = error;
        this.verb = verb;
        this.length = length;
        this.unit = unit;
        this.unitLength = unitLength;
        this.hasBar = hasBar;
        if (!hasBar)
        {
            nextNs += LINE_INTERVAL_NS;
        }
    }

    /**
     * The command came further. May be called often.
     *
     * @param newPosition from 0 to the length.
     * @param newText     more to say; may be empty.
     */
    public void at(final long newPosition, final String newText)
    {
        position = Math.min(newPosition, length);
        text = newText;
        final long nowNs = System.nanoTime();
        if (nowNs - nextNs < 0)
        {
            return;
        }
        if (hasBar)
        {
            nextNs = nowNs + BAR_INTERVAL_NS;
            drawBar(nowNs);
        }
        else
        {
            nextNs = nowNs + LINE_INTERVAL_NS;
            error.println(verb + " " + reached());
            error.flush();
        }
    }

    @Override
    public void close()
    {
        if (hasBar)
        {
            drawBar(System.nanoTime());
            error.println();
            error.flush();
        }
    }

    private String reached()
    {
        return position / unitLength + " of " + length / unitLength + " " + unit + (text.isEmpty() ? "" : ": " + text);
    }

    /** Over what stands in the line, so always of the same length. */
    private void drawBar(final long nowNs)
    {
        final double share = length == 0 ? 1 : (double)position / length;
        final int done = (int)(share * BAR_LENGTH);
        final double perSecond =
            (double)position / unitLength * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nowNs - beginNs);
        final String line = String.format(Locale.ROOT, "%s %3.0f%% [%s%s] %.1f %s/s, %s", verb, 100 * share,
            "=".repeat(done), " ".repeat(BAR_LENGTH - done), perSecond, unit, reached());
        error.print("\r" + String.format(Locale.ROOT, "%-120.120s", line));
        error.flush();
    }

    private static boolean isTerminal()
    {
        try
        {
            final Path device = Files.readSymbolicLink(STANDARD_ERROR);
            return device.startsWith("/dev/pts") || device.startsWith("/dev/tty");
        }
        catch (final IOException | UnsupportedOperationException ignored)
        {
            return false;               // No /proc: lines do everywhere.
        }
    }
}
