// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe.ni;

import java.util.List;
import java.util.function.IntPredicate;

import org.grim.bench.observe.stall.SeenNode;
import org.grim.bench.observe.stall.Stall;
import org.grim.bench.observe.stall.WhyCause;

/**
 * A queue of an NI channel that stands still, or flows, and why.
 *
 * @param facts     what a report shows.
 * @param cause     the nearest one.
 * @param stuckMs   how long it has been standing still, as far as that is known.
 * @param culprit   who would have to do something; null if nobody that is known.
 * @param refuses   whether a sender finds no room.
 * @param owner     who sends through it; null for several, or nobody known.
 * @param channel   of the owner that it sends from.
 * @param head      from whom to whom, how full, how long.
 * @param sentences that say the cause.
 */
record NiStall(
    Stall.Facts facts, WhyCause cause, long stuckMs, SeenNode culprit, boolean refuses, SeenNode owner, int channel,
    String head, List<String> sentences) implements Stall
{
    @Override
    public boolean isOnlyFrom(final SeenNode node, final IntPredicate isPolled)
    {
        return owner != null && owner.number() == node.number() && owner.incarnation() == node.incarnation() &&
            !isPolled.test(channel);
    }

    @Override
    public void addCause(final List<String> chain)
    {
        chain.addAll(sentences);
    }
}
