// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.board.AttachRefusal;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.DmaRegionHeader;
import org.grim.board.StaticTranslation;
import org.grim.buffer.MappedFile;
import org.grim.ni.board.HostMemory;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.wire.SharedWire;
import org.grim.transport.Membership;
import org.grim.transport.TransportContext;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.board.ContextRegisters.CHANNEL_COUNT;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.REGION_GENERATION;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.STATE;
import static org.grim.board.ContextRegisters.STATE_DRAINING;

/**
 * The nodes that a board serves: takes them in, and when they leave or die, settles their messages under way before
 * another node gets their channels. Every word of a host is read once and checked; a host that writes nonsense is
 * refused and costs others nothing.
 * <p>When a node is gone its channels take nothing from their queues and refuse what arrives. They are free again when
 * all that was in flight is settled and all inbound rings have been read past what stood in them at that moment: so no
 * message for one incarnation meets the next on the same channels. Channels of nobody refuse what arrives, too.
 * <p>Thread: the board's stepper. Allocates when a node attaches. Owns: the mappings of the nodes' regions.
 * <p>Bounds: one look at each context per call, {@value #ATTACH_LIMIT} attached, {@value #PROBE_LIMIT} asked about.
 */
final class ContextTable implements AutoCloseable
{
    private static final int ATTACH_LIMIT = 4;
    private static final int PROBE_LIMIT = 8;

    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private final TransportContext transport;
    private final Membership membership;
    private final HostMemory hostMemory;
    private final ControlProgram program;
    private final SharedWire wire;
    private final ChannelRuns runs;
    private final DistinctErrorLog errorLog;
    private final ServedContext[] contexts;
    private int attachCount;
    private int attachedCount;
    private int probeIndex;

    ContextTable(
        final AtomicBuffer sram, final BoardGeometry geometry, final TransportContext transport,
        final HostMemory hostMemory, final ControlProgram program, final SharedWire wire, final ChannelRuns runs,
        final DistinctErrorLog errorLog)
    {
        this.sram = sram;
        this.geometry = geometry;
        this.transport = transport;
        membership = transport.membership();
        this.hostMemory = hostMemory;
        this.program = program;
        this.wire = wire;
        this.runs = runs;
        this.errorLog = errorLog;
        contexts = new ServedContext[geometry.contextCount()];
        for (int i = 0; i < contexts.length; i++)
        {
            contexts[i] = new ServedContext(i, new ContextRegisters(sram, geometry, i));
            contexts[i].registers.free();                           // Drops all promises of an earlier firmware.
        }
        program.drain(0, runs.channelCount());
    }

    /** Serves what hosts ask for and notices who is gone. Returns how many contexts have changed. */
    int housekeep()
    {
        int workCount = 0;
        attachCount = 0;
        probe();
        for (final ServedContext context : contexts)
        {
            workCount += switch (context.state)
            {
                case FREE -> serveFree(context);
                case ATTACHED -> serveAttached(context);
                case REFUSED -> serveRefused(context);
                case DRAINING -> serveDraining(context);
            };
        }
        return workCount;
    }

    /** Contexts whose owner uses its channels. */
    int attachedCount()
    {
        return attachedCount;
    }

    /** The node that has a channel, or -1. */
    int nodeOf(final int channel)
    {
        final int context = runs.contextOf(channel);
        return context == ChannelRuns.NONE ? -1 : contexts[context].node;
    }

    /** Returns the incarnation of the node that has a channel; only for a channel with an owner. */
    int incarnationOf(final int channel)
    {
        return contexts[runs.contextOf(channel)].incarnation;
    }

    /** Unmaps all regions. The firmware must not be stepped any more. */
    @Override
    public void close()
    {
        for (final ServedContext context : contexts)
        {
            detachRegion(context);
        }
    }

    /** Asks the kernel about some owners; the status word shows the others. */
    private void probe()
    {
        final int count = Math.min(PROBE_LIMIT, contexts.length);
        for (int i = 0; i < count; i++)
        {
            final ServedContext context = contexts[probeIndex];
            probeIndex = probeIndex + 1 < contexts.length ? probeIndex + 1 : 0;
            if (context.state == ServedContext.State.FREE)
            {
                context.owner(context.registers.getAcquire(OWNER));
            }
            if (isAlive(context))
            {
                membership.convictIfDead(context.node);
            }
        }
    }

    private int serveFree(final ServedContext context)
    {
        final long owner = context.registers.getAcquire(OWNER);
        if (owner == ContextRegisters.OWNER_NONE)
        {
            return 0;
        }
        context.owner(owner);
        if (context.registers.getAcquire(REQUEST) == ContextRegisters.REQUEST_ATTACH)
        {
            return attach(context);
        }
        // It has not asked yet; or it died, or was scribbled there, and nobody else will put it right.
        return isAlive(context) ? 0 : free(context);
    }

    private int serveRefused(final ServedContext context)
    {
        final boolean isOver = context.registers.getAcquire(REQUEST) != ContextRegisters.REQUEST_ATTACH ||
            !isAlive(context);
        return isOver ? free(context) : 0;
    }

    private int serveAttached(final ServedContext context)
    {
        if (context.registers.getAcquire(REQUEST) != ContextRegisters.REQUEST_DETACH && isAlive(context))
        {
            return 0;
        }
        program.drain(context.firstChannel, context.channelCount);
        context.mark = wire.mark();             // After the drain: what comes behind the mark is refused.
        context.state = ServedContext.State.DRAINING;
        context.registers.putRelease(STATE, STATE_DRAINING);
        attachedCount--;
        assert attachedCount >= 0 : attachedCount;
        return 1;
    }

    private int serveDraining(final ServedContext context)
    {
        final int firstChannel = context.firstChannel;
        final int channelCount = context.channelCount;
        if (!program.isDrained(firstChannel, channelCount) || !wire.isReadPast(context.mark))
        {
            return 0;
        }
        program.reset(context.index, firstChannel, channelCount);
        program.drain(firstChannel, channelCount);              // Nobody's: what arrives late is refused.
        detachRegion(context);
        clearTranslations(context.index);
        runs.free(firstChannel, channelCount);
        return free(context);
    }

    private int attach(final ServedContext context)
    {
        if (attachCount == ATTACH_LIMIT)
        {
            return 0;                       // At the next call.
        }
        attachCount++;
        final int channelCount = context.registers.get(CHANNEL_COUNT);
        final int generation = context.registers.get(REGION_GENERATION);
        if (!isAlive(context) || isAttached(context.node, context.incarnation))
        {
            return refuse(context, AttachRefusal.BAD_OWNER, "it is not in the cluster, or attached already");
        }
        if (channelCount < 1 || channelCount > runs.channelCount())
        {
            return refuse(context, AttachRefusal.BAD_CHANNEL_COUNT,
                "channels=" + channelCount + " is outside 1 to " + runs.channelCount());
        }
        final int firstChannel = runs.find(context.node, channelCount);
        if (firstChannel == ChannelRuns.NONE && isDraining())
        {
            return 0;                       // A node that has just left gives some back in a moment.
        }
        if (firstChannel == ChannelRuns.NONE)
        {
            return refuse(context, AttachRefusal.NO_CHANNELS, "channels=" + channelCount + " in a row are not free");
        }
        if (!program.isDrained(firstChannel, channelCount))
        {
            return 0;                       // A message to nobody is being refused at this moment.
        }
        try
        {
            context.region = MappedFile.open(transport.nodeFile(context.node, context.incarnation,
                DmaRegionHeader.fileKind(generation)), DmaRegionHeader.MAGIC, DmaRegionHeader.REGION_LENGTH_MIN, true);
        }
        catch (final GrimException ex)
        {
            return refuse(context, AttachRefusal.BAD_REGION, ex.getMessage());
        }
        context.firstChannel = firstChannel;
        context.channelCount = channelCount;
        runs.take(context.index, context.node, firstChannel, channelCount);
        hostMemory.attach(context.index, context.region.buffer());
        program.reset(context.index, firstChannel, channelCount);       // Its host may enable them from now on.
        program.give(context.index, EndpointId.of(context.node, 0, 0).address(), firstChannel, channelCount);
        context.state = ServedContext.State.ATTACHED;
        attachedCount++;
        context.registers.attached(firstChannel);
        return 1;
    }

    private int refuse(final ServedContext context, final AttachRefusal refusal, final String why)
    {
        errorLog.record(new GrimException(BAD_DATA,
            "refused node=" + context.node + " incarnation=" + context.incarnation +
            " context=" + context.index + " for " + refusal + ": " + why));
        context.state = ServedContext.State.REFUSED;
        context.registers.refused(refusal);
        return 1;
    }

    private int free(final ServedContext context)
    {
        context.state = ServedContext.State.FREE;
        context.registers.free();
        return 1;
    }

    private void detachRegion(final ServedContext context)
    {
        hostMemory.attach(context.index, null);
        if (context.region != null)
        {
            context.region.close();
            context.region = null;
        }
    }

    /** The next owner of the context must not inherit what the last one had registered. */
    private void clearTranslations(final int context)
    {
        final StaticTranslation entry = new StaticTranslation(sram, geometry);
        for (int i = 0; i < geometry.staticEntryCount(); i++)
        {
            if (entry.read(i) && entry.context() == context)
            {
                entry.clear(i);
            }
        }
    }

    /** A node has one context of a board at a time, or one more while the last drains. */
    private boolean isAttached(final int node, final int incarnation)
    {
        for (final ServedContext context : contexts)
        {
            if (context.state == ServedContext.State.ATTACHED && context.hasOwner(node, incarnation))
            {
                return true;
            }
        }
        return false;
    }

    private boolean isDraining()
    {
        for (final ServedContext context : contexts)
        {
            if (context.state == ServedContext.State.DRAINING)
            {
                return true;
            }
        }
        return false;
    }

    /** Whether the directory shows the owner in the cluster, in that incarnation. */
    private boolean isAlive(final ServedContext context)
    {
        return context.node >= 0 && context.node < membership.nodeCountMax() && context.incarnation > 0 &&
            membership.incarnationOf(membership.status(context.node)) == context.incarnation &&
            membership.isPresent(context.node);
    }
}
