// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.file.Path;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.Doorbell;
import org.grim.board.Firmware;
import org.grim.board.FirmwareSite;
import org.grim.board.counters.NiCounters;
import org.grim.buffer.Cleanup;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.Board;
import org.grim.ni.board.DirectHostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.wire.NiGoneListener;
import org.grim.ni.wire.SharedWire;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A board that a node runs in software: the control program over shared memory, a wire of shared memory to the boards
 * of other nodes, and the contexts of the nodes that it serves. Its words are the doorbell's summary and the wire's.
 * <p>Thread: the stepper's. Allocates at housekeeping and when peers and triples are new, and not otherwise.
 * <p>Owns: the wire, the mappings of its contexts' regions, the file with its counters. Not: the SRAM.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class SoftwareBoard implements Firmware
{
    private static final String COUNTERS_KIND = "ni";
    private static final String COUNTERS_KEY = "counters.file";
    private static final long SOON_NS = 1_000_000;
    private static final long TIME_OUT_NS_MIN = 5_000_000;
    private static final long TIME_OUT_NS_MAX = 50_000_000;
    private static final long QUESTION_NS_MAX = 1_000_000_000;
    private static final long INJECTION_TIME_OUT_NS = 1_000_000;        // Others of the board wait meanwhile.
    private static final int QUANTUM_LENGTH = 2 << 10;                  // So that short messages take turns soon.
    private static final int OWN_WORD_COUNT = 1;

    private final SharedWire wire;
    private final DirectoryRoutes routes;
    private final ControlProgram program;
    private final ContextTable contexts;
    private final BoardGauges gauges;
    private final NiCounters counters;
    private final SteppedTimer timer = new SteppedTimer();
    private final NiGoneListener onNiGone;
    private final long doorbellAddress;
    private long stepCount;
    private boolean hasWorked;
    private boolean isAsleep;
    private boolean isClosed;

    /**
     * Starts the firmware of a board.
     *
     * @param site of the board; its SRAM is outside the heap and has the epoch of this start.
     * @throws GrimException if the SRAM is no board's, or of another NI, or a file cannot be made.
     */
    public SoftwareBoard(final FirmwareSite site)
    {
        final TransportContext node = site.node();
        final Membership membership = node.membership();
        final AtomicBuffer sram = site.sram();
        final BoardGeometry geometry = BoardGeometry.read(sram);
        if (geometry.niNumber() != membership.self())
        {
            throw new GrimException(UNAVAILABLE,
                "board of NI number=" + geometry.niNumber() + " cannot be run by node=" +
                membership.self());
        }
        doorbellAddress = sram.addressOffset() + Doorbell.wordIndex();
        wire = new SharedWire(node, ringLength(geometry));
        try
        {
            counters = counters(node, geometry);
            final HostMemory hostMemory = new HostMemory(geometry.contextCount());
            final Board board = new Board(sram, hostMemory, new DirectHostEngine(hostMemory), wire, timer,
                ActionMeter.NONE, context -> site.interrupt(hostMemory.region(HostMemory.address(context, 0))));
            final BoardListener listener = new BoardListener(sram, geometry, node, counters);
            routes = new DirectoryRoutes(membership, wire);
            program = new ControlProgram(board, config(), routes, listener);
            contexts = new ContextTable(sram, geometry, node, hostMemory, program, wire,
                new ChannelRuns(geometry.channelCount() - BoardGeometry.OWN_CHANNEL_COUNT, membership.nodeCountMax()),
                counters.errorLog());
            listener.attach(contexts);
            gauges = new BoardGauges(sram, geometry, counters, program, listener, contexts);
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, wire);
            throw ex;
        }
        onNiGone = program::peerGone;
    }

    @Override
    public int step()
    {
        stepCount++;
        int workCount = wire.admit() + program.step();
        if (routes.takeStale())
        {
            workCount += 1 + wire.housekeep(onNiGone);
        }
        hasWorked = workCount > 0;
        return workCount;
    }

    @Override
    public boolean isBusy()
    {
        return hasWorked || !wire.isIdle() || isDueSoon();
    }

    @Override
    public int housekeep()
    {
        timer.look();
        final int workCount = wire.housekeep(onNiGone) + contexts.housekeep();
        program.lookAtContexts();
        gauges.copy(stepCount);
        return workCount;
    }

    @Override
    public int wordCount()
    {
        return OWN_WORD_COUNT + wire.wordCount();
    }

    @Override
    public int wordVersion()
    {
        return wire.wordVersion();
    }

    @Override
    public long wordAddress(final int index)
    {
        return index < OWN_WORD_COUNT ? doorbellAddress : wire.wordAddress(index - OWN_WORD_COUNT);
    }

    @Override
    public int wordIdle(final int index)
    {
        return index < OWN_WORD_COUNT ? 0 : wire.wordIdle(index - OWN_WORD_COUNT);
    }

    @Override
    public void wordsSeen()
    {
        wire.wordsSeen();
    }

    @Override
    public void asleep(final int bell)
    {
        isAsleep = bell >= 0;
        wire.asleep(bell);
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            wire.close();
            contexts.close();
            counters.close();
        }
    }

    /** Looks at the clock now and then only, while something is waited for; always before a sleep. */
    private boolean isDueSoon()
    {
        final long deadlineNs = program.nextDeadlineNs();
        if (deadlineNs == Long.MAX_VALUE)
        {
            return false;
        }
        if (isAsleep)
        {
            timer.look();
        }
        return deadlineNs - timer.nowNs() <= SOON_NS;
    }

    private static NiCounters counters(final TransportContext node, final BoardGeometry geometry)
    {
        final boolean hasFile = !node.settings().has(COUNTERS_KEY) || node.settings().truth(COUNTERS_KEY);
        if (!hasFile)
        {
            return NiCounters.inPrivateMemory(geometry.channelCount(), BoardGauges.dropReasons());
        }
        final Membership membership = node.membership();
        final Path path = node.nodeFile(membership.self(), membership.incarnation(), COUNTERS_KIND);
        return NiCounters.create(path, geometry.channelCount(), BoardGauges.dropReasons());
    }

    /** Returns a ring's length: all that the queues hold fits, so a stopped peer holds up no others. */
    private static int ringLength(final BoardGeometry geometry)
    {
        final long queues = (long)geometry.channelCount() * geometry.queueLength();
        return Math.max(SharedWire.RING_LENGTH_DEFAULT, (int)BitUtil.findNextPositivePowerOfTwo(queues * 2));
    }

    /** Returns a configuration for a lossless wire: a board is gone when the kernel says so, not by time-out. */
    private static FirmwareConfig config()
    {
        return FirmwareConfig.DEFAULT.with(values ->
        {
            values.timeOutNsMin = TIME_OUT_NS_MIN;
            values.timeOutNsMax = TIME_OUT_NS_MAX;
            values.questionNsMax = QUESTION_NS_MAX;
            values.injectionTimeOutNs = INJECTION_TIME_OUT_NS;
            values.quantumLength = QUANTUM_LENGTH;
            values.hasMulticastChannel = true;
        });
    }
}
