// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * A queue that stands still, or flows, and why.
 *
 * @param facts   what a report shows of the queue.
 * @param cause   the nearest one: what the receiver, a sender or a board does; {@link WhyCause#FLOWS} if it moves.
 * @param stuckMs how long it has been standing still, as far as that is known.
 * @param culprit who would have to do something; null if nobody that is known.
 * @param refuses whether a sender finds no room in it.
 * @param senders that send through it; empty if they are not known.
 * @param head    from whom to whom, how full, how long.
 * @param subject whom or what the cause is about.
 */
record Stall(
    Facts facts, WhyCause cause, long stuckMs, SeenNode culprit, boolean refuses, List<Sender> senders, String head,
    String subject)
{
    /** The cause in words. */
    String sentence()
    {
        return cause.sentence(subject);
    }

    /** Whether anything waits here; false if the queue flows. */
    boolean isWaiting()
    {
        return cause.isWait();
    }

    /** Whether only one node sends through it, and only from channels that it does not poll: it can be waiting here. */
    boolean isOnlyFrom(final SeenNode node, final IntPredicate isPolled)
    {
        return !senders.isEmpty() && senders.stream().allMatch(sender -> sender.node() == node.number() &&
            sender.incarnation() == node.incarnation() && !sender.isDetached() && !isPolled.test(sender.channel()));
    }

    /**
     * One that sends through the queue.
     *
     * @param node        by number.
     * @param incarnation of the node.
     * @param channel     that it sends from.
     * @param isDetached  whether it gave the queue up.
     */
    record Sender(int node, int incarnation, int channel, boolean isDetached)
    {
    }

    /**
     * Facts of a queue, as the JSON shows them.
     *
     * @param from    names of the nodes that send through it, comma between.
     * @param to      name of the node that receives; empty if that is not known.
     * @param channel of the receiver; -1 if that is not known.
     * @param queue   its number within the channel, or the NI channel; -1 if none stands still.
     * @param kind    {@code exclusive}, {@code shared}, {@code ni}, {@code arrival}; of other hosts {@code hop}, {@code
     *                driver} or {@code client}; {@code connection} of two programs; {@code kept} messages; {@code
     *                thread} that waits.
     * @param unread  messages that stand in it, read ones whose room was not given back included; bytes of a hop or
     *                connection.
     * @param slots   messages that it holds; bytes of a hop or connection.
     */
    record Facts(String from, String to, int channel, int queue, String kind, int unread, int slots)
    {
    }
}
