// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.status.CountersReader;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.LongWait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Waits of threads that a node reports. */
final class ReportedWaitsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldShowAWaitUntilItIsClosed()
    {
        final long beforeMs = System.currentTimeMillis();
        try (NodeCounters counters = open(); CountersView view = view())
        {
            final LongWait wait = counters.reportWait("receive tag=7\n", 3);
            final CountersView.Reading first = waits(view).get(0);
            assertEquals(3, first.key());
            assertEquals("thread-waits receive tag=7\\u000a", first.label());
            assertTrue(first.value() >= beforeMs && first.value() <= System.currentTimeMillis(), first::toString);

            wait.update("receive tag=8", -1);
            assertEquals(List.of(new CountersView.Reading(CounterKind.THREAD_WAITS, -1, "thread-waits receive tag=8",
                first.value())), waits(view));

            assertThrows(NullPointerException.class, () -> wait.update(null, 1));

            wait.close();
            wait.close();
            wait.update("receive tag=9", 1);
            assertEquals(List.of(), waits(view));
        }
    }

    @Test
    void shouldShowSoManyAndOthersAfterThem()
    {
        try (NodeCounters counters = open(); CountersView view = view())
        {
            final List<LongWait> waits = new ArrayList<>();
            for (int i = 0; i < 2 * LongWait.COUNT_MAX; i++)
            {
                waits.add(counters.reportWait("x".repeat(1_000), i));
            }
            assertEquals(LongWait.COUNT_MAX, waits(view).size());

            waits.forEach(LongWait::close);
            assertEquals(List.of(), waits(view));
            counters.reportWait("one more", 0);
            assertEquals(1, waits(view).size());
        }
    }

    @Test
    void shouldDoNothingAfterTheNodeHasLeft()
    {
        final Grim grim = Grim.enable(GrimConfig.builder().nodeName("waits").transports("null").build());
        assertThrows(NullPointerException.class, () -> grim.reportWait(null, 0));
        final LongWait wait = grim.reportWait("receive", 0);
        final CountersReader counters = grim.counters();
        grim.close();

        wait.update("send", 1);
        wait.close();
        grim.reportWait("one more", 0).close();

        final List<String> shown = new ArrayList<>();
        counters.forEach((id, typeId, key, label) ->
        {
            if (typeId == CounterKind.THREAD_WAITS.typeId())
            {
                shown.add(label);
            }
        });
        assertEquals(List.of("thread-waits receive"), shown);
    }

    private NodeCounters open()
    {
        return NodeCounters.create(directory.resolve("waits.counters"), 1);
    }

    private CountersView view()
    {
        return new CountersView(directory.resolve("waits.counters"));
    }

    private static List<CountersView.Reading> waits(final CountersView view)
    {
        return view.readings().stream().filter(reading -> reading.kind() == CounterKind.THREAD_WAITS).toList();
    }
}
