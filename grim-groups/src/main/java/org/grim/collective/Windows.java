// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayQueue;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

/**
 * Bytes of one group's multicasts that members have got to pass on, to other members or to an endpoint of their own
 * node, and have not passed on yet: those that this node has sent, by member; and what this node has passed on and not
 * reported yet, by sender.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: {@value #LENGTH} bytes for each member, prefixes included; a longer message goes alone.
 */
final class Windows
{
    /** Most bytes of a sender that one member has not passed on yet. */
    static final int LENGTH = 1 << 18;

    private static final int REPORT_LENGTH_MIN = LENGTH / 4;
    private static final DirectBuffer NOTHING = Buffers.wrap(new byte[0]);

    private final GroupTraffic traffic;
    private final Int2IntHashMap openLengths = new Int2IntHashMap(0);           // By members that pass on.
    private final Int2IntCounterMap passedLengths = new Int2IntCounterMap(0);   // By senders that do not know it yet.
    private final IntArrayQueue toReport = new IntArrayQueue();                 // Senders that are due to know it.
    private Passing spare = new Passing(this);
    private Roster latest;

    Windows(final GroupTraffic traffic, final Roster first)
    {
        this.traffic = traffic;
        latest = first;
    }

    /** Whether a member has passed on so much that it takes a message more. One that has left says nothing. */
    boolean hasRoom(final int node, final int length)
    {
        final int openLength = openLengths.get(node);
        return openLength == 0 || openLength + length <= LENGTH || latest.rankOf(node) < 0 ||
            !traffic.directory().isUp(node);
    }

    /** A member has got a message to pass on. */
    void sent(final int node, final int length)
    {
        openLengths.put(node, openLengths.get(node) + length);
    }

    /** A member has passed on what it got from here. */
    void onReport(final int node, final int length)
    {
        final int openLength = openLengths.get(node) - Math.max(0, length);
        if (openLength > 0)
        {
            openLengths.put(node, openLength);
        }
        else
        {
            openLengths.remove(node);
        }
    }

    /**
     * A message of a sender goes on from here.
     *
     * @param pathCount how many paths: each says that it is done.
     * @return the message, for the paths that are not done at once.
     */
    Passing passing(final int sender, final int length, final int pathCount)
    {
        if (spare.pathCount > 0)
        {
            spare = new Passing(this);          // The other one waits somewhere.
        }
        spare.sender = sender;
        spare.length = length;
        spare.pathCount = pathCount;
        return spare;
    }

    private void passed(final int sender, final int length)
    {
        final int before = passedLengths.getAndAdd(sender, length);
        if (before < REPORT_LENGTH_MIN && before + length >= REPORT_LENGTH_MIN)
        {
            report(sender);
        }
    }

    /** Sends the reports that found no room. */
    void step()
    {
        for (int i = toReport.size(); i > 0; i--)
        {
            report(toReport.pollInt());
        }
    }

    /**
     * The membership has changed: members that pass on for others begin again with a whole window, as they may be
     * others. A receiver may stand still for many epochs, and has one window for all of them.
     */
    void follow(final Roster next)
    {
        final Roster before = latest;
        latest = next;
        openLengths.keySet().removeIf(node -> !isSameReceiver(before, next, node));
    }

    private static boolean isSameReceiver(final Roster before, final Roster next, final int node)
    {
        final int rank = before.rankOf(node);
        return rank >= 0 && before.hasReceiver(rank) &&
            next.names(node, before.incarnation(rank), before.session(rank));
    }

    /** Reports to a sender what was passed on, or notes that this is due. */
    private void report(final int sender)
    {
        if (traffic.send(sender, GroupTraffic.MULTICAST, MessageHeader.pair(latest.id(), latest.epoch()),
            MessageHeader.pair(Multicasts.PASSED, passedLengths.get(sender)), NOTHING, 0, 0) ==
            SendStatus.BACK_PRESSURED)
        {
            toReport.addInt(sender);
        }
        else
        {
            passedLengths.remove(sender);
        }
    }

    /** A message of another node that goes on from here by one path or two, and counts as passed on by the last. */
    static final class Passing
    {
        private final Windows windows;
        private int sender;
        private int length;
        private int pathCount;              // Not done yet.

        private Passing(final Windows windows)
        {
            this.windows = windows;
        }

        /** One path has taken it. */
        void done()
        {
            pathCount--;
            assert pathCount >= 0 : pathCount;
            if (pathCount == 0)
            {
                windows.passed(sender, length);
            }
        }
    }
}
