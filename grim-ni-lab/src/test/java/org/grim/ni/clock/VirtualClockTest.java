// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.clock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class VirtualClockTest
{
    private final VirtualClock clock = new VirtualClock();
    private final List<Integer> ran = new ArrayList<>();

    @Test
    void shouldRunEventsByTimeAndThenInTheOrderOfScheduling()
    {
        clock.schedule(new Named(1), 20);
        clock.schedule(new Named(2), 10);
        clock.schedule(new Named(3), 20);
        clock.schedule(new Named(4), 0);

        assertEquals(0, clock.nextTimeNs());
        runAll();

        assertEquals(List.of(4, 2, 1, 3), ran);
        assertEquals(20, clock.nowNs());
        assertEquals(VirtualClock.NEVER_NS, clock.nextTimeNs());
        assertFalse(clock.runNext());
    }

    @Test
    void shouldForgetACancelledEventAndTakeItAgain()
    {
        final Named event = new Named(1);
        clock.schedule(event, 5);

        assertTrue(clock.cancel(event));
        assertFalse(clock.cancel(event));
        assertFalse(event.isScheduled());
        assertFalse(clock.runNext());
        clock.schedule(event, 7);
        runAll();

        assertEquals(List.of(1), ran);
        assertEquals(7, clock.nowNs());
    }

    @Test
    void shouldPutARescheduledEventBehindOthersOfItsMoment()
    {
        final Named moved = new Named(1);
        clock.schedule(moved, 5);
        clock.schedule(new Named(2), 5);
        clock.schedule(new Named(3), 9);

        clock.reschedule(moved, 5);
        runAll();

        assertEquals(List.of(2, 1, 3), ran);
    }

    @Test
    void shouldRefuseThePastAndASecondPlaceInTheQueue()
    {
        final Named event = new Named(1);
        clock.runUntil(10);
        clock.schedule(event, 10);

        assertThrows(IllegalStateException.class, () -> clock.schedule(event, 11));
        assertThrows(IllegalArgumentException.class, () -> clock.reschedule(event, 9));
        assertThrows(IllegalArgumentException.class, () -> clock.schedule(new Named(2), 9));
        assertEquals(1, clock.scheduledCount());
    }

    @Test
    void shouldAgreeWithASortedListUnderRandomUse()
    {
        final SplittableRandom random = new SplittableRandom(7);
        final List<Named> model = new ArrayList<>();
        final List<Named> all = new ArrayList<>();
        for (int i = 0; i < 300; i++)
        {
            all.add(new Named(i));
        }
        for (int step = 0; step < 50_000; step++)
        {
            final Named event = all.get(random.nextInt(all.size()));
            final long timeNs = clock.nowNs() + random.nextInt(50);
            switch (random.nextInt(4))
            {
                case 0 -> assertEquals(model.remove(event), clock.cancel(event));
                case 1 ->
                {
                    model.remove(event);
                    clock.reschedule(event, timeNs);
                    model.add(event);
                }
                case 2 ->
                {
                    if (!event.isScheduled())
                    {
                        clock.schedule(event, timeNs);
                        model.add(event);
                    }
                }
                default -> runAndCompare(model);
            }
        }
        while (!model.isEmpty())
        {
            runAndCompare(model);
        }
        assertFalse(clock.runNext());
    }

    private void runAndCompare(final List<Named> model)
    {
        final Named first = model.stream().min(Comparator.comparingLong(Event::timeNs)).orElse(null);
        ran.clear();
        assertEquals(first != null, clock.runNext());
        if (first != null)
        {
            model.remove(first);
            assertEquals(List.of(first.name), ran);
            assertEquals(first.timeNs(), clock.nowNs());
        }
    }

    private void runAll()
    {
        while (clock.runNext())
        {
            assertFalse(ran.isEmpty());
        }
    }

    private final class Named extends Event
    {
        private final int name;

        Named(final int name)
        {
            this.name = name;
        }

        @Override
        protected void run()
        {
            ran.add(name);
        }
    }
}
