// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Random receives, messages, cancels and probes, beside two plain lists that are searched from the front. */
final class MatchingTest
{
    private static final int STEP_COUNT = 20_000;
    private static final int CONTEXT_COUNT = 2;
    private static final int SOURCE_COUNT = 3;
    private static final int TAG_COUNT = 4;

    private final Matching matching = new Matching();
    private final List<Entry> posted = new ArrayList<>();
    private final List<Entry> arrived = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldMatchAsPlainListsDo(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        int matchCount = 0;
        for (int step = 0; step < STEP_COUNT; step++)
        {
            final int context = random.nextInt(CONTEXT_COUNT);
            final int source = random.nextInt(SOURCE_COUNT);
            final int tag = random.nextInt(-1, TAG_COUNT);
            switch (random.nextInt(8))
            {
                case 0 -> cancel(random);
                case 1 -> assertSame(firstArrived(context, source, tag), matching.findArrived(context, source, tag));
                case 2, 3, 4 -> matchCount += send(context, source, Math.max(0, tag)) ? 1 : 0;
                default -> matchCount +=
                    receive(context, random.nextInt(3) == 0 ? Entry.ANY : source, tag) ? 1 : 0;
            }
            assertEquals(posted.size(), matching.postedCount());
            assertEquals(arrived.size(), matching.arrivedCount());
            assertSame(arrived.isEmpty() ? null : arrived.get(0), matching.oldest());
        }
        assertTrue(matchCount > STEP_COUNT / 10, "matches=" + matchCount);
    }

    private void cancel(final SplittableRandom random)
    {
        if (!posted.isEmpty())
        {
            matching.cancel(posted.remove(random.nextInt(posted.size())));
        }
    }

    private boolean send(final int context, final int source, final int tag)
    {
        Entry expected = null;
        for (int i = 0; expected == null && i < posted.size(); i++)
        {
            expected = posted.get(i).takes(context, source, tag) ? posted.remove(i) : null;
        }
        assertSame(expected, matching.takePosted(context, source, tag));
        if (expected == null)
        {
            final Arrival message = new Arrival();
            message.envelope(context, source, tag);
            matching.arrive(message);
            arrived.add(message);
        }
        return expected != null;
    }

    private boolean receive(final int context, final int source, final int tag)
    {
        final Entry expected = firstArrived(context, source, tag);
        final Entry found = matching.findArrived(context, source, tag);
        assertSame(expected, found);
        if (found == null)
        {
            final Receive receive = new Receive();
            receive.envelope(context, source, tag);
            matching.post(receive);
            posted.add(receive);
            return false;
        }
        matching.take(found);
        arrived.remove(found);
        return true;
    }

    private Entry firstArrived(final int context, final int source, final int tag)
    {
        final Receive pattern = new Receive();
        pattern.envelope(context, source, tag);
        return arrived.stream().filter(message -> pattern.takes(message.context, message.source, message.tag))
            .findFirst().orElse(null);
    }
}
