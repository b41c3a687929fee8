// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.deadline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

final class DeadlineHeapTest
{
    private static final int TIMED_COUNT = 60;

    private final DeadlineHeap heap = new DeadlineHeap();

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 500})
    void shouldDoAsASortedListDoes(final long startNs)
    {
        final Random random = new Random(7);
        final List<Timed> reference = new ArrayList<>();
        final Timed[] all = new Timed[TIMED_COUNT];
        for (int i = 0; i < TIMED_COUNT; i++)
        {
            all[i] = new Timed();
        }
        for (int i = 0; i < 50_000; i++)
        {
            final Timed timed = all[random.nextInt(TIMED_COUNT)];
            switch (random.nextInt(4))
            {
                case 0, 1 ->
                {
                    heap.schedule(timed, startNs + random.nextInt(1000));
                    reference.remove(timed);
                    reference.add(timed);
                }
                case 2 ->
                {
                    heap.cancel(timed);
                    reference.remove(timed);
                    assertEquals(Timed.NOT_QUEUED, timed.heapIndex);
                }
                default -> poll(reference, startNs + random.nextInt(1000));
            }
            assertEquals(reference.isEmpty() ? Long.MAX_VALUE : earliest(reference).deadlineNs, heap.earliestNs());
        }
    }

    @Test
    void shouldGiveNothingBeforeItsTime()
    {
        final Timed timed = new Timed();
        heap.schedule(timed, 100);

        assertNull(heap.pollDue(99));
        assertSame(timed, heap.pollDue(100));
        assertNull(heap.pollDue(100));
    }

    private void poll(final List<Timed> reference, final long nowNs)
    {
        final Timed due = heap.pollDue(nowNs);
        if (due == null)
        {
            assertEquals(0, reference.stream().filter(timed -> timed.deadlineNs - nowNs <= 0).count());
        }
        else
        {
            assertEquals(earliest(reference).deadlineNs, due.deadlineNs);
            reference.remove(due);
        }
    }

    private static Timed earliest(final List<Timed> reference)
    {
        final long baseNs = reference.get(0).deadlineNs;
        return reference.stream().min(Comparator.comparingLong(timed -> timed.deadlineNs - baseNs)).orElseThrow();
    }
}
