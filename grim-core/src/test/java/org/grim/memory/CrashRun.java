// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.Payloads;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.grim.memory.ArenaSource.Arena;
import org.grim.queue.QueueOwner;
import org.grim.transport.MemoryHop;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A node of few pages, a victim that reaches them and dies or stops at a given store, and a bystander. Every write has
 * bytes and a word of its own, so that what is there can be judged afterwards. Thread: one, but for a stopped victim.
 */
final class CrashRun
{
    static final int OWNER = 1;
    static final int VICTIM = 2;
    static final int BYSTANDER = 3;
    static final int PAGE_COUNT = 4;
    static final int REGION_PAGE_COUNT = 2;
    static final MemorySettings SETTINGS =
        new MemorySettings(PAGE_COUNT * PAGE_LENGTH, PAGE_COUNT * PAGE_LENGTH, 3, 2);

    final MemberNode ownerNode = MemberNode.first();
    final NodeMemory memory;
    final Map<String, AtomicBuffer> blocks = new HashMap<>();
    final List<Write> writes = new ArrayList<>();
    int refusedCount;
    private final NodeMemory victimMemory = NodeMemory.inPrivateMemory(SETTINGS, ownerNode.other(VICTIM), null,
        (regions, registered, quarantined) ->
        {
        });

    /** The bytes to write, and the word behind them. */
    record Write(int index, int length, int wordIndex, int number)
    {
    }

    CrashRun(final Lifetime ownerLife)
    {
        memory = new NodeMemory(SETTINGS, ownerNode, (kind, length) ->
        {
            final AtomicBuffer real = Buffers.allocate(length, PAGE_LENGTH);
            blocks.put(kind, real);
            return new MemoryBlocks.PrivateBlock(CrashingMemory.over(real, ownerLife));
        }, null, (regions, registered, quarantined) ->
        {
        });
    }

    MemoryRegion register()
    {
        return memory.register(REGION_PAGE_COUNT * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
    }

    /** A new path of a node to the owner's memory; each of its stores is a step. */
    DirectHop connect(final int node, final Lifetime life)
    {
        final MemoryDirectory directory = MemoryDirectory.wrap(CrashingMemory.over(blocks.get("memory"), life));
        final ArenaSource arenas = offset ->
        {
            final AtomicBuffer arena = blocks.get("arena-0");
            return arena == null || offset >= PAGE_COUNT * PAGE_LENGTH ? null : new Arena(CrashingMemory.over(
                Buffers.wrap(arena, PAGE_LENGTH, PAGE_COUNT * PAGE_LENGTH), life), 0, PAGE_COUNT * PAGE_LENGTH);
        };
        final NodeMemory.Space space = new NodeMemory.Space(directory, arenas);
        final long owner = QueueOwner.of(node, 0, ownerNode.incarnationOf(ownerNode.status(node)));
        final InitiatorLine initiator = InitiatorLine.tryAttach(directory, owner);
        return initiator == null ? null : new DirectHop(space, initiator, new LocalSide(victimMemory.space(), owner),
            ownerNode.statusAddress(OWNER), ownerNode.status(OWNER), () ->
            {
            }, () ->
            {
            });
    }

    /** Writes bytes of their own, and their word behind them. */
    void write(final MemoryHop hop, final boolean isPhysical, final MemoryRegion region, final int index,
        final int length)
    {
        final int number = writes.size() + 1;
        final int wordIndex = index + (length + 3) / 4 * 4;
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = Payloads.at(number, i);
        }
        final long address = isPhysical ? region.remotePhysical().address() : region.remote().address();
        writes.add(new Write(index, length, wordIndex, number));
        assertEquals(SendStatus.SENT, hop.tryWrite(isPhysical, address + index, Buffers.wrap(bytes), 0, length,
            address + wordIndex, number, number));
        refusedCount += hop.drainRefusals((ticket, remoteAddress, count, reason) ->
        {
        });
    }

    /** Reads what was written first. */
    void read(final MemoryHop hop, final MemoryRegion region)
    {
        final MemoryRegion target = victimMemory.register(PAGE_LENGTH, MemoryRegion.Rights.READ);
        hop.tryRead(region.remote().address(), target.remote().address(), 64, target.remote().address() + 64, 1, 0);
        target.close();
    }

    /** Each word that is there has every byte before it; nothing else was written. */
    void checkWritten(final AtomicBuffer region)
    {
        final byte[] expected = new byte[region.capacity()];
        final byte[] actual = new byte[region.capacity()];
        region.getBytes(0, actual);
        for (final Write write : writes)
        {
            final int word = region.getInt(write.wordIndex);
            assertTrue(word == 0 || word == write.number, () -> "word=" + word);
            for (int i = 0; i < write.length; i++)
            {
                final byte found = actual[write.index + i];
                assertTrue(found == Payloads.at(write.number, i) || (found == 0 && word == 0),
                    () -> write + " is notified: byte=" + found);
                actual[write.index + i] = 0;
            }
            for (int i = 0; i < Integer.BYTES; i++)
            {
                actual[write.wordIndex + i] = 0;
            }
        }
        assertTrue(Arrays.equals(expected, actual), "written outside of every write");
    }

    /** The victim's node dies; the owner learns of it when it asks. */
    void killVictim()
    {
        ownerNode.die(VICTIM);
        ownerNode.convictIfDead(VICTIM);
    }

    /** All lines are free for others, and all pages for the owner. */
    void checkNothingIsHeld()
    {
        memory.housekeep();
        final List<DirectHop> hops = new ArrayList<>();
        for (int i = 0; i < SETTINGS.initiatorCountMax(); i++)
        {
            hops.add(connect(BYSTANDER, Lifetime.endless()));
        }
        final MemoryRegion all = memory.register(PAGE_COUNT * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        writes.clear();
        for (final DirectHop hop : hops)
        {
            write(hop, true, all, writes.size() * 100, 50);
            write(hop, false, all, writes.size() * 100, 50);
        }
        checkWritten(all.buffer());
        assertEquals(writes.size(), all.buffer().getInt(writes.get(writes.size() - 1).wordIndex));
        hops.forEach(DirectHop::closeMemory);
        all.close();
        assertEquals(PAGE_COUNT, memory.freePageCountForTest());
    }

    /** The pages of a region that was freed are not to be had. */
    void checkPagesAreKept()
    {
        memory.housekeep();
        assertThrows(GrimException.class,
            () -> memory.register((PAGE_COUNT - REGION_PAGE_COUNT) * PAGE_LENGTH + 1, MemoryRegion.Rights.READ));
    }
}
