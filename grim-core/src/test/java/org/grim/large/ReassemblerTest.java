// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.wire.FlowKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Memory for two messages of the maximum length, so that everything waits at once. */
final class ReassemblerTest
{
    private static final int LENGTH_MAX = 256;
    private static final int NODE_COUNT = 8;

    private final Reassembler reassembler = new Reassembler(LENGTH_MAX, 2 * LENGTH_MAX, NODE_COUNT);
    private final AtomicBuffer bytes = Buffers.allocate(1024);
    private final BeginWords words = new BeginWords();

    @AfterEach
    void close()
    {
        reassembler.close();
    }

    @Test
    void shouldPutPartsTogether()
    {
        final Transfer transfer = request(1, 0, 7, 100);
        fill(100, 5);

        assertSame(transfer, reassembler.tryGrant());
        assertNull(Reassembler.invalid(transfer, 7, 0, 60, false));
        reassembler.take(transfer, bytes, 0, 60);
        assertNull(Reassembler.invalid(transfer, 7, 60, 40, true));
        reassembler.take(transfer, bytes, 60, 40);

        assertEquals(100, transfer.memory().capacity());
        for (int i = 0; i < 100; i++)
        {
            assertEquals(bytes.getByte(i), transfer.memory().getByte(i), "index=" + i);
        }
        reassembler.end(transfer);
        assertEquals(0, reassembler.heldLength());
        assertNull(reassembler.find(transfer.flowKey(), 0));
    }

    @Test
    void shouldRefuseEveryPartThatDoesNotComeNext()
    {
        final Transfer transfer = request(1, 0, 7, 100);
        assertEquals(RejectReason.UNKNOWN_TRANSFER, Reassembler.invalid(transfer, 7, 0, 10, false));
        reassembler.tryGrant();
        reassembler.take(transfer, bytes, 0, 10);

        assertEquals(RejectReason.UNKNOWN_TRANSFER, Reassembler.invalid(null, 7, 10, 10, false));
        assertEquals(RejectReason.UNKNOWN_TRANSFER, Reassembler.invalid(transfer, 8, 10, 10, false));
        for (final int position : new int[]{0, 9, 11, -1, 100, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 7, position, 10, false));
        }
        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 7, 10, 91, false));
        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 7, 10, 0, false));
        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 7, 10, 89, true));
        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 7, 10, 91, true));
        assertNull(Reassembler.invalid(transfer, 7, 10, 90, false));
        assertNull(Reassembler.invalid(transfer, 7, 10, 90, true));
    }

    @Test
    void shouldLetRequestsWaitInOrderForMemory()
    {
        final Transfer first = request(1, 0, 1, LENGTH_MAX);
        final Transfer second = request(2, 0, 2, LENGTH_MAX);
        final Transfer third = request(3, 0, 3, LENGTH_MAX);
        final Transfer small = request(4, 0, 4, 1);

        assertSame(first, reassembler.tryGrant());
        assertSame(second, reassembler.tryGrant());
        assertNull(reassembler.tryGrant());
        reassembler.end(first);
        assertSame(third, reassembler.tryGrant());
        assertNull(reassembler.tryGrant());
        reassembler.end(second);
        assertSame(small, reassembler.tryGrant());
        assertEquals(LENGTH_MAX + 64, reassembler.heldLength());
    }

    @Test
    void shouldNotLetOneNodeTakeAllOfTheMemory()
    {
        final Transfer first = request(1, 0, 1, LENGTH_MAX);
        final Transfer second = request(1, 1, 2, LENGTH_MAX);
        final Transfer other = request(2, 0, 3, LENGTH_MAX);

        assertSame(first, reassembler.tryGrant());
        assertSame(other, reassembler.tryGrant());
        assertNull(reassembler.tryGrant());
        reassembler.end(other);
        assertNull(reassembler.tryGrant());
        assertFalse(second.isGranted());
        reassembler.end(first);
        assertSame(second, reassembler.tryGrant());
    }

    @Test
    void shouldFindRoomForTheLongestBesideOneNodeThatStoppedWhereverItsBlocksLie()
    {
        final Transfer passing = request(1, 0, 1, 64);
        final Transfer stopped = request(2, 0, 2, LENGTH_MAX);
        assertSame(passing, reassembler.tryGrant());
        assertSame(stopped, reassembler.tryGrant());

        reassembler.end(passing);
        final Transfer longest = request(1, 0, 3, LENGTH_MAX);

        assertSame(longest, reassembler.tryGrant());
    }

    @Test
    void shouldFindRoomForTheLongestBesideManyMessagesOfOneNodeThatStopped()
    {
        final Transfer before = request(1, 0, 1, LENGTH_MAX - 64);
        final Transfer stopped = request(2, 0, 2, 64);
        assertSame(before, reassembler.tryGrant());
        assertSame(stopped, reassembler.tryGrant());
        final Transfer stoppedToo = request(2, 1, 3, 128);
        final Transfer longest = request(3, 0, 4, LENGTH_MAX);

        for (Transfer granted = reassembler.tryGrant(); granted != null; granted = reassembler.tryGrant())
        {
            assertTrue(granted == stoppedToo || granted == longest);
        }
        reassembler.end(before);
        for (Transfer granted = reassembler.tryGrant(); granted != null; granted = reassembler.tryGrant())
        {
            assertTrue(granted == stoppedToo || granted == longest);
        }

        assertTrue(longest.isGranted());
    }

    @Test
    void shouldNotLetANodesShortMessagesOvertakeItsLongOne()
    {
        final Transfer first = request(1, 0, 1, 64);
        assertSame(first, reassembler.tryGrant());
        final Transfer longest = request(1, 1, 2, LENGTH_MAX);
        final Transfer shorter = request(1, 2, 3, 64);
        final Transfer other = request(2, 0, 4, 64);

        assertSame(other, reassembler.tryGrant());
        assertNull(reassembler.tryGrant());
        reassembler.end(first);
        assertSame(longest, reassembler.tryGrant());
        assertNull(reassembler.tryGrant());
        reassembler.end(longest);
        assertSame(shorter, reassembler.tryGrant());
    }

    @Test
    void shouldForgetARequestThatIsGivenUpWhileItWaits()
    {
        final Transfer first = request(1, 0, 1, LENGTH_MAX);
        final Transfer second = request(2, 0, 2, LENGTH_MAX);
        final Transfer third = request(3, 0, 3, LENGTH_MAX);
        reassembler.tryGrant();
        reassembler.tryGrant();

        reassembler.end(third);
        reassembler.end(first);
        reassembler.end(second);

        assertNull(reassembler.tryGrant());
        assertEquals(0, reassembler.openCount());
        assertEquals(0, reassembler.heldLength());
    }

    @Test
    void shouldNotKeepMoreTransfersOfANodeThanAnHonestOneHas()
    {
        for (int i = 0; i < Reassembler.PER_NODE_COUNT_MAX; i++)
        {
            assertNotNull(request(1, i, i, LENGTH_MAX));
        }

        assertNull(begin(1, Reassembler.PER_NODE_COUNT_MAX, 0, 1));
        assertNotNull(begin(2, 0, 0, 1));
    }

    @Test
    void shouldHoldAMessageOfNoBytesAndRefuseMemoryForLessThanOne()
    {
        final Transfer transfer = request(1, 0, 1, 0);

        assertSame(transfer, reassembler.tryGrant());
        assertNull(Reassembler.invalid(transfer, 1, 0, 0, true));
        reassembler.end(transfer);

        assertTrue(reassembler.isHoldable(LENGTH_MAX));
        assertFalse(reassembler.isHoldable(LENGTH_MAX + 1));
        assertThrows(IllegalArgumentException.class, () -> new Reassembler(2, 1, 1));
    }

    @Test
    void shouldKeepEveryByteApartWhateverComesInWhateverOrder()
    {
        for (long seed = 1; seed <= 30; seed++)
        {
            final Random random = new Random(seed);
            final Map<Long, Integer> seeds = new HashMap<>();
            final List<Transfer> granted = new ArrayList<>();
            for (int step = 0; step < 3_000; step++)
            {
                step(random, seeds, granted, seed);
                assertTrue(reassembler.heldLength() <= 2 * LENGTH_MAX, "seed=" + seed);
            }
            for (int i = reassembler.openCount() - 1; i >= 0; i--)
            {
                reassembler.end(reassembler.open(i));
            }
            assertEquals(0, reassembler.heldLength(), "seed=" + seed);
        }
    }

    private void step(
        final Random random, final Map<Long, Integer> seeds, final List<Transfer> granted, final long seed)
    {
        final long key = FlowKey.of((1 + random.nextInt(NODE_COUNT - 1)) << 12, random.nextInt(3));
        if (random.nextInt(3) == 0 && reassembler.find(key, 0) == null)
        {
            final int fill = random.nextInt();
            seeds.put(key, fill);
            BeginWords.write(bytes, 0, 16, 1 + random.nextInt(LENGTH_MAX), 0);
            words.read(bytes, 0, FragmentDescriptor.BEGIN_LENGTH);
            reassembler.request(reassembler.begin(key, words));
        }
        final Transfer next = reassembler.tryGrant();
        if (next != null)
        {
            granted.add(next);
        }
        if (granted.isEmpty())
        {
            return;
        }
        final Transfer transfer = granted.get(random.nextInt(granted.size()));
        final int fill = seeds.get(transfer.flowKey());
        final int length = Math.min(1 + random.nextInt(100), (int)(transfer.totalLength() - transfer.position()));
        for (int i = 0; i < length; i++)
        {
            bytes.putByte(i, (byte)(fill + (transfer.position() + i) * 3));
        }
        reassembler.take(transfer, bytes, 0, length);
        if (transfer.position() == transfer.totalLength())
        {
            for (int i = 0; i < transfer.totalLength(); i++)
            {
                assertEquals((byte)(fill + i * 3), transfer.memory().getByte(i), "seed=" + seed);
            }
            granted.remove(transfer);
            reassembler.end(transfer);
        }
    }

    @Test
    void shouldKeepTransfersOfSeveralIncarnationsApart()
    {
        final List<Transfer> transfers = new ArrayList<>();
        for (int incarnation = 1; incarnation <= 3; incarnation++)
        {
            BeginWords.write(bytes, 0, 16, 1, (long)incarnation << Integer.SIZE | 5);
            words.read(bytes, 0, FragmentDescriptor.BEGIN_LENGTH);
            transfers.add(reassembler.begin(FlowKey.of(1 << 12, 0), words));
            reassembler.request(transfers.get(incarnation - 1));
        }
        final long key = transfers.get(0).flowKey();

        for (int i = 0; i < 3; i++)
        {
            assertSame(transfers.get(i), reassembler.find(key, i + 1));
        }
        reassembler.end(transfers.get(1));
        assertNull(reassembler.find(key, 2));
        assertSame(transfers.get(0), reassembler.find(key, 1));
        reassembler.end(transfers.get(2));
        assertNull(reassembler.find(key, 3));
        assertSame(transfers.get(0), reassembler.find(key, 1));
        reassembler.end(transfers.get(0));
        assertNull(reassembler.find(key, 1));
        assertEquals(0, reassembler.openCount());
    }

    @Test
    void shouldJudgePartsOfAMessageLongerThanAnIntHolds()
    {
        final long length = 3L << Integer.SIZE;
        final Transfer transfer = begin(1, 0, 5, length);
        reassembler.grantWithoutMemory(transfer);

        while (transfer.position() < length - Integer.MAX_VALUE)
        {
            assertNull(Reassembler.invalid(transfer, 5, transfer.position(), Integer.MAX_VALUE, false));
            reassembler.take(transfer, bytes, 0, Integer.MAX_VALUE);
        }
        final int rest = (int)(length - transfer.position());
        final long lap = transfer.position() - (1L << Integer.SIZE);

        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 5, lap, rest, true));
        assertEquals(RejectReason.BAD_PART, Reassembler.invalid(transfer, 5, transfer.position(), rest - 1, true));
        assertNull(Reassembler.invalid(transfer, 5, transfer.position(), rest, true));
        assertFalse(reassembler.isHoldable(length));
        assertEquals(0, reassembler.heldLength());
    }

    private Transfer request(final int node, final int channel, final int transfer, final int length)
    {
        final Transfer begun = begin(node, channel, transfer, length);
        reassembler.request(begun);
        return begun;
    }

    private Transfer begin(final int node, final int channel, final int transfer, final long length)
    {
        BeginWords.write(bytes, 0, 16, length, transfer);
        assertNull(words.read(bytes, 0, FragmentDescriptor.BEGIN_LENGTH));
        return reassembler.begin(FlowKey.of(node << 12, channel), words);
    }

    private void fill(final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            bytes.putByte(i, (byte)(seed + i * 7));
        }
    }
}
