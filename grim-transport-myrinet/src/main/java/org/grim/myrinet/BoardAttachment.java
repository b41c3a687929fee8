// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.board.AttachRefusal;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;
import org.grim.myrinet.injection.BoardWait;
import org.grim.myrinet.injection.InjectionTarget;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.DmaRegion;
import org.grim.myrinet.memory.MappedBoard;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNREACHABLE;
import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.grim.board.ContextRegisters.FIRST_CHANNEL;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.REASON;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.STATE;

/**
 * This process's part of a board: a context of it, NI channels, and the host memory that the board reaches for them.
 * <p>Thread: any; {@link #close()} only when nobody uses the channels any more.
 * <p>Owns: the mapping of the board. The DMA region stays when the attachment goes; each session has arrival queues and
 * bounce buffers of its own there, and an old session's messages are read while the next one begins.
 */
final class BoardAttachment implements AutoCloseable
{
    private final MappedBoard board;
    private final DmaRegion region;
    private final MyrinetConfig config;
    private final int context;
    private final ContextRegisters registers;
    private final int firstChannel;
    private final int ownerAddress;
    private final int firstSlot;
    private final long owner;

    private BoardAttachment(
        final MappedBoard board, final DmaRegion region, final MyrinetConfig config, final int context,
        final ContextRegisters registers, final int ownerAddress, final int firstSlot)
    {
        this.board = board;
        this.region = region;
        this.config = config;
        this.context = context;
        this.registers = registers;
        this.ownerAddress = ownerAddress;
        this.firstSlot = firstSlot;
        firstChannel = registers.get(FIRST_CHANNEL);
        owner = registers.get(OWNER);
    }

    /**
     * Takes a context and channels, and waits until the board has given them.
     *
     * @param firstSlot the first of as many slots of the region as there are channels, in use by no other session.
     * @param runner that makes the board advance meanwhile.
     * @param boardNode of the node whose board it is.
     * @throws GrimException if the board refuses, is full, or does not answer; nothing is left behind but a context
     *                       that the board takes back when this process leaves.
     */
    static BoardAttachment attach(
        final TransportContext node, final MyrinetConfig config, final MappedBoard board, final DmaRegion region,
        final int firstSlot, final BoardRunner runner, final PathStatus.BoardIncarnation boardNode)
    {
        final Membership membership = node.membership();
        final long owner = (long)membership.self() << Integer.SIZE | membership.incarnation();
        final BoardGeometry geometry = board.geometry();
        final long deadlineNs = System.nanoTime() + config.deadlineNs();
        int context = tryOwn(board, owner);
        while (context < 0)
        {
            // A node that has just left or died, perhaps this node's last incarnation, gives one back in a moment.
            if (!isAnyEnding(board, membership) || boardNode.isGone(membership.self()) ||
                deadlineNs - System.nanoTime() < 0)
            {
                throw new GrimException(NO_ROOM, "board " + board.path() + " has no context left: contexts=" +
                    geometry.contextCount() + " (grim.myrinet.contexts of its node)");
            }
            runner.advance();
            context = tryOwn(board, owner);
        }
        final ContextRegisters registers = new ContextRegisters(board.sram(), geometry, context);
        registers.requestAttach(config.channelCount(), DmaRegion.GENERATION);
        await(registers, board, runner, boardNode, membership.self(), deadlineNs, config.deadlineNs());
        return new BoardAttachment(board, region, config, context, registers,
            EndpointId.of(membership.self(), 0, 0).address(), firstSlot);
    }

    /** Sets a channel up, and hands it over to the board. Free-running positions begin at the given one. */
    void enable(final int channel, final int weight, final int firstPosition)
    {
        final DmaLayout layout = region.layout();
        final ChannelRegisters channelRegisters = channelRegisters(channel);
        final boolean isPointer = config.arrivalMode() == ChannelRegisters.ARRIVAL_QUEUE_POINTER;
        final int position = firstPosition & -QueueFormat.ALIGNMENT;
        final int arrivalPosition = isPointer ? position : firstPosition;
        final int slot = firstSlot + channel;
        region.buffer().setMemory(layout.arrivalOffset(slot), config.arrivalLength(), (byte)0);
        channelRegisters.put(CONTEXT, context).put(WEIGHT, weight).put(OWNER_ADDRESS, ownerAddress)
            .put(ARRIVAL_MODE, config.arrivalMode()).put(FRAME_LENGTH, config.frameLength())
            .put(FRAME_COUNT, config.frameCount())
            .put(ARRIVAL_ADDRESS, PhysicalAddress.of(context, layout.arrivalOffset(slot)))
            .put(POINTER_ADDRESS, PhysicalAddress.of(context, layout.pointerOffset(slot)));
        channelRegisters.put(NEXT, position);
        channelRegisters.putRelease(FRONT, position);
        channelRegisters.backAndFilledRelease(position, 0);
        channelRegisters.put(ARRIVAL_BACK, arrivalPosition);
        channelRegisters.putRelease(ARRIVAL_FRONT, arrivalPosition);
        if (isPointer)
        {
            region.buffer().putInt(layout.pointerOffset(slot), arrivalPosition, ByteOrder.BIG_ENDIAN);
        }
        channelRegisters.enableRelease();
    }

    /** Registers of one of this process's channels. */
    ChannelRegisters channelRegisters(final int channel)
    {
        return new ChannelRegisters(board.sram(), board.geometry(), firstChannel + channel);
    }

    /** The board's memory. */
    AtomicBuffer sram()
    {
        return board.sram();
    }

    /** Returns the layout of its content. */
    BoardGeometry geometry()
    {
        return board.geometry();
    }

    /** The host memory that the board reaches. */
    DmaRegion region()
    {
        return region;
    }

    /** Number of the context. */
    int context()
    {
        return context;
    }

    /** Its registers. */
    ContextRegisters registers()
    {
        return registers;
    }

    /** Where injections into a channel's queue go, and the bounce memory for them. */
    InjectionTarget injectionTarget(final int channel, final BoardWait wait)
    {
        final DmaLayout layout = region.layout();
        return new InjectionTarget(board.sram(), board.geometry(), firstChannel + channel, context, region.buffer(),
            layout.bounceOffset(firstSlot + channel, 0), layout.bounceCount() * layout.bounceLength(), wait);
    }

    /** Address of this node's endpoints. */
    int ownerAddress()
    {
        return ownerAddress;
    }

    /** Channels of this node. */
    int channelCount()
    {
        return config.channelCount();
    }

    /** NI channel of this node's channel 0. */
    int firstChannel()
    {
        return firstChannel;
    }

    /** Most payload bytes that an arrival queue of this node takes. */
    int arrivalPayloadMax()
    {
        final int messageMax = config.arrivalMode() == ChannelRegisters.ARRIVAL_QUEUE_POINTER ?
            config.arrivalLength() / 2 : config.frameLength() - Integer.BYTES;
        return Math.min(messageMax, QueueFormat.MESSAGE_LENGTH_MAX) - QueueFormat.MESSAGE_LENGTH_MIN;
    }

    /** Most messages that stand in an arrival queue of this node. */
    int arrivalCountMax()
    {
        return config.arrivalMode() == ChannelRegisters.ARRIVAL_QUEUE_POINTER ?
            config.arrivalLength() / QueueFormat.MESSAGE_LENGTH_MIN : config.frameCount();
    }

    /** Gives the channels back. The board lets what is under way end, and forgets this process. */
    void detach()
    {
        for (int channel = 0; channel < config.channelCount(); channel++)
        {
            channelRegisters(channel).disableRelease();
        }
        registers.disable();
        registers.putRelease(REQUEST, ContextRegisters.REQUEST_DETACH);
    }

    /** Whether the board has forgotten this process: it reaches its memory no more, and refuses what comes for it. */
    boolean isForgotten()
    {
        return registers.getAcquire(OWNER) != owner;
    }

    /** Unmaps the board. */
    @Override
    public void close()
    {
        board.close();
    }

    private static int tryOwn(final MappedBoard board, final long owner)
    {
        final BoardGeometry geometry = board.geometry();
        for (int context = 0; context < geometry.contextCount(); context++)
        {
            if (new ContextRegisters(board.sram(), geometry, context).tryOwn(owner))
            {
                return context;
            }
        }
        return -1;
    }

    private static boolean isAnyEnding(final MappedBoard board, final Membership membership)
    {
        final BoardGeometry geometry = board.geometry();
        for (int context = 0; context < geometry.contextCount(); context++)
        {
            final ContextRegisters registers = new ContextRegisters(board.sram(), geometry, context);
            final long owner = registers.getAcquire(OWNER);
            final int node = (int)(owner >>> Integer.SIZE);
            final boolean isAlive = node < membership.nodeCountMax() && node >= 0 && !membership.convictIfDead(node) &&
                membership.incarnationOf(membership.status(node)) == (int)owner && membership.isPresent(node);
            if (owner == ContextRegisters.OWNER_NONE || !isAlive ||
                registers.getAcquire(REQUEST) == ContextRegisters.REQUEST_DETACH ||
                registers.getAcquire(STATE) == ContextRegisters.STATE_DRAINING)
            {
                return true;
            }
        }
        return false;
    }

    private static void await(
        final ContextRegisters registers, final MappedBoard board, final BoardRunner runner,
        final PathStatus.BoardIncarnation boardNode, final int self, final long deadlineNs, final long timeoutNs)
    {
        int state = registers.getAcquire(STATE);
        while (state != ContextRegisters.STATE_ATTACHED)
        {
            if (state == ContextRegisters.STATE_REFUSED)
            {
                final AttachRefusal refusal = AttachRefusal.ofCode(registers.get(REASON));
                registers.putRelease(REQUEST, ContextRegisters.REQUEST_DETACH);
                throw new GrimException(NO_ROOM, "board " + board.path() + " refused this process: " + refusal +
                    "; its channels=" + (board.geometry().channelCount() - BoardGeometry.OWN_CHANNEL_COUNT) +
                    " contexts=" + board.geometry().contextCount() +
                    " (grim.myrinet.board-channels and contexts of its node)");
            }
            if (boardNode.isGone(self))
            {
                throw new GrimException(UNREACHABLE,
                    "node=" + boardNode.node() + " went, whose board " + board.path() + " is");
            }
            if (deadlineNs - System.nanoTime() < 0)
            {
                registers.putRelease(REQUEST, ContextRegisters.REQUEST_DETACH);
                throw new GrimException(TIMED_OUT, "board " + board.path() + " did not answer within " +
                    TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms (grim.myrinet.deadline): node=" + boardNode.node() +
                    " does not run its firmware");
            }
            runner.advance();
            state = registers.getAcquire(STATE);
        }
    }
}
