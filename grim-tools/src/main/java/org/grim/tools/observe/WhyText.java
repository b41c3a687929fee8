// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import org.grim.tools.observe.stall.WhyCause;

/** A {@link WhyReport} for people: a block per queue that waits, then a summary. */
public final class WhyText
{
    private static final String LINE_END = System.lineSeparator();

    private WhyText()
    {
    }

    /**
     * The whole report.
     *
     * @param report to show.
     * @return lines.
     */
    public static String of(final WhyReport report)
    {
        final StringBuilder text = new StringBuilder();
        for (final WhyReport.Entry entry : report.entries())
        {
            if (entry.cause() != WhyCause.FLOWS)
            {
                String indent = "";
                for (final String sentence : entry.chain())
                {
                    text.append(indent).append(sentence).append(LINE_END);
                    indent = "  ";
                }
                text.append(indent).append("cause: ").append(entry.cause().label()).append(LINE_END).append(LINE_END);
            }
        }
        report.missing().forEach(what -> text.append(what).append(LINE_END));
        final long waiting = report.waitingCount();
        return text.append(waiting == 0 ? "nothing waits" : "waiting: " + waiting)
            .append("; queues that flow: ").append(report.entries().size() - waiting)
            .append(", empty: ").append(report.idleCount()).append(LINE_END).toString();
    }
}
