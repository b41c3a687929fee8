// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

import org.grim.tools.copy.Progress;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a copy is: a bar where somebody watches, else a line now and then. Thread: the copying one. */
final class CopyProgress implements AutoCloseable
{
    private static final int BAR_LENGTH = 100;
    private static final long MEBIBYTE = 1 << 20;
    private static final long LINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter error;
    private final boolean hasConsole = Terminal.isStandardError();
    private ProgressBar bar;
    private long nextLineNs;

    CopyProgress(final PrintWriter error)
    {
        this.error = error;
    }

    Progress begin(final long length)
    {
        if (hasConsole)
        {
            // A consumer of our own: the default one asks a terminal library for the width, which calls native code.
            bar = new ProgressBarBuilder().setTaskName("copy").setInitialMax(length).setUnit(" MiB", MEBIBYTE)
                .setStyle(ProgressBarStyle.ASCII).showSpeed()
                .setConsumer(new DelegatingProgressBarConsumer(this::show, BAR_LENGTH)).build();
            return bar::stepTo;
        }
        nextLineNs = System.nanoTime() + LINE_INTERVAL_NS;
        return position -> line(position, length);
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

    private void line(final long position, final long length)
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextLineNs >= 0)
        {
            nextLineNs = nowNs + LINE_INTERVAL_NS;
            error.println("copied " + position / MEBIBYTE + " of " + length / MEBIBYTE + " MiB");
            error.flush();
        }
    }
}
