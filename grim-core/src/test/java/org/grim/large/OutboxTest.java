// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Memory for a few messages only, so that it is full at once. */
final class OutboxTest
{
    private static final int LINE = 64;
    private static final Object OWNER = "owner";

    private final FixedAreas areas = new FixedAreas();

    @Test
    void shouldKeepABlockUntilItsReceiverIsDone()
    {
        final Outbox outbox = new Outbox(4 * LINE, areas, 5);

        final Outbox.Block first = send(outbox, LINE);
        final Outbox.Block second = send(outbox, LINE);
        assertNull(outbox.tryClaim(1, OWNER));
        assertEquals(5, first.sequence());
        assertEquals(6, second.sequence());
        assertEquals(first.blockOffset() + 2 * LINE, second.blockOffset());
        done(first, first.sequence() + 1);
        assertNull(outbox.tryClaim(1, OWNER));
        done(first, first.sequence());

        final Outbox.Block third = outbox.tryClaim(LINE, OWNER);

        assertNotNull(third);
        assertEquals(7, third.sequence());
        assertEquals(BlockDescriptor.NOT_DONE, third.buffer().getInt(third.payloadIndex() - LINE));
        assertEquals(1, outbox.outCount());
        outbox.abort(third);
        assertEquals(2 * LINE, outbox.takenLength());
    }

    @Test
    void shouldFreeWhatAReceiverHadThatIsGoneAndNothingElse()
    {
        final Outbox outbox = new Outbox(8 * LINE, areas, 1);
        final Object other = "other";
        send(outbox, LINE);
        final Outbox.Block kept = outbox.tryClaim(LINE, other);
        outbox.send(kept);
        send(outbox, LINE);

        outbox.releaseAll(OWNER);

        assertEquals(1, outbox.outCount());
        assertEquals(2 * LINE, outbox.takenLength());
        assertFalse(outbox.release(OWNER, kept.sequence()));
        assertFalse(outbox.release(other, kept.sequence() + 1));
        assertTrue(outbox.release(other, kept.sequence()));
        assertEquals(0, outbox.takenLength());
    }

    @Test
    void shouldNeverGiveASequenceThatMeansNotDone()
    {
        final Outbox outbox = new Outbox(64 * LINE, areas, -2);

        final List<Integer> sequences = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            sequences.add(outbox.tryClaim(1, OWNER).sequence());
        }

        assertEquals(List.of(-2, -1, 1, 2), sequences);
    }

    @Test
    void shouldGrowByAreasAndReplaceOnesThatAreTooSmall()
    {
        final long max = 12L << 20;
        final Outbox outbox = new Outbox(max, areas, 1);
        final List<Outbox.Block> blocks = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            blocks.add(send(outbox, (4 << 20) - LINE));
        }
        assertNull(outbox.tryClaim(1, OWNER));
        assertEquals(List.of(4L << 20, 4L << 20, 4L << 20), areas.created);
        blocks.forEach(block -> done(block, block.sequence()));
        outbox.collect();

        final Outbox.Block large = outbox.tryClaim((10 << 20), OWNER);

        assertNotNull(large);
        assertTrue(outbox.areasLength() <= max, "length=" + outbox.areasLength());
        assertEquals(3, areas.retiredCount);
        assertTrue(outbox.canHold((12 << 20) - LINE));
        assertFalse(outbox.canHold((12 << 20) - LINE + 1));
    }

    @Test
    void shouldSayThatItHoldsNothingWithoutMemory()
    {
        areas.hasMemory = false;
        final Outbox outbox = new Outbox(1 << 20, areas, 1);

        assertTrue(outbox.canHold(10));
        assertNull(outbox.tryClaim(10, OWNER));
        assertFalse(outbox.canHold(10));
        assertFalse(new Outbox(0, areas, 1).canHold(1));
        assertFalse(new Outbox(Long.MAX_VALUE, areas, 1).canHold(Integer.MAX_VALUE));
    }

    @Test
    void shouldNotTouchAMessageBeforeItsReceiverIsDone()
    {
        for (long seed = 1; seed <= 30; seed++)
        {
            final Random random = new Random(seed);
            final Outbox outbox = new Outbox(40 * LINE, areas, random.nextInt());
            final List<Outbox.Block> out = new ArrayList<>();
            final List<Integer> sequences = new ArrayList<>();
            for (int step = 0; step < 3_000; step++)
            {
                final Outbox.Block block = outbox.tryClaim(1 + random.nextInt(6 * LINE), OWNER);
                if (block != null)
                {
                    block.buffer().putInt(block.payloadIndex(), block.sequence());
                    outbox.send(block);
                    out.add(block);
                    sequences.add(block.sequence());
                }
                if (!out.isEmpty() && (block == null || random.nextInt(3) == 0))
                {
                    final int index = random.nextInt(out.size());
                    final Outbox.Block taken = out.remove(index);
                    final int sequence = sequences.remove(index);
                    assertEquals(sequence, taken.buffer().getInt(taken.payloadIndex()), "seed=" + seed);
                    assertNotEquals(BlockDescriptor.NOT_DONE, sequence);
                    done(taken, sequence);
                }
            }
        }
    }

    private static Outbox.Block send(final Outbox outbox, final int length)
    {
        final Outbox.Block block = outbox.tryClaim(length, OWNER);
        outbox.send(block);
        return block;
    }

    private static void done(final Outbox.Block block, final int sequence)
    {
        block.buffer().putIntRelease(block.payloadIndex() - BlockDescriptor.PAYLOAD_OFFSET, sequence);
    }
}
