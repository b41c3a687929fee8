// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class BlockAllocatorTest
{
    private static final int LINE = 64;
    private static final int LINE_COUNT = 40;

    @Test
    void shouldGiveTheFirstHoleThatFitsAndMergeNeighbours()
    {
        final BlockAllocator blocks = new BlockAllocator(4 * LINE);
        final long first = blocks.tryTake(1);
        final long second = blocks.tryTake(LINE + 1);
        final long third = blocks.tryTake(LINE);

        assertEquals(0, first);
        assertEquals(LINE, second);
        assertEquals(3 * LINE, third);
        assertEquals(BlockAllocator.NONE, blocks.tryTake(1));
        blocks.free(first, 1);
        blocks.free(third, LINE);
        assertEquals(BlockAllocator.NONE, blocks.tryTake(LINE + 1));
        blocks.free(second, LINE + 1);
        assertEquals(1, blocks.holeCount());
        assertEquals(0, blocks.tryTake(4 * LINE));
        assertEquals(4 * LINE, blocks.takenLength());
    }

    @Test
    void shouldNeverGiveALineTwiceNorLoseOne()
    {
        for (long seed = 1; seed <= 50; seed++)
        {
            final Random random = new Random(seed);
            final BlockAllocator blocks = new BlockAllocator(LINE_COUNT * LINE);
            final boolean[] isTaken = new boolean[LINE_COUNT];
            final List<long[]> taken = new ArrayList<>();
            for (int step = 0; step < 2_000; step++)
            {
                if (random.nextBoolean())
                {
                    take(blocks, isTaken, taken, 1 + random.nextInt(8 * LINE));
                }
                else if (!taken.isEmpty())
                {
                    final long[] block = taken.remove(random.nextInt(taken.size()));
                    mark(isTaken, block, false);
                    blocks.free(block[0], block[1]);
                }
            }
            for (final long[] block : taken)
            {
                blocks.free(block[0], block[1]);
            }
            assertEquals(0, blocks.takenLength(), "seed=" + seed);
            assertEquals(1, blocks.holeCount(), "seed=" + seed);
        }
    }

    @Test
    void shouldRefuseToFreeWhatWasNotTaken()
    {
        final BlockAllocator blocks = new BlockAllocator(4 * LINE);
        blocks.tryTake(LINE);

        assertThrows(IllegalStateException.class, () -> blocks.free(LINE, LINE));
        assertThrows(IllegalStateException.class, () -> blocks.free(0, 2 * LINE));
        blocks.free(0, LINE);
        assertThrows(IllegalStateException.class, () -> blocks.free(0, LINE));
        assertThrows(IllegalArgumentException.class, () -> new BlockAllocator(LINE + 1));
    }

    private static void take(
        final BlockAllocator blocks, final boolean[] isTaken, final List<long[]> taken, final int length)
    {
        final long offset = blocks.tryTake(length);
        if (offset == BlockAllocator.NONE)
        {
            int longest = 0;
            int run = 0;
            for (final boolean isOne : isTaken)
            {
                run = isOne ? 0 : run + 1;
                longest = Math.max(longest, run);
            }
            assertTrue(longest * LINE < length, "there was room for " + length);
            return;
        }
        final long[] block = {offset, length};
        mark(isTaken, block, true);
        taken.add(block);
    }

    private static void mark(final boolean[] isTaken, final long[] block, final boolean isNow)
    {
        for (long line = block[0] / LINE; line * LINE < block[0] + block[1]; line++)
        {
            assertEquals(!isNow, isTaken[(int)line], "line=" + line);
            isTaken[(int)line] = isNow;
        }
    }
}
