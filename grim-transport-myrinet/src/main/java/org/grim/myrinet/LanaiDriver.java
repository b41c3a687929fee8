// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Iterator;
import java.util.ServiceLoader;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.grim.GrimException;
import org.grim.board.DmaRegionHeader;
import org.grim.board.Firmware;
import org.grim.board.FirmwareProvider;
import org.grim.board.FirmwareSite;
import org.grim.board.TranslationDescriptor;
import org.grim.buffer.Cleanup;
import org.grim.myrinet.injection.BoardWait;
import org.grim.myrinet.injection.DeadlineWait;
import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.Injectors;
import org.grim.myrinet.injection.PlannedInjection;
import org.grim.myrinet.memory.BoardMemory;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.DmaRegion;
import org.grim.myrinet.memory.InterruptWord;
import org.grim.myrinet.memory.MappedBoard;
import org.grim.myrinet.memory.RegisteredArena;
import org.grim.myrinet.memory.TranslationServer;
import org.grim.myrinet.posix.Posix;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Finds this node its board and attaches the process to it: an own one, which it makes and has run, or that of another
 * node. When another node's board goes, the driver's next session begins where a node of its name has come up again,
 * with the same DMA region: what is registered there keeps its addresses.
 * <p>Thread: one at a time. Owns: the DMA region.
 */
final class LanaiDriver implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LanaiDriver.class);
    private static final String BOARD_KIND = "board";

    private final TransportContext node;
    private final Membership membership;
    private final MyrinetConfig config;
    private final int[] weights;
    private final InjectionPlan plan;
    private final Posix posix = Posix.load();
    private final DmaRegion region;
    private final RegisteredArena arena;
    private int sessionCount;

    LanaiDriver(final TransportContext node, final MyrinetConfig config)
    {
        this.node = node;
        this.config = config;
        membership = node.membership();
        plan = InjectionPlan.of(node.settings());
        weights = config.channels().weights();
        region = DmaRegion.create(posix, node.nodeFile(membership.self(), membership.incarnation(),
            DmaRegionHeader.fileKind(DmaRegion.GENERATION)), config.dmaLayout(), config.isPinned());
        arena = new RegisteredArena(region);
    }

    /** Returns the registered part of the region. */
    RegisteredArena arena()
    {
        return arena;
    }

    /** Removes the region. All sessions are closed. */
    @Override
    public void close()
    {
        region.closeAndDelete();
    }

    /**
     * Begins a session. The one before the last must be closed: the new one has its place in the region.
     *
     * @throws GrimException if there is no board, or it has no room for this process; nothing is left behind.
     */
    LanaiSession attach()
    {
        return config.hasOwnBoard() ? attachToOwn() : attachTo(findBoard());
    }

    /** Returns whether the node with the configured board is there. */
    boolean canAttachAgain()
    {
        final int owner = config.hasOwnBoard() ? -1 : membership.find(config.boardName());
        return owner >= 0 && membership.isUp(owner);
    }

    private LanaiSession attachToOwn()
    {
        final int self = membership.self();
        final MappedBoard board = MappedBoard.create(node.nodeFile(self, membership.incarnation(), BOARD_KIND),
            config.geometry(self), membership.incarnation());
        BoardRunner runner = null;
        try
        {
            final Firmware firmware = provider().start(new Site(board.sram()));
            runner = config.isThreaded() ? new ThreadRunner(firmware, "grim-board-" + self, node.errorHandler()) :
                new DutyCycleRunner(firmware, board.sram());
            return begin(board, runner, PathStatus.BoardIncarnation.of(membership, self, membership.incarnation()));
        }
        catch (final RuntimeException | Error ex)
        {
            if (runner != null)
            {
                Cleanup.after(ex, runner);
            }
            Cleanup.after(ex, board::closeAndDelete);
            throw ex;
        }
    }

    private LanaiSession attachTo(final int owner)
    {
        final int incarnation = membership.incarnationOf(membership.status(owner));
        final MappedBoard board =
            MappedBoard.open(node.nodeFile(owner, incarnation, BOARD_KIND), config.lanaiModel());
        try
        {
            final PathStatus.BoardIncarnation boardNode =
                PathStatus.BoardIncarnation.of(membership, owner, incarnation);
            return begin(board, new RemoteRunner(node, boardNode, board.sram()), boardNode);
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, board);
            throw ex;
        }
    }

    private LanaiSession begin(
        final MappedBoard board, final BoardRunner runner, final PathStatus.BoardIncarnation boardNode)
    {
        final int firstSlot = sessionCount++ % config.sessionCount() * config.channelCount();
        final BoardAttachment attachment =
            BoardAttachment.attach(node, config, board, region, firstSlot, runner, boardNode);
        final BoardMemory memory = new BoardMemory(arena, attachment.context(), board.sram(), board.geometry(),
            attachment.firstChannel(), runner::advance, () -> boardNode.isGone(membership.self()));
        region.buffer().setMemory(DmaLayout.REQUEST_OFFSET, TranslationDescriptor.REQUEST_LENGTH, (byte)0);
        arena.begin(memory);
        try
        {
            return begin(board, runner, boardNode, attachment, memory);
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, () -> arena.end(memory));
            throw ex;
        }
    }

    private LanaiSession begin(
        final MappedBoard board, final BoardRunner runner, final PathStatus.BoardIncarnation boardNode,
        final BoardAttachment attachment, final BoardMemory memory)
    {
        for (int channel = 0; channel < config.channelCount(); channel++)
        {
            attachment.enable(channel, channel < weights.length ? weights[channel] : 1, (int)node.firstPosition());
        }
        final TranslationServer translations = new TranslationServer(
            posix, region, attachment.context(), attachment.registers(), memory, node.errorHandler());
        if (config.hasTranslationThread())
        {
            translations.start();
        }
        LOGGER.info("attached to board {}: node={} context={} NI channels={} to {}", board.path(), boardNode.node(),
            attachment.context(), attachment.firstChannel(), attachment.firstChannel() + config.channelCount() - 1);
        final BoardWait wait = new DeadlineWait(SystemNanoClock.INSTANCE, config.deadlineNs(), runner::step);
        return new LanaiSession(attachment, runner, boardNode, arena, memory, translations,
            new PlannedInjection(plan, new Injectors(posix)), wait);
    }

    /** Its node may be joining at this moment, and its board not be there yet. */
    private int findBoard()
    {
        final long deadlineNs = System.nanoTime() + config.deadlineNs();
        int owner = membership.find(config.boardName());
        while (owner >= 0 && !membership.isUp(owner) && deadlineNs - System.nanoTime() > 0)
        {
            membership.convictIfDead(owner);
            Thread.onSpinWait();
            owner = membership.find(config.boardName());
        }
        if (owner < 0 || !membership.isUp(owner))
        {
            throw new GrimException(NOT_FOUND, "no node of the name " + config.boardName() +
                " is up, whose board this node is to use (grim.myrinet.board)");
        }
        return owner;
    }

    private static FirmwareProvider provider()
    {
        final Iterator<FirmwareProvider> found =
            ServiceLoader.load(FirmwareProvider.class, LanaiDriver.class.getClassLoader()).iterator();
        if (!found.hasNext())
        {
            throw new GrimException(UNAVAILABLE,
                "nothing on the class path can run a board: add grim-ni-firmware-sim, or set " +
                "grim.myrinet.board to a node that has one");
        }
        return found.next();
    }

    /** Where an own board stands. */
    private final class Site implements FirmwareSite
    {
        private final AtomicBuffer sram;

        Site(final AtomicBuffer sram)
        {
            this.sram = sram;
        }

        @Override
        public AtomicBuffer sram()
        {
            return sram;
        }

        @Override
        public TransportContext node()
        {
            return node;
        }

        @Override
        public void interrupt(final AtomicBuffer region)
        {
            new InterruptWord(posix, region, DmaLayout.INTERRUPT_OFFSET).raise();
        }
    }
}
