// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far a command is: a bar if standard error is a terminal, else a line every 10 s.
 * <p>Thread: one.
 */
public final class CommandProgress implements AutoCloseable
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final int BAR_LENGTH = 120;
    private static final long LINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter error;
    private final String verb;
    private final long length;
    private final String unit;
    private final long unitLength;
    private final ProgressBar bar;
    private long nextLineNs = System.nanoTime() + LINE_INTERVAL_NS;

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
        this.error = error;
        this.verb = verb;
        this.length = length;
        this.unit = unit;
        this.unitLength = unitLength;
        // A consumer of our own: the default one asks a terminal library for the width, which calls native code.
        bar = !isTerminal() ? null : new ProgressBarBuilder().setTaskName(verb).setInitialMax(length)
            .setUnit(" " + unit, unitLength).setStyle(ProgressBarStyle.ASCII).showSpeed()
            .setConsumer(new DelegatingProgressBarConsumer(this::show, BAR_LENGTH)).build();
    }

    /**
     * The command came further. May be called often.
     *
     * @param position from 0 to the length.
     * @param text     more to say; may be empty.
     */
    public void at(final long position, final String text)
    {
        if (bar != null)
        {
            bar.stepTo(Math.min(position, length));
            bar.setExtraMessage(text);
            return;
        }
        final long nowNs = System.nanoTime();
        if (nowNs - nextLineNs >= 0)
        {
            nextLineNs = nowNs + LINE_INTERVAL_NS;
            error.println(verb + " " + position / unitLength + " of " + length / unitLength + " " + unit +
                (text.isEmpty() ? "" : ": " + text));
            error.flush();
        }
    }

    @Override
    public void close()
    {
        if (bar != null)
        {
            bar.close();
            error.println();
            error.flush();
        }
    }

    private void show(final String text)
    {
        error.print("\r" + text);
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
