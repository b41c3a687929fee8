// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe.stall;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * A queue that stands still, or flows, and why.
 * <p>Thread: any; immutable.
 */
public interface Stall
{
    /**
     * The nearest cause.
     *
     * @return what the receiver, a sender or a board does; {@link WhyCause#FLOWS} for a queue that moves.
     */
    WhyCause cause();

    /**
     * How long it has been standing still, as far as that is known.
     *
     * @return ms.
     */
    long stuckMs();

    /**
     * Who would have to do something.
     *
     * @return null if nobody that is known.
     */
    SeenNode culprit();

    /**
     * Whether somebody wants to send through it and finds no room.
     *
     * @return false if what stands in it hinders nobody.
     */
    boolean refuses();

    /**
     * Whether only one node sends through it, and only from channels that it does not poll.
     *
     * @param node     that sends.
     * @param isPolled tells of a channel of that node whether somebody polls it.
     * @return true if the node can be waiting here.
     */
    boolean isOnlyFrom(SeenNode node, IntPredicate isPolled);

    /**
     * From whom to whom, how full, how long.
     *
     * @return a sentence.
     */
    String head();

    /**
     * Says the nearest cause.
     *
     * @param chain that takes the sentences.
     */
    void addCause(List<String> chain);

    /**
     * What a report shows of the queue.
     *
     * @return its facts.
     */
    Facts facts();

    /**
     * Whether anything waits here.
     *
     * @return false if the queue flows.
     */
    default boolean isWaiting()
    {
        return cause() != WhyCause.FLOWS;
    }

    /**
     * Facts of a queue.
     *
     * @param from    names of the nodes that send through it, comma between.
     * @param to      name of the node that receives; empty if that is not known.
     * @param channel of the receiver; -1 if that is not known.
     * @param queue   its number.
     * @param kind    of queue.
     * @param unread  messages that stand in it.
     * @param slots   messages that it holds.
     */
    record Facts(String from, String to, int channel, int queue, String kind, int unread, int slots)
    {
    }
}
