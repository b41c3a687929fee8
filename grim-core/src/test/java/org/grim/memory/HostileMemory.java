// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.List;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.MemoryRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.queue.QueueOwner;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A node whose directory a fuzzer overwrites, while its owner registers and frees, and another writes and reads: nobody
 * stores outside of directory and arenas, which stand between watched memory. Thread: one.
 */
final class HostileMemory
{
    private static final MemorySettings SETTINGS = new MemorySettings(6 * PAGE_LENGTH, 2 * PAGE_LENGTH, 4, 3);
    private static final int GUARD_LENGTH = 256;
    private static final byte GUARD = 0x5A;
    private static final long GUARD_WORD = 0x5A5A_5A5A_5A5A_5A5AL;
    /** One for all inputs, which come one after the other: memory outside the heap is slow to make. */
    private static final AtomicBuffer ALL = Buffers.allocate(24 * PAGE_LENGTH, PAGE_LENGTH);
    private static final AtomicBuffer SOURCE = Buffers.allocate(2 * PAGE_LENGTH);
    private static final MemberNode OWNER = MemberNode.first();
    private static final NodeMemory READER = newMemory(OWNER.other(2), MemoryBlocks.inPrivateMemory());
    private static final MemoryRegion TARGET = READER.register(2 * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);

    private static final LocalSide LOCAL = new LocalSide(READER.space(), QueueOwner.of(2, 0, 1));

    private final NodeMemory memory;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>();
    private final List<int[]> owned = new ArrayList<>();
    private final AtomicBuffer directory;
    private DirectHop hop;
    private int usedLength = GUARD_LENGTH;

    HostileMemory()
    {
        ALL.setMemory(0, ALL.capacity(), GUARD);
        memory = newMemory(OWNER, (kind, length) -> new MemoryBlocks.PrivateBlock(take(length)));
        directory = Buffers.wrap(ALL, GUARD_LENGTH, (int)SETTINGS.layout().length());
        register(PAGE_LENGTH);
        register(PAGE_LENGTH + 1);
        connect();
        assertTrue(hop != null);
    }

    /** One thing that the hostile peer, the owner or the initiator does. */
    void step(final HostileInput input)
    {
        switch (input.nextBelow(12))
        {
            case 0, 1, 2 -> directory.putLong(word(input), value(input));
            case 3 -> directory.putInt(word(input), (int)value(input));
            case 4 -> register(1 + input.nextBelow(3 * PAGE_LENGTH));
            case 5 -> free(input.nextBelow(8));
            case 6 -> memory.housekeep();
            case 7 -> connect();
            case 8 -> read(address(input), 1 + input.nextBelow(SOURCE.capacity()));
            default -> write(input.nextBelow(2) == 0, address(input), input.nextBelow(SOURCE.capacity()),
                input.nextBelow(2) == 0 ? 0 : address(input) & -4);
        }
    }

    /** Nothing was written beside the memory; and the owner can still register what it has room for. */
    void finish()
    {
        for (int i = 0; i <= owned.size(); i++)
        {
            final int end = i < owned.size() ? owned.get(i)[0] : usedLength;
            for (int index = end - GUARD_LENGTH; index < end; index += Long.BYTES)
            {
                assertEquals(GUARD_WORD, ALL.getLong(index), "written at " + index);
            }
        }
        regions.forEach(MemoryRegion::close);
        regions.clear();
        directory.setMemory(SETTINGS.layout().initiatorOffset(0),
            SETTINGS.initiatorCountMax() * DirectoryLayout.INITIATOR_LENGTH, (byte)0);
        memory.housekeep();
        register(PAGE_LENGTH);
        register(2 * PAGE_LENGTH);
        assertEquals(2, regions.size());
        assertNotEquals(regions.get(0).remote().address(), regions.get(1).remote().address());
        memory.close();
    }

    private static NodeMemory newMemory(final MemberNode node, final MemoryBlocks blocks)
    {
        return new NodeMemory(SETTINGS, node, blocks, null, (count, registered, quarantined) ->
        {
        });
    }

    private AtomicBuffer take(final int length)
    {
        final int offset = usedLength;
        ALL.setMemory(offset, BitUtil.align(length, Buffers.CACHE_LINE_LENGTH), (byte)0);
        owned.add(new int[]{offset, offset + length});
        usedLength += BitUtil.align(length, Buffers.CACHE_LINE_LENGTH) + GUARD_LENGTH;
        return Buffers.wrap(ALL, offset, length);
    }

    private void connect()
    {
        final NodeMemory.Space space = memory.space();
        final long owner = QueueOwner.of(2, 0, 1);
        final InitiatorLine initiator = InitiatorLine.tryAttach(space.directory(), owner);
        if (initiator != null)
        {
            hop = new DirectHop(space, initiator, LOCAL,
                OWNER.statusAddress(1), OWNER.status(1), () ->
                {
                }, () ->
                {
                });
        }
    }

    private void register(final long bytes)
    {
        try
        {
            final MemoryRegion region = memory.register(bytes, MemoryRegion.Rights.READ_WRITE);
            regions.add(region);
            addresses.add(region.remote().address());
            addresses.add(region.remotePhysical().address());
        }
        catch (final GrimException ex)
        {
            assertTrue(ex.getMessage().startsWith("no room") || ex.getMessage().startsWith("all regions"));
        }
    }

    private void free(final int index)
    {
        if (index < regions.size())
        {
            regions.remove(index).close();
        }
    }

    private void write(final boolean isPhysical, final long address, final int length, final long wordAddress)
    {
        assertEquals(SendStatus.SENT, hop.tryWrite(isPhysical, address, SOURCE, 0, length, wordAddress, 1, 0));
        drain();
    }

    private void read(final long address, final int length)
    {
        assertEquals(SendStatus.SENT, hop.tryRead(address, TARGET.remote().address(), length, 0, 0, 0));
        drain();
    }

    private void drain()
    {
        final int count = hop.drainRefusals((ticket, address, length, reason) -> assertEquals(0, ticket));
        assertTrue(count <= 1);
    }

    private long address(final HostileInput input)
    {
        final int choice = input.nextBelow(8);
        return choice == 0 ? input.nextPosition() :
            addresses.get(input.nextBelow(addresses.size())) + (choice == 1 ? input.nextInt() : input.nextByte() * 64L);
    }

    /** Any word of the directory; most often one of its first lines, or of the slots. */
    private int word(final HostileInput input)
    {
        final DirectoryLayout layout = SETTINGS.layout();
        final int index = switch (input.nextBelow(4))
        {
            case 0 -> DirectoryLayout.STATE_OFFSET + input.nextBelow(64);
            case 1 -> layout.regionOffset(input.nextBelow(4)) + input.nextBelow(40);
            case 2 -> layout.tagOffset(input.nextBelow(6));
            default -> input.nextBelow((int)layout.length());
        };
        return Math.min(index, (int)layout.length() - Long.BYTES) & -8;
    }

    private long value(final HostileInput input)
    {
        return switch (input.nextBelow(6))
        {
            case 0 -> 0;
            case 1 -> addresses.get(input.nextBelow(addresses.size()));
            case 2 -> (long)input.nextBelow(16) * PAGE_LENGTH;
            case 3 -> DirectoryLayout.PageTag.of(1 + input.nextBelow(4), 3);
            default -> input.nextPosition();
        };
    }
}
