// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.function.Predicate;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.wire.FlowKey;

/**
 * Reads messages that stand in their senders' outboxes. An area is mapped when a message names it first, and kept until
 * its sender has retired it, or is gone and all its messages were read.
 * <p>Thread: the endpoint's owner. Owns: its views of outboxes.
 */
final class InPlaceArrivals
{
    private static final int INCARNATION_BITS = 28;
    private static final int AREA_BITS = 24;

    private final OutboxFiles files;
    private final int lengthMax;
    private final Long2ObjectHashMap<OutboxView> views = new Long2ObjectHashMap<>();
    private final InPlaceWords words = new InPlaceWords();
    private final Predicate<OutboxView> closeIfOver = this::closeIfOver;
    private OutboxView view;

    InPlaceArrivals(final OutboxFiles files, final int lengthMax)
    {
        this.files = files;
        this.lengthMax = lengthMax;
    }

    /** Finds the message that a notice names; says why if there is none to look at. */
    RejectReason find(final DirectBuffer notice, final int offset, final int length, final long flowKey)
    {
        final RejectReason reason = words.read(notice, offset, length);
        if (reason != null)
        {
            return reason;
        }
        view = viewOf(FlowKey.sourceNode(flowKey), words.incarnation(), words.area());
        return view == null || words.totalLength() > lengthMax ||
            !view.hasBlock(words.blockOffset(), words.totalLength()) ? RejectReason.NOT_IN_PLACE : null;
    }

    /** The notice, as it was read. */
    InPlaceWords words()
    {
        return words;
    }

    /** The area that the message stands in. */
    AtomicBuffer buffer()
    {
        return view.buffer();
    }

    /** First byte of the message there. */
    int payloadIndex()
    {
        return words.blockOffset() + BlockDescriptor.PAYLOAD_OFFSET;
    }

    /** The handler has returned. */
    void done()
    {
        // Partner: the acquire load in Outbox: what the handler read comes before the sender's next use of the block.
        view.buffer().putIntRelease(words.blockOffset() + BlockDescriptor.DONE_OFFSET, words.sequence());
    }

    /** Lets go of areas that nothing will be read in any more. */
    int housekeep()
    {
        final int count = views.size();
        if (count > 0)
        {
            views.values().removeIf(closeIfOver);
        }
        return count - views.size();
    }

    void close()
    {
        views.values().forEach(OutboxView::close);
        views.clear();
    }

    private boolean closeIfOver(final OutboxView each)
    {
        final boolean isOver = each.isRetired() || files.isOver(each.node(), each.incarnation());
        if (isOver)
        {
            each.close();
        }
        return isOver;
    }

    private OutboxView viewOf(final int node, final int incarnation, final int area)
    {
        if (incarnation >>> INCARNATION_BITS != 0 || area >>> AREA_BITS != 0)
        {
            return null;
        }
        final long key = ((long)node << INCARNATION_BITS | incarnation) << AREA_BITS | area;
        final OutboxView known = views.get(key);
        if (known != null)
        {
            return known;
        }
        final OutboxView opened = files.tryOpen(node, incarnation, area);
        if (opened != null)
        {
            views.put(key, opened);
        }
        return opened;
    }
}
