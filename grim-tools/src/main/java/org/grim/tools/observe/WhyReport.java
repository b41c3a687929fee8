// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * Result of the command {@code why}; its entries are the JSON.
 *
 * @param entries   queues that wait, the one that has waited longest first; then those that flow.
 * @param idleCount queues with a sender in which nothing stands.
 * @param missing   what could not be read, in words.
 */
record WhyReport(List<Entry> entries, int idleCount, List<String> missing)
{
    /**
     * One queue.
     *
     * @param facts   of the queue.
     * @param stuckMs how long it has been standing still, as far as that is known.
     * @param cause   why.
     * @param chain   who waits for what, in sentences.
     */
    record Entry(@JsonUnwrapped Stall.Facts facts, long stuckMs, WhyCause cause, List<String> chain)
    {
    }

    boolean isWaiting()
    {
        return entries.stream().anyMatch(entry -> entry.cause().isWait());
    }

    /** For people: a block per queue that waits, then a summary. */
    String text()
    {
        final StringBuilder text = new StringBuilder();
        int waiting = 0;
        int flowing = 0;
        for (final Entry entry : entries)
        {
            if (entry.cause() != WhyCause.FLOWS)
            {
                waiting += entry.cause().isWait() ? 1 : 0;
                text.append(String.join("\n  ", entry.chain())).append("\n  cause: ").append(entry.cause().label())
                    .append("\n\n");
            }
            else
            {
                flowing++;
            }
        }
        missing.forEach(what -> text.append(what).append('\n'));
        return text.append(waiting == 0 ? "nothing waits" : "waiting: " + waiting).append("; queues that flow: ")
            .append(flowing).append(", empty: ").append(idleCount).append('\n').toString();
    }
}
