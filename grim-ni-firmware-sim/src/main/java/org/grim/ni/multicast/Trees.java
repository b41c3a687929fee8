// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.multicast;

import java.util.EnumMap;

import org.agrona.DirectBuffer;
import org.agrona.collections.MutableLong;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.wire.MulticastFormat;

import static org.grim.wire.MulticastFormat.NO_FORWARDER;

/**
 * The trees of which an NI is a part, and where what waits in its multicast channel goes. A message keeps the children
 * that it was recycled for; one of them that is gone is left out, and what it did not get is counted.
 * <p>Thread: the board's stepper. Allocates nothing.
 */
public final class Trees
{
    /** No channel: this NI takes part in no multicast. */
    public static final int NO_CHANNEL = -1;

    private final int channel;
    private final int niCount;
    private final TreeRule rule;
    private final NiListener listener;
    private final Tree[] trees = new Tree[MulticastFormat.TREE_MAX + 1];
    private final EnumMap<MulticastCount, MutableLong> counts = new EnumMap<>(MulticastCount.class);

    /**
     * No tree is known.
     *
     * @param channel  of the NI, for multicasts; or {@value #NO_CHANNEL}.
     * @param niCount  NIs that there are.
     * @param rule     of all trees.
     * @param listener of the events.
     */
    public Trees(final int channel, final int niCount, final TreeRule rule, final NiListener listener)
    {
        this.channel = channel;
        this.niCount = niCount;
        this.rule = rule;
        this.listener = listener;
        for (final MulticastCount what : MulticastCount.values())
        {
            counts.put(what, new MutableLong());
        }
    }

    /** {@return the NI's multicast channel; {@value #NO_CHANNEL} for none} */
    public int channel()
    {
        return channel;
    }

    /** {@return the rule of all trees; always the same} */
    public TreeRule rule()
    {
        return rule;
    }

    /**
     * A child that a message in the multicast channel goes to.
     *
     * @param sram  that holds the message.
     * @param index of its header.
     * @param child 0 or 1.
     * @return NI number; {@link MulticastFormat#NO_FORWARDER} for none, or for one that was cut out meanwhile.
     */
    public int child(final DirectBuffer sram, final int index, final int child)
    {
        final int ni = MulticastFormat.forwarding(sram, index, child);
        if (ni >= niCount)
        {
            return NO_FORWARDER;
        }
        final Tree tree = trees[MulticastFormat.tree(sram, index)];
        if (tree != null && tree.epoch == MulticastFormat.epoch(sram, index) && tree.child(0) != ni &&
            tree.child(1) != ni)
        {
            count(MulticastCount.FORWARDED);
            count(MulticastCount.LOST);
            return NO_FORWARDER;
        }
        count(MulticastCount.FORWARDED);
        return ni;
    }

    /** A step to a child is over. */
    public void settled(final DirectBuffer sram, final int index, final int ni, final Outcome outcome)
    {
        if (outcome == Outcome.ACKNOWLEDGED)
        {
            count(MulticastCount.ACKNOWLEDGED);
            return;
        }
        count(MulticastCount.LOST);
        final int number = MulticastFormat.tree(sram, index);
        final Tree tree = trees[number];
        if (tree != null && tree.epoch == MulticastFormat.epoch(sram, index) && tree.cut(ni))
        {
            count(MulticastCount.CUT);
            listener.onChildCut(number, tree.epoch, ni);
        }
    }

    /** Returns a count since the start. */
    public long counted(final MulticastCount what)
    {
        return counts.get(what).get();
    }

    void count(final MulticastCount what)
    {
        counts.get(what).increment();
    }

    Tree tree(final int number)
    {
        return trees[number];
    }

    /** An update was taken. */
    void put(final int number, final Tree tree)
    {
        if (!rule.isForwardedByUpdate() && trees[number] != null)
        {
            tree.forwardAs(trees[number]);
        }
        trees[number] = tree;
    }
}
