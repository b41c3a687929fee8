// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.util.List;

import org.grim.GrimException;

/** Types of the records that a worker's history consists of, besides {@link org.grim.death.History}'s own. */
public final class HistoryRecord
{
    /** first: stream, second: destination as {@link #incarnationOf} packs it or -1, third: kind of link. */
    static final int OPENED = 40;
    /** first: stream, second: sequence, third: bytes of payload, and {@link #QUEUED_FLAG}. The send has returned. */
    static final int ACCEPTED = 41;
    /** first: key of the sender, second: stream, third: sequence. Its payload was as it should be. */
    static final int DELIVERED = 42;
    /** first: who is gone, packed, second: undelivered, third: unknown. */
    static final int NODE_GONE = 43;
    /** As {@link #NODE_GONE}, of a node that may live on. */
    static final int PATH_LOST = 44;
    /** first: key of the sender, second: stream, third: sequence, of a payload that is not as it should be. */
    static final int CORRUPT = 45;
    /** first: stream or -1, second: destination, packed, third: ms that it found no room, or did not return. */
    static final int HUNG = 46;
    /** The node sends nothing any more. */
    static final int QUIET = 47;
    /** It failed; the log says how. */
    static final int FAILED = 48;
    /** The other hosts convicted the node, and it has closed itself. */
    static final int FENCED = 49;
    /** The node was not let into the cluster; first: the reason's index. The log says why. */
    static final int REFUSED = 50;
    /** first: question, second: a node that is not gone, packed, or -1 after the last, third: 1 if it is up. */
    static final int SEEN = 51;

    /** Kinds of links. */
    static final int KIND_OWN = 0;
    /** One message, blocking or a reply, for which the endpoint may find another link than its sender knows of. */
    static final int KIND_SINGLE = 1;
    /** A shared link. */
    static final int KIND_SHARED = 2;

    /** Kind of send: bits of the third value of {@link #ACCEPTED}. */
    static final int OPERATION_SHIFT = 24;
    static final int SEND = 0;
    static final int CLAIM = 1;
    static final int STREAM = 2;
    static final int IN_HANDLER = 3;
    static final int REPLY = 4;

    /** The message waits in the overflow queue, or in memory of its sender. */
    static final int QUEUED_FLAG = 1 << 31;

    private static final List<GrimException.Reason> REASONS = List.of(GrimException.Reason.values());
    private static final int INCARNATION_BITS = 20;

    private HistoryRecord()
    {
    }

    static int indexOf(final GrimException.Reason reason)
    {
        return REASONS.indexOf(reason);
    }

    static GrimException.Reason reasonAt(final int index)
    {
        return REASONS.get(index);
    }

    /** One incarnation of a node number, as one number: low bits of it, which no run comes round. */
    static int incarnationOf(final int number, final int incarnation)
    {
        return number << INCARNATION_BITS | countOf(incarnation);
    }

    static int numberOf(final int packed)
    {
        return packed >> INCARNATION_BITS;
    }

    /** An incarnation in words. */
    public static String text(final int packed)
    {
        return numberOf(packed) + "/" + countOf(packed);
    }

    static String describe(final int third)
    {
        final String[] operations = {"send", "claim", "stream", "in-handler", "reply"};
        return operations[(third & ~QUEUED_FLAG) >>> OPERATION_SHIFT] + (third < 0 ? " QUEUED" : " SENT") +
            " length=" + lengthOf(third);
    }

    static int lengthOf(final int third)
    {
        return third & (1 << OPERATION_SHIFT) - 1;
    }

    /** Which incarnation of its number it is: its low bits. */
    static int countOf(final int packed)
    {
        return packed & (1 << INCARNATION_BITS) - 1;
    }
}
