// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import org.grim.NodeInfo;
import org.grim.board.counters.NiCounterKind;
import org.grim.board.counters.NiCounters;

/**
 * The path of one message from its queue to its receiver, at two looks, and the place on it that makes no progress.
 * <p>Thread: any. Sans-io.
 */
final class NiPath
{
    /** A board's counters follow its steps within less. */
    private static final long STEP_MS = 100;

    final NiSample now;
    final BoardSample board;
    final ChannelSample channel;
    final MessageQueue.Head message;
    final SeenNode destination;
    final BoardSample farBoard;
    final ChannelSample farChannel;
    private final NiSample before;
    private final ChannelSample farChannelBefore;

    NiPath(final NiSample before, final NiSample now, final BoardSample board, final ChannelSample channel)
    {
        this.before = before;
        this.now = now;
        this.board = board;
        this.channel = channel;
        message = channel.first();
        destination = message == null ? null : now.node(message.destination());
        farBoard = destination == null || destination.niNumber() == SeenNode.NI_NONE ? null :
            now.board(destination.niNumber());
        farChannel = farBoard == null ? null : farBoard.channel(message.channel());
        final BoardSample old = farBoard == null ? null : before.board(farBoard.ni());
        farChannelBefore = old == null ? null : old.channel(message.channel());
    }

    /** Channel of the receiver; -1 if the message cannot be read. */
    int destinationChannel()
    {
        return message == null ? -1 : NiSample.endpointChannel(destination, message.channel());
    }

    /** Returns why the message does not move on: the first place on its path without progress. */
    WhyCause cause()
    {
        if (channel.isStopped())
        {
            return WhyCause.CHANNEL_STOPPED;
        }
        final WhyCause own = boardCause(board);
        if (own != null)
        {
            return own;
        }
        if (channel.isIncomplete())
        {
            return WhyCause.MESSAGE_INCOMPLETE;
        }
        return message == null ? WhyCause.NI_WAITING : farCause();
    }

    /** Returns the process that has to act. */
    SeenNode culprit(final WhyCause cause)
    {
        return switch (cause)
        {
            case CHANNEL_STOPPED -> isFarStopped() ? destination : now.ownerOf(channel);
            case MESSAGE_INCOMPLETE -> now.ownerOf(channel);
            case BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD -> boardCause(board) != null ? board.node() :
                farBoard.node();
            case RECEIVER_STOPPED, RECEIVER_NOT_POLLING, RECEIVER_DEAD, CHANNEL_NOT_OPENED, CHANNEL_PAUSED,
                NI_WAITING -> destination;
            default -> null;                        // Not found on a path of boards.
        };
    }

    /** Whether it is the receiver's channel that its board stopped. */
    boolean isFarStopped()
    {
        return !channel.isStopped() && farChannel != null && farChannel.isStopped();
    }

    /** Whether the receiver's board is its own, and stands still with it. */
    private boolean isFarBoardOwn()
    {
        return farBoard != null && destination != null && farBoard.ni() == destination.number();
    }

    /** The counts of a triple between the looks. */
    long trouble(final NiCounterKind kind)
    {
        final int triple = NiCounters.tripleKey(channel.number(), farBoard.ni(), message.channel());
        return board.counters().values(kind).getOrDefault(triple, 0L) -
            before.board(board.ni()).counters().values(kind).getOrDefault(triple, 0L);
    }

    private WhyCause farCause()
    {
        final WhyCause own = Findings.ofReceiver(destination, null);
        if (own == WhyCause.RECEIVER_DEAD || destination.info().state() == NodeInfo.State.GONE)
        {
            return WhyCause.RECEIVER_DEAD;
        }
        if (own != null)
        {
            return own;
        }
        if (farBoard == null)
        {
            return WhyCause.NI_WAITING;
        }
        final WhyCause far = boardCause(farBoard);
        if (far != null)
        {
            return far == WhyCause.BOARD_NOT_STEPPED && isFarBoardOwn() ? WhyCause.RECEIVER_NOT_POLLING : far;
        }
        if (farChannel == null || !farChannel.isEnabled())
        {
            return WhyCause.CHANNEL_NOT_OPENED;
        }
        if (farChannel.isStopped())
        {
            return WhyCause.CHANNEL_STOPPED;
        }
        return isFarFull() ? destination.unread(destinationChannel()) : WhyCause.NI_WAITING;
    }

    /** Full at both looks, and nothing was taken between them. */
    private boolean isFarFull()
    {
        return farChannelBefore != null && farChannel.arrivals().isFullFor(message.length()) &&
            farChannelBefore.arrivals().front() == farChannel.arrivals().front();
    }

    private WhyCause boardCause(final BoardSample which)
    {
        if (!which.node().isAlive())
        {
            return WhyCause.BOARD_DEAD;
        }
        if (which.node().isStopped())
        {
            return WhyCause.BOARD_STOPPED;
        }
        return stoodStill(which) ? WhyCause.BOARD_NOT_STEPPED : null;
    }

    private boolean stoodStill(final BoardSample which)
    {
        final BoardSample old = before.board(which.ni());
        return old != null && now.epochMs() - before.epochMs() >= STEP_MS && which.stoodStillSince(old);
    }
}
