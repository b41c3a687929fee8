// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.Lifetime;
import org.grim.crash.StoppableLife;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;

import static org.grim.memory.CrashRun.BYSTANDER;
import static org.grim.memory.CrashRun.OWNER;
import static org.grim.memory.CrashRun.PAGE_COUNT;
import static org.grim.memory.CrashRun.REGION_PAGE_COUNT;
import static org.grim.memory.CrashRun.VICTIM;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills or stops who reaches a node's memory, and the node itself, before every single store that they make, with every
 * choice of their unordered stores made visible.
 */
final class MemoryCrashTest
{
    private static final int STEP_COUNT_MAX = 1_000;

    @Test
    void shouldNotifyOfNothingThatADeadInitiatorDidNotWrite()
    {
        final int caseCount = CrashEnumeration.withVisibleStores("memory: initiator", life ->
        {
            final CrashRun run = new CrashRun(Lifetime.endless());
            final MemoryRegion region = run.register();
            runVictim(run, life, region);

            run.checkWritten(region.buffer());
            region.close();
            run.killVictim();
            run.checkNothingIsHeld();
        });

        assertTrue(caseCount > 60, () -> "cases=" + caseCount);
    }

    @Test
    void shouldNotWaitForAStoppedInitiatorNorReuseWhatItMayWrite()
    {
        int keptCount = 0;
        int stepCount = 0;
        boolean isStopped = true;
        for (; isStopped && stepCount < STEP_COUNT_MAX; stepCount++)
        {
            for (final boolean isKilled : new boolean[]{false, true})
            {
                final StoppableLife life = new StoppableLife(stepCount);
                final CrashRun run = new CrashRun(Lifetime.endless());
                final MemoryRegion region = run.register();
                isStopped = life.runUntilStopped(() -> script(run, life, region));
                keptCount += freeWhileStopped(run, life, region, isStopped, isKilled);
            }
        }

        CrashEnumeration.report("memory: stopped initiator, pages kept in " + keptCount, stepCount * 2);
        assertTrue(keptCount > 20 && stepCount > 20 && stepCount < STEP_COUNT_MAX);
    }

    @Test
    void shouldLeaveADirectoryThatSurvivorsCanUseWhereverTheOwnerDies()
    {
        final int caseCount = CrashEnumeration.withVisibleStores("memory: owner", life ->
        {
            life.immortal(true);
            final CrashRun run = new CrashRun(life);
            final MemoryRegion old = run.register();
            final DirectHop survivor = run.connect(VICTIM, Lifetime.endless());
            run.write(survivor, false, old, 0, 40);
            final List<MemoryRegion> freed = new ArrayList<>();
            try
            {
                life.immortal(false);
                final MemoryRegion later = run.register();
                old.close();
                freed.add(old);
                later.close();
                freed.add(later);
                run.register();
            }
            catch (final Lifetime.Death ex)
            {
                assertTrue(life.isOver());
            }
            life.immortal(true);
            useWhatIsLeft(run, survivor, old, freed);
        });

        assertTrue(caseCount > 40, () -> "cases=" + caseCount);
    }

    @Test
    void shouldCompleteAnInterruptedRecoveryOfWhatADeadInitiatorHeld()
    {
        final int[] caseCount = new int[1];
        CrashEnumeration.count(victim -> caseCount[0] += CrashEnumeration.count(recovery ->
        {
            victim.again();
            recovery.immortal(true);
            final CrashRun run = new CrashRun(recovery);
            final MemoryRegion region = run.register();
            runVictim(run, victim, region);
            region.close();
            run.killVictim();
            try
            {
                recovery.immortal(false);
                run.memory.housekeep();
            }
            catch (final Lifetime.Death ex)
            {
                assertTrue(recovery.isOver());
            }
            recovery.immortal(true);
            final DirectHop bystander = run.connect(BYSTANDER, Lifetime.endless());
            bystander.closeMemory();
            run.checkNothingIsHeld();
        }));

        CrashEnumeration.report("memory: recovery", caseCount[0]);
        assertTrue(caseCount[0] > 80, () -> "cases=" + caseCount[0]);
    }

    private static void runVictim(final CrashRun run, final Lifetime life, final MemoryRegion region)
    {
        try
        {
            script(run, life, region);
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
    }

    /** Attaches, writes by every kind of address, reads, gives up. */
    private static void script(final CrashRun run, final Lifetime life, final MemoryRegion region)
    {
        final MemoryHop victim = run.connect(VICTIM, life);
        run.write(victim, true, region, 0, 64);
        run.write(victim, false, region, 128, 13);
        run.write(victim, true, region, 256, 3);
        run.write(victim, false, region, 300, 32);
        run.write(victim, true, region, 400, 5);
        run.write(victim, true, region, PAGE_LENGTH - 100, 200);
        run.write(victim, false, region, PAGE_LENGTH + 200, 400);
        run.read(victim, region);
        victim.closeMemory();
    }

    /** Says whether pages were kept back. */
    private static int freeWhileStopped(final CrashRun run, final StoppableLife life, final MemoryRegion region,
        final boolean isStopped, final boolean isKilled)
    {
        final int freePageCount = run.memory.freePageCountForTest();
        region.close();
        final boolean isKept = run.memory.freePageCountForTest() == freePageCount;
        MemoryRegion next = null;
        if (isKept)
        {
            run.checkPagesAreKept();
        }
        else
        {
            next = run.memory.register(PAGE_COUNT * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        }
        if (isStopped && isKilled)
        {
            life.kill();
            run.killVictim();
        }
        else if (isStopped)
        {
            life.goOn();
        }
        if (next != null)
        {
            assertIsZero(next.buffer());
            next.close();
        }
        run.killVictim();
        run.checkNothingIsHeld();
        return isKept ? 1 : 0;
    }

    /** With any address a survivor writes into pages that the address is of, or nothing. */
    private static void useWhatIsLeft(
        final CrashRun run, final DirectHop survivor, final MemoryRegion old, final List<MemoryRegion> freed)
    {
        final AtomicBuffer arena = run.blocks.get("arena-0");
        final DirectHop another = run.connect(BYSTANDER, Lifetime.endless());
        for (final DirectHop hop : new DirectHop[]{survivor, another})
        {
            for (int generation = 1; generation <= 4; generation++)
            {
                for (int page = 0; page <= PAGE_COUNT; page++)
                {
                    final long physical = MemoryAddress.physical(generation, (long)page * PAGE_LENGTH);
                    assertWritesOnePageAtMost(hop, true, physical, arena);
                }
            }
            for (int page = 0; page < 4 * (REGION_PAGE_COUNT + 1); page++)
            {
                assertWritesOnePageAtMost(hop, false, MemoryAddress.VIRTUAL_START + (long)page * PAGE_LENGTH, arena);
            }
        }
        for (final MemoryRegion region : freed)
        {
            assertIsFreed(survivor, false, region.remote().address());
            assertIsFreed(another, false, region.remote().address());
            assertIsFreed(another, true, region.remotePhysical().address());
        }
        another.closeMemory();
        run.ownerNode.replace(OWNER);
        assertEquals(SendStatus.PEER_GONE,
            survivor.tryWrite(true, old.remotePhysical().address(), Buffers.wrap(new byte[1]), 0, 1, 0, 0, 0));
        survivor.closeMemory();
    }

    private static void assertIsFreed(final DirectHop hop, final boolean isPhysical, final long address)
    {
        hop.tryWrite(isPhysical, address, Buffers.wrap(new byte[1]), 0, 1, MemoryHop.NO_NOTIFICATION, 0, 0);

        assertEquals(1, hop.drainRefusals(
            (ticket, remoteAddress, length, reason) -> assertEquals(RemoteRefusal.FREED, reason)));
    }

    private static void assertWritesOnePageAtMost(
        final DirectHop hop, final boolean isPhysical, final long address, final AtomicBuffer arena)
    {
        arena.setMemory(PAGE_LENGTH, PAGE_COUNT * PAGE_LENGTH, (byte)0);
        final byte[] bytes = new byte[PAGE_LENGTH];
        Arrays.fill(bytes, (byte)9);
        assertEquals(SendStatus.SENT,
            hop.tryWrite(isPhysical, address, Buffers.wrap(bytes), 0, PAGE_LENGTH, MemoryHop.NO_NOTIFICATION, 0, 0));
        final int refusedCount = hop.drainRefusals((ticket, remoteAddress, length, reason) ->
        {
        });
        int writtenCount = 0;
        for (int page = 0; page < PAGE_COUNT; page++)
        {
            final int first = PAGE_LENGTH + page * PAGE_LENGTH;
            final boolean isWritten = arena.getByte(first) == 9;
            writtenCount += isWritten ? 1 : 0;
            assertEquals(arena.getByte(first), arena.getByte(first + PAGE_LENGTH - 1));
            assertTrue(!isWritten || !isPhysical || page == MemoryAddress.offset(address) / PAGE_LENGTH);
        }
        assertEquals(1 - refusedCount, writtenCount);
    }

    private static void assertIsZero(final AtomicBuffer buffer)
    {
        for (int i = 0; i < buffer.capacity(); i += Long.BYTES)
        {
            assertEquals(0, buffer.getLong(i), "a freed region was written");
        }
    }
}
