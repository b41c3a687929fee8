// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.board.NiRecord;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;

/**
 * Status of a path: the incarnations of the destination, of the node whose board serves it, and of the node whose board
 * serves this process. Each is a word of the directory.
 * <p>Thread: any; immutable.
 */
final class PathStatus
{
    private final Membership membership;            // It keeps the words mapped.
    private final int destination;
    private final long destinationAddress;
    private final long farBoardAddress;
    private final long nearBoardAddress;
    private final int destinationStatus;
    private final int farBoardStatus;
    private final int nearBoardStatus;

    /** Reads both states as the directory has them now. A word of this process's own costs a load from L1. */
    PathStatus(final Membership membership, final int destination, final int farBoard, final BoardIncarnation nearBoard)
    {
        this.membership = membership;
        this.destination = destination;
        destinationAddress = membership.statusAddress(destination);
        destinationStatus = upStatusNow(membership, destination);
        farBoardAddress = membership.statusAddress(farBoard);
        farBoardStatus = upStatusNow(membership, farBoard);
        nearBoardAddress = nearBoard.statusAddress();
        nearBoardStatus = nearBoard.upStatus();
    }

    /** One incarnation of the node whose board a process uses; the membership keeps the status word mapped. */
    record BoardIncarnation(Membership membership, int node, int incarnation, long statusAddress, int upStatus)
    {
        static BoardIncarnation of(final Membership membership, final int node, final int incarnation)
        {
            return new BoardIncarnation(membership, node, incarnation, membership.statusAddress(node),
                membership.upStatus(incarnation));
        }

        boolean isGone(final int self)
        {
            // A process's own board exists as long as the process, which is not up yet while it joins.
            return node != self && Buffers.intVolatile(statusAddress) != upStatus;
        }
    }

    boolean isGone()
    {
        return Buffers.intVolatile(destinationAddress) != destinationStatus ||
            Buffers.intVolatile(farBoardAddress) != farBoardStatus ||
            Buffers.intVolatile(nearBoardAddress) != nearBoardStatus;
    }

    /** Whether the destination itself has gone, and what stood unread in its memory with it. */
    boolean isDestinationGone()
    {
        return Buffers.intVolatile(destinationAddress) != destinationStatus;
    }

    /** Most messages that a destination that has gone left unread in one queue: what it said, if it left in order. */
    int unreadCountMax(final int arrivalCountMax)
    {
        final int status = membership.status(destination);
        final int unreadCount =
            membership.incarnationOf(status) != membership.incarnationOf(destinationStatus) ||
            membership.isPresent(destination) ? -1 : NiRecord.of(membership, destination).unread();
        // The next incarnation clears the record before it has a status.
        return unreadCount < 0 || membership.status(destination) != status ? arrivalCountMax : unreadCount;
    }

    /** Whether the board that serves this process has gone: it settles nothing any more. */
    boolean isNearBoardGone()
    {
        return Buffers.intVolatile(nearBoardAddress) != nearBoardStatus;
    }

    private static int upStatusNow(final Membership membership, final int node)
    {
        return membership.upStatus(membership.incarnationOf(membership.status(node)));
    }
}
