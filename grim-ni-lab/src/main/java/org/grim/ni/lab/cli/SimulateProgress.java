// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.grim.ni.lab.campaign.CampaignProgress;
import org.grim.tools.cli.Terminal;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a campaign is: a bar where somebody watches, else a line now and then. Thread: the caller's. */
final class SimulateProgress implements CampaignProgress, AutoCloseable
{
    private static final int BAR_LENGTH = 120;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter error;
    private final long durationNs;
    private final ProgressBar bar;
    private long nextLineNs = LINE_INTERVAL_NS;

    SimulateProgress(final PrintWriter error, final long durationNs)
    {
        this.error = error;
        this.durationNs = durationNs;
        // A consumer of our own: the default one asks a terminal library for the width, which calls native code.
        bar = !Terminal.isStandardError() ? null : new ProgressBarBuilder().setTaskName("simulate")
            .setInitialMax(seconds(durationNs)).setUnit(" s", 1).setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new DelegatingProgressBarConsumer(this::show, BAR_LENGTH)).build();
    }

    @Override
    public void at(final long elapsedNs, final long seedCount, final long deliveredCount, final long failureCount)
    {
        final String text = String.format(Locale.ROOT, "%,d seeds, %,d messages delivered, %d failed", seedCount,
            deliveredCount, failureCount);
        if (bar != null)
        {
            bar.stepTo(Math.min(seconds(elapsedNs), seconds(durationNs)));
            bar.setExtraMessage(text);
        }
        else if (elapsedNs - nextLineNs >= 0)
        {
            nextLineNs = elapsedNs + LINE_INTERVAL_NS;
            error.println("simulated " + seconds(elapsedNs) + " of " + seconds(durationNs) + " s: " + text);
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

    private static long seconds(final long durationNs)
    {
        return durationNs / SECOND_NS;
    }

    private void show(final String text)
    {
        error.print("\r" + text);
        error.flush();
    }
}
