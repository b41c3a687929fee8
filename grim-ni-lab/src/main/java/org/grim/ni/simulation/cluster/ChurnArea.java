// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.nio.ByteOrder;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.Doorbell;
import org.grim.board.StaticTranslation;
import org.grim.board.host.PageTable;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.simulation.check.MessagePattern;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Draws;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;

/**
 * Pages of one context that its host registers, frees and registers again at random, each time at a new virtual
 * address, with or without a static entry, while peers write to present and to old addresses. Watched: a page that its
 * host has back is never written, and one that is registered holds zeros and what belongs to this registration.
 * <p>Thread: the simulation's. The event is the host's next look.
 */
final class ChurnArea extends Event
{
    private static final int PAGE = HostLayout.PAGE_LENGTH;
    private static final int STATIC_COUNT = HostLayout.CHURN_STATIC_COUNT;
    private static final int OLD_COUNT = 3;
    private static final int HALF_PERMILLE = 500;
    private static final int FREE = 0;
    private static final int REGISTERED = 1;
    private static final int FREEING = 2;

    private final int ni;
    private final int context;
    private final AtomicBuffer region;
    private final HostLayout layout;
    private final ContextRegisters registers;
    private final StaticTranslation statics;
    private final Doorbell doorbell;
    private final Run run;
    private final Runnable wakeBoard;
    private final Draws draws;
    private final long intervalNs;
    private final int[] states = new int[HostLayout.CHURN_PAGE_COUNT];
    private final int[] registrations = new int[states.length];
    private final int[] rights = new int[states.length];
    private final int[] entries = new int[states.length];               // Static entry, or -1.
    private final int[] forgetCounts = new int[states.length];
    private final boolean[] isTouched = new boolean[states.length];
    private int registrationCount;
    private int forgetCount;
    private boolean isBoardDead;

    ChurnArea(
        final int ni, final int context, final AtomicBuffer region, final Run run, final BoardMemory board,
        final Runnable wakeBoard)
    {
        final SimulationParameters parameters = run.parameters();
        final AtomicBuffer sram = board.sram();
        final BoardGeometry geometry = board.geometry();
        this.ni = ni;
        this.context = context;
        this.region = region;
        this.run = run;
        this.wakeBoard = wakeBoard;
        layout = run.layout();
        intervalNs = parameters.get(Setting.CHURN_NS);
        registers = new ContextRegisters(sram, geometry, context);
        statics = new StaticTranslation(sram, geometry);
        doorbell = new Doorbell(sram, geometry);
        draws = new Draws(parameters.seed(), "churn of " + ni + " " + context);
        region.setMemory(layout.churnOffset, states.length * PAGE, (byte)0);
        run.clock().schedule(this, 1 + draws.between(1, intervalNs));
    }

    /** A virtual address that is registered, or was a while ago; 0 before there was any. */
    long someAddress(final Draws choice)
    {
        final int number = registrationCount - choice.below(states.length + OLD_COUNT);
        return number < 1 ? 0 : virtualStart(number);
    }

    /** Writes into a message what belongs to an address; the notification value is such bytes, too. */
    void fill(final AtomicBuffer buffer, final int index, final int length, final long address)
    {
        final long within = address - HostLayout.CHURN_START;
        final int seed = seed((int)(within / (2 * PAGE)));
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(index + i, MessagePattern.at(seed, (int)(within % PAGE) + i));
        }
    }

    /** The bytes that belong to an address, as a word that this machine stores. */
    int word(final AtomicBuffer scratch, final int index, final long address)
    {
        fill(scratch, index, Integer.BYTES, address);
        return scratch.getInt(index, ByteOrder.nativeOrder());
    }

    /** Returns the host's answer to the board. */
    long physicalPage(final long page)
    {
        for (int frame = 0; frame < states.length; frame++)
        {
            if (states[frame] == REGISTERED && virtualStart(registrations[frame]) == page)
            {
                return physical(frame) + rights[frame];
            }
        }
        return PageTable.NONE;
    }

    boolean has(final int offset)
    {
        return offset >= layout.churnOffset && offset < layout.churnOffset + states.length * PAGE;
    }

    /** The board begins to write here: says whether the page may still be written. */
    boolean mayWrite(final int offset, final int length)
    {
        final int frame = (offset - layout.churnOffset) / PAGE;
        isTouched[frame] = true;
        return states[frame] != FREE && offset + length <= layout.churnOffset + (frame + 1) * PAGE;
    }

    void onTransferComplete(final boolean isEngineIdle)
    {
        for (int frame = 0; frame < states.length; frame++)
        {
            if (isTouched[frame])
            {
                check(frame);
                isTouched[frame] = !isEngineIdle;
            }
        }
    }

    void checkThoroughly()
    {
        for (int frame = 0; frame < states.length; frame++)
        {
            check(frame);
        }
    }

    /** A board that is gone writes nothing, and counts as one that has forgotten. */
    void onBoardDead()
    {
        isBoardDead = true;
    }

    boolean isAtRest()
    {
        for (final int state : states)
        {
            if (state == FREEING)
            {
                return false;
            }
        }
        return true;
    }

    @Override
    protected void run()
    {
        takeBack();
        if (run.workload().hasMore())
        {
            final int frame = draws.below(states.length);
            if (states[frame] == FREE)
            {
                register(frame);
            }
            else if (states[frame] == REGISTERED && draws.chance(HALF_PERMILLE))
            {
                free(frame);
            }
        }
        if (run.workload().hasMore() || !isAtRest())
        {
            run.clock().schedule(this, run.clock().nowNs() + draws.between(1, 2 * intervalNs));
        }
    }

    private void register(final int frame)
    {
        registrations[frame] = ++registrationCount;
        rights[frame] = 1 + draws.below(MemoryRegion.Rights.READ_WRITE.bits());
        entries[frame] = draws.chance(HALF_PERMILLE) ? freeEntry() : -1;
        states[frame] = REGISTERED;
        if (entries[frame] >= 0)
        {
            statics.put(entries[frame], context, virtualStart(registrationCount), PAGE, physical(frame), rights[frame]);
        }
    }

    private void free(final int frame)
    {
        states[frame] = FREEING;
        if (entries[frame] >= 0)
        {
            statics.clear(entries[frame]);
            entries[frame] = -1;
        }
        forgetCounts[frame] = ++forgetCount;
        registers.putRelease(FORGET_COUNT, forgetCount);
        doorbell.ring(context);                 // Channel number context is one of the context's.
        wakeBoard.run();
    }

    private void takeBack()
    {
        final int forgotten = isBoardDead ? forgetCount : registers.getAcquire(FORGOTTEN_COUNT);
        for (int frame = 0; frame < states.length; frame++)
        {
            if (states[frame] == FREEING && forgotten - forgetCounts[frame] >= 0)
            {
                check(frame);
                states[frame] = FREE;
                region.setMemory(layout.churnOffset + frame * PAGE, PAGE, (byte)0);
                run.trace().reach(Probe.MEMORY_REUSED);
            }
        }
    }

    private int freeEntry()
    {
        final int first = context * STATIC_COUNT;
        for (int entry = first; entry < first + STATIC_COUNT; entry++)
        {
            boolean isUsed = false;
            for (int frame = 0; frame < states.length; frame++)
            {
                isUsed |= states[frame] == REGISTERED && entries[frame] == entry;
            }
            if (!isUsed)
            {
                return entry;
            }
        }
        return -1;
    }

    private void check(final int frame)
    {
        final int start = layout.churnOffset + frame * PAGE;
        final boolean isWritable = states[frame] != FREE && (rights[frame] & MemoryRegion.Rights.WRITE.bits()) != 0;
        final int seed = seed(registrations[frame]);
        for (int i = 0; i < PAGE; i++)
        {
            final byte value = region.getByte(start + i);
            if (value != 0 && !(isWritable && value == MessagePattern.at(seed, i)))
            {
                throw new ViolationException("freed memory", "NI " + ni + " context " + context + " page " + frame +
                    ": byte " + i + " was written, registration " + registrations[frame] + ", state " + states[frame] +
                    ", rights " + rights[frame]);
            }
        }
    }

    private long physical(final int frame)
    {
        return HostMemory.address(context, layout.churnOffset + frame * PAGE);
    }

    private int seed(final int registration)
    {
        return MessagePattern.seed(ni << Short.SIZE | context, registration, -2);
    }

    private static long virtualStart(final int registration)
    {
        return HostLayout.CHURN_START + (long)registration * 2 * PAGE;
    }
}
