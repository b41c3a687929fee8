// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe;

import java.util.List;
import java.util.function.IntPredicate;

import org.grim.bench.observe.stall.SeenNode;
import org.grim.bench.observe.stall.Stall;
import org.grim.bench.observe.stall.WhyCause;
import org.grim.queue.QueueOwner;

/**
 * A queue of an inbox that stands still, or flows, and why.
 *
 * @param receiver  whose it is.
 * @param queue     as it is now.
 * @param cause     the nearest one: what the receiver or the sender at the head does.
 * @param stuckMs   how long it has been standing still, as far as that is known.
 * @param sentences that say so.
 */
record StuckQueue(
    ClusterSample.Node receiver, ClusterSample.Queue queue, WhyCause cause, long stuckMs, WhySentences sentences)
    implements Stall
{
    @Override
    public SeenNode culprit()
    {
        return receiver.seen();
    }

    @Override
    public boolean refuses()
    {
        return queue.refusedSinceMs() != 0;
    }

    /** Of a shared one all senders must be his: the others do not wait for him. */
    @Override
    public boolean isOnlyFrom(final SeenNode node, final IntPredicate isPolled)
    {
        return queue.owners().stream().allMatch(owner -> QueueOwner.node(owner) == node.number() &&
            QueueOwner.incarnation(owner) == node.incarnation() && !QueueOwner.isDetached(owner) &&
            !isPolled.test(QueueOwner.channel(owner)));
    }

    @Override
    public String head()
    {
        return sentences.head(this);
    }

    @Override
    public void addCause(final List<String> chain)
    {
        sentences.addCause(this, chain);
    }

    @Override
    public Facts facts()
    {
        return new Facts(sentences.senders(queue), receiver.name(), queue.channel(), queue.number(), queue.kind(),
            queue.unread(), queue.slotCount());
    }
}
