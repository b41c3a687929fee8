// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.Membership;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Flyweight over what a node's record in the directory says of the network interface that serves the node: an area of
 * its own. Native byte order; the node writes, all read.
 * <pre>
 *  +-----------------------------------------------------------+ 0
 *  | route (u32), as {@link NiRoute} says                       |
 *  | incarnation of the NI's node (u32)                         |
 *  | most messages of an arrival queue (i32), or -1 - how many a|
 *  | node that left in order had not read                       |
 *  | most bytes of a reply to a remote read (u32)               |
 *  +-----------------------------------------------------------+ 16
 * </pre>
 * <p>Thread: any; no state. It does not keep the membership.
 */
public final class NiRecord
{
    /** Label of the area. */
    public static final String LABEL = "ni";

    static final int ROUTE_OFFSET = 0;                                          // u32; first: it is cleared first
    static final int INCARNATION_OFFSET = ROUTE_OFFSET + SIZE_OF_INT;           // u32
    static final int ARRIVALS_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;        // i32; left: -1 - unread
    static final int REPLY_OFFSET = ARRIVALS_OFFSET + SIZE_OF_INT;              // u32

    private final AtomicBuffer area;

    private NiRecord(final AtomicBuffer area)
    {
        this.area = area;
    }

    /** Looks at a node's record. */
    public static NiRecord of(final Membership membership, final int node)
    {
        return new NiRecord(membership.area(node, LABEL));
    }

    /** {@return how the node is reached, as {@link NiRoute} says} */
    public int route()
    {
        return area.getIntAcquire(ROUTE_OFFSET);                    // partner: publish()
    }

    /**
     * Returns the incarnation that the NI's node had when the route was published: while that node has another one, the
     * route is stale.
     */
    public int incarnation()
    {
        return area.getIntAcquire(INCARNATION_OFFSET);              // partner: publish()
    }

    /**
     * Returns most messages of an arrival queue: so many that were acknowledged may be lost with the node. 0 once the
     * node has said what it leaves unread: a path that is made now brings nothing there.
     */
    public int arrivalCountMax()
    {
        return Math.max(0, area.getIntAcquire(ARRIVALS_OFFSET));    // partner: publish(), unread(int)
    }

    /** {@return most bytes that one read of the node's memory can bring} */
    public int replyLengthMax()
    {
        return area.getIntAcquire(REPLY_OFFSET);                    // partner: publish()
    }

    /**
     * Publishes how this node is reached. A reader that finds the same route before and after the rest has values of
     * one time.
     *
     * @param route           as {@link NiRoute} says.
     * @param incarnation     of the NI's node.
     * @param arrivalCountMax most messages that stand in one of this node's arrival queues, acknowledged and unread.
     * @param replyLengthMax  most bytes of data that one remote read can bring.
     */
    public void publish(final int route, final int incarnation, final int arrivalCountMax, final int replyLengthMax)
    {
        area.putIntRelease(ROUTE_OFFSET, NiRoute.NONE);             // partner: route()
        area.putIntRelease(INCARNATION_OFFSET, incarnation);        // partner: incarnation()
        area.putIntRelease(ARRIVALS_OFFSET, arrivalCountMax);       // partner: arrivalCountMax()
        area.putIntRelease(REPLY_OFFSET, replyLengthMax);           // partner: replyLengthMax()
        area.putIntRelease(ROUTE_OFFSET, route);                    // partner: route()
    }

    /**
     * Publishes how many messages stand unread in all arrival queues of this node, and that none comes any more: while
     * it leaves in order, before its status says so.
     */
    public void unread(final int count)
    {
        area.putIntRelease(ARRIVALS_OFFSET, -1 - count);            // partner: unread()
    }

    /** {@return what a node that left in order had not read; -1 if it did not say so} */
    public int unread()
    {
        return Math.max(-1, -1 - area.getIntAcquire(ARRIVALS_OFFSET));      // partner: unread(int)
    }
}
