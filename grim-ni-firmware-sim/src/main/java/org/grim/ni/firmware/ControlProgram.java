// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.StopReason;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.Board;
import org.grim.ni.board.BoardTimer;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.board.Routes;
import org.grim.ni.board.Wire;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.control.ControlWriter;
import org.grim.ni.delivery.IntakeLimits;
import org.grim.ni.delivery.ReliableDelivery;
import org.grim.ni.event.DropReason;
import org.grim.ni.event.NiListener;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.ForgetRequests;
import org.grim.ni.memory.HostAccess;
import org.grim.ni.memory.PullEngine;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.memory.RemoteMemoryDelivery;
import org.grim.ni.memory.ServedChannels;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.memory.TranslationService;
import org.grim.ni.multicast.MulticastDelivery;
import org.grim.ni.multicast.Trees;

/**
 * Program of an NI's processor: reads messages out of the channels, delivers them to other NIs reliably and in order,
 * executes remote-memory operations, hands active messages to their hosts. It never blocks, sleeps or reads a clock of
 * its own; {@link #step()} does the pieces of work that are ready, each bounded.
 * <p>One per start of the firmware: a restart is a new program over the same SRAM with a higher epoch.
 * <p>Thread: one, the board's stepper. Allocates when a peer or triple is used for the first time, and not otherwise.
 */
public final class ControlProgram
{
    private static final int CONTROL_LIMIT = 8;
    private static final int DEADLINE_LIMIT = 8;
    private static final int NODE_SHIFT = 4;

    private final BoardTimer timer;
    private final ChannelOwners owners;
    private final ControlQueue controls;
    private final Receiver receiver;
    private final Transmitter transmitter;
    private final TranslationService translations;
    private final TranslationCache cache;
    private final ForgetRequests forgets;
    private final ReliableDelivery delivery;
    private final RefuseCounters refusals = new RefuseCounters();
    private final ChannelStates channelStates;
    private final PullEngine pulls;
    private final Trees trees;

    /**
     * Starts the firmware of a board, under the epoch that stands in its SRAM.
     *
     * @param board    that it runs on.
     * @param config   of limits.
     * @param routes   of all nodes.
     * @param listener of the events.
     */
    public ControlProgram(
        final Board board, final FirmwareConfig config, final Routes routes, final NiListener listener)
    {
        this(board, config, routes, listener, new ControlParts());
    }

    /**
     * Starts the firmware of a board from given parts.
     *
     * @param board    that it runs on.
     * @param config   of limits.
     * @param routes   of all nodes.
     * @param listener of the events.
     * @param parts    makes what decides.
     */
    public ControlProgram(
        final Board board, final FirmwareConfig config, final Routes routes, final NiListener listener,
        final ControlParts parts)
    {
        final BoardGeometry geometry = board.geometry();
        final AtomicBuffer sram = board.sram();
        final ActionMeter meter = board.meter();
        final Wire wire = board.wire();
        final int niNumber = geometry.niNumber();
        final ChannelRegisters[] registers = new ChannelRegisters[geometry.channelCount()];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        timer = board.timer();
        owners = new ChannelOwners(sram, geometry);

        final ChannelScheduler scheduler =
            new ChannelScheduler(geometry, new Doorbell(sram, geometry), registers, config.quantumLength(),
                this::onRung);
        controls = new ControlQueue(wire, new ControlWriter(meter, routes.nodeOf(niNumber) << NODE_SHIFT));
        final int replyChannel = geometry.channelCount() - 1;
        final OwnChannel replies = new OwnChannel(sram, geometry, replyChannel, config.hasReplyChannel());
        final int firstOwnChannel = config.firstOwnChannel(geometry.channelCount());
        final boolean isMulticasting = config.hasMulticastChannel();
        final OwnChannel multicasts = new OwnChannel(sram, geometry, firstOwnChannel, isMulticasting);
        trees = new Trees(isMulticasting ? firstOwnChannel : Trees.NO_CHANNEL, routes.niCount(), parts.trees(),
            listener);
        final IntakeLimits intake = new IntakeLimits(parts.scoreboard(config.tokenCount()), config.channelQuota(),
            config.isCutThrough(), firstOwnChannel, owners, trees);
        delivery = new ReliableDelivery(sram, geometry, routes, config.limits(wire.isLossy(), parts), intake, controls,
            scheduler, listener, parts.epochs());

        final HostAccess host = new HostAccess(board.hostMemory(), board.hostEngine(), meter, owners);
        pulls = new PullEngine(sram, geometry, host, this::onBadPull);
        cache = parts.translationCache(sram, geometry, host, config.translationPageCount());
        translations = new TranslationService(sram, geometry, host, cache, board.interrupts(),
            config.translationTimeOutNs());
        forgets = new ForgetRequests(sram, geometry, translations);
        final ActiveMessageDelivery activeMessages = parts.activeMessages(sram, geometry, host, refusals);
        final ServedChannels channels = new ServedChannels(sram, geometry, owners);
        final Deliveries deliveries = new Deliveries(activeMessages,
            new RemoteMemoryDelivery(sram, geometry, host,
                parts.registeredParts(sram, geometry, board.hostMemory()), cache, translations, replies, refusals),
            new MulticastDelivery(multicasts, trees, activeMessages, channels, routes, niNumber, refusals, listener,
                meter),
            channels, refusals);
        receiver = new Receiver(wire, board.hostEngine(), meter, delivery, deliveries, routes, niNumber, listener);
        channelStates = new ChannelStates(registers, delivery.drain(), deliveries, receiver, pulls, translations,
            forgets);
        transmitter = new Transmitter(sram, wire, meter, controls, scheduler, delivery.sender(),
            config.injectionTimeOutNs());
        delivery.sender().recover();
        for (int channel = 0; channel < registers.length; channel++)
        {
            if (registers[channel].isEnabledAcquire())
            {
                pulls.onRung(channel);
            }
        }
    }

    /**
     * Does the next pieces of work that are ready. Returns how many; 0 if nothing was ready: there will be work when a
     * packet arrives, a DMA transfer ends, a doorbell rings, or {@link #nextDeadlineNs()} has passed.
     */
    public int step()
    {
        final long nowNs = timer.nowNs();
        // Between two messages: the last one is over, and the next one has not been looked at.
        int workCount = forgets.poll(!receiver.isIdle());
        workCount += controls.flush(CONTROL_LIMIT);                     // Answers before data.
        workCount += receiver.receive(nowNs);
        workCount += transmitter.transmit(nowNs);
        workCount += translations.poll(nowNs);
        workCount += pulls.step();
        workCount += delivery.expire(nowNs, DEADLINE_LIMIT);
        workCount += delivery.synchroniser().announce();
        return workCount;
    }

    /**
     * Handles the certain loss of another NI: settles all messages to it at once, those in flight as unknown, the rest
     * as undelivered, and forgets its state. Later messages call it again.
     */
    public void peerGone(final int ni)
    {
        delivery.synchroniser().peerGone(ni, timer.nowNs());
        delivery.sender().resume();
    }

    /**
     * Begins to take channels out of service, whose host leaves or has died: takes nothing more from them, discards
     * what has not left, refuses for good what arrives for them.
     *
     * @param firstChannel the first of them.
     * @param count        how many in a row.
     */
    public void drain(final int firstChannel, final int count)
    {
        channelStates.drain(firstChannel, count);
    }

    /**
     * Whether nothing of drained channels is under way any more: no message of theirs waits for an answer, and their
     * context's memory is not touched.
     *
     * @param firstChannel the first of them.
     * @param count        how many in a row.
     * @return true if they can be reset, and the region detached.
     */
    public boolean isDrained(final int firstChannel, final int count)
    {
        return channelStates.isDrained(firstChannel, count);
    }

    /**
     * Makes channels as new, registers and all; the next host enables them as it needs.
     *
     * @param context      that they belonged to: its translations are forgotten.
     * @param firstChannel the first of them.
     * @param count        how many in a row, all drained.
     */
    public void reset(final int context, final int firstChannel, final int count)
    {
        channelStates.reset(context, firstChannel, count);
    }

    /**
     * Gives channels to a host: for no other context, and no other endpoint, will they be used.
     *
     * @param context      of the host.
     * @param address      of its endpoint: node (12), device (4).
     * @param firstChannel the first of them.
     * @param count        how many in a row, all reset.
     */
    public void give(final int context, final int address, final int firstChannel, final int count)
    {
        owners.give(context, address, firstChannel, count);
    }

    /** Hosts may have asked to have something forgotten without their doorbells' having been heard. */
    public void lookAtContexts()
    {
        forgets.lookAtAll();
    }

    /** {@return how often a context's translations were forgotten at its host's request: the count since the start} */
    public long forgottenCount()
    {
        return forgets.servedCount();
    }

    /** {@return translations of addresses, to be looked at; what counts hits, misses and evictions} */
    public TranslationCache translationCache()
    {
        return cache;
    }

    /** {@return questions to hosts, to be looked at; what counts requests and denials} */
    public TranslationService translations()
    {
        return translations;
    }

    /** {@return trees of NIs, to be looked at; what counts multicasts} */
    public Trees trees()
    {
        return trees;
    }

    /**
     * When the program must be stepped although nothing has happened. Returns the time of the board's timer;
     * {@link Long#MAX_VALUE} if it waits for nothing.
     */
    public long nextDeadlineNs()
    {
        return Math.min(delivery.nextDeadlineNs(),
            Math.min(transmitter.nextDeadlineNs(), translations.nextDeadlineNs()));
    }

    /** {@return reliable delivery, to be looked at: its counts} */
    public ReliableDelivery delivery()
    {
        return delivery;
    }

    /**
     * Answers and announcements that wait for the link.
     *
     * @return at most the number of receive triples and peers.
     */
    public int controlQueueDepth()
    {
        return controls.depth();
    }

    /** Packets that were dropped. Returns the count since the start. */
    public long dropCount(final DropReason reason)
    {
        return receiver.dropCount(reason);
    }

    /** Messages that were refused for good. Returns the count since the start. */
    public long refuseCount(final RefuseReason reason)
    {
        return refusals.count(reason);
    }

    /** {@return messages for channels that the board does not have: the count since the start} */
    public long unknownChannelCount()
    {
        return refusals.count(RefuseReason.NO_CHANNEL);
    }

    private void onRung(final int channel)
    {
        pulls.onRung(channel);
        forgets.look(owners.context(channel));
    }

    private void onBadPull(final int channel)
    {
        delivery.sender().stop(channel, StopReason.BAD_PULL);
    }
}
