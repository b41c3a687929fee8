// SPDX-License-Identifier: Apache-2.0
package org.grim.board.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.counters.CountersView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

final class NiCountersTest
{
    private static final List<String> REASONS = List.of("MALFORMED", "LATER");

    @TempDir
    private Path directory;

    @Test
    void shouldShowGaugesAndTriplesInAFile()
    {
        final Path path = directory.resolve("ni");
        try (NiCounters counters = NiCounters.create(path, 4, REASONS);
            CountersView view = new CountersView(path, NiCounterKind.values()))
        {
            counters.set(NiCounterKind.IN_FLIGHT, 0, 17);
            counters.set(NiCounterKind.CHANNEL_QUEUED, 3, 4096);
            counters.set(NiCounterKind.DROPPED, 1, 5);
            counters.triple(3, 4095, 255).refused();
            counters.triple(3, 4095, 255).rolledBack();
            counters.triple(3, 4095, 255).repeated();
            counters.triple(3, 4095, 255).repeated();

            final int key = NiCounters.tripleKey(3, 4095, 255);
            assertEquals(17, value(view, NiCounterKind.IN_FLIGHT, 0));
            assertEquals(4096, value(view, NiCounterKind.CHANNEL_QUEUED, 3));
            assertEquals(0, value(view, NiCounterKind.CHANNEL_QUEUED, 2));
            assertEquals(5, value(view, NiCounterKind.DROPPED, 1));
            assertEquals(1, value(view, NiCounterKind.TRIPLE_NACKS, key));
            assertEquals(1, value(view, NiCounterKind.TRIPLE_ROLLBACKS, key));
            assertEquals(2, value(view, NiCounterKind.TRIPLE_REPEATS, key));
            assertEquals("dropped LATER", reading(view, NiCounterKind.DROPPED, 1).label());
            assertEquals("nacks ni-channel=3 ni=4095 to-ni-channel=255",
                reading(view, NiCounterKind.TRIPLE_NACKS, key).label());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldTakeATripleKeyApart()
    {
        final int key = NiCounters.tripleKey(200, 4095, 131);

        assertEquals(200, NiCounters.channelOf(key));
        assertEquals(4095, NiCounters.niOf(key));
        assertEquals(131, NiCounters.destinationChannelOf(key));
    }

    @Test
    void shouldLetTriplesShareCountersWhenThereAreTooMany()
    {
        try (NiCounters counters = NiCounters.inPrivateMemory(1, REASONS))
        {
            for (int i = 0; i < NiCounters.TRIPLE_COUNT_MAX; i++)
            {
                assertSame(counters.triple(0, i, 0), counters.triple(0, i, 0));
            }

            assertSame(counters.triple(0, 1000, 0), counters.triple(0, 1001, 0));
            assertNotSame(counters.triple(0, 1000, 0), counters.triple(0, 0, 0));
        }
    }

    private static long value(final CountersView view, final NiCounterKind kind, final int key)
    {
        return reading(view, kind, key).value();
    }

    private static CountersView.Reading reading(final CountersView view, final NiCounterKind kind, final int key)
    {
        return view.readings().stream().filter(reading -> reading.kind() == kind && reading.key() == key).findFirst()
            .orElseThrow();
    }
}
