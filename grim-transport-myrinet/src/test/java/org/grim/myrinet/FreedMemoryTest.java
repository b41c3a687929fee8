// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.grim.SendStatus;
import org.grim.board.counters.NiCounterKind;
import org.grim.myrinet.memory.TestPages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.myrinet.MemoryCluster.BOTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** More regions than the board can know, and regions that go while others write them. */
@Timeout(180)
final class FreedMemoryTest
{
    private static final int PAGE = TestPages.PAGE;
    private static final int CACHE_PAGES = 1024;

    @TempDir
    private Path directory;

    @Test
    void shouldStayRightWithMoreRegionsThanTheCacheHas()
    {
        final int regionCount = CACHE_PAGES + 400;
        try (MemoryCluster cluster =
            new MemoryCluster(directory, Map.of("grim.myrinet.registered-length", regionCount * PAGE)))
        {
            final List<TestPages.Region> regions = new ArrayList<>();
            for (int i = 0; i < regionCount; i++)
            {
                regions.add(cluster.far.pages.register(PAGE, BOTH));
            }
            for (int round = 1; round <= 3; round++)
            {
                for (int i = 0; i < regionCount; i++)
                {
                    final TestPages.Region region = regions.get(i * 7 % regionCount);
                    final int value = round * regionCount + i;
                    cluster.write(false, region.virtualAddress() + 64, i, 32, region.virtualAddress() + 8, value, i);
                }
                cluster.settle();
                for (int i = 0; i < regionCount; i++)
                {
                    final int offset = regions.get(i * 7 % regionCount).offset();
                    assertEquals(round * regionCount + i, cluster.far.memory.getIntVolatile(offset + 8));
                    assertTrue(cluster.hasPayload(cluster.far.memory, offset + 64, i, 32));
                }
            }

            assertEquals(List.of(), cluster.outcomes);
            assertTrue(cluster.far.counter(NiCounterKind.TRANSLATION_HITS) >= 3L * regionCount);
            assertTrue(cluster.far.counter(NiCounterKind.TRANSLATION_MISSES) >= 3 * 400);
            assertTrue(cluster.far.counter(NiCounterKind.TRANSLATION_EVICTIONS) >= 400);
            assertTrue(cluster.far.counter(NiCounterKind.TRANSLATION_REQUESTS) >= regionCount);
            assertEquals(0, cluster.far.counter(NiCounterKind.TRANSLATION_DENIED));
        }
    }

    @Test
    void shouldAskNothingForLargeRegionsWhileThereAreStaticEntries()
    {
        try (MemoryCluster cluster =
            new MemoryCluster(directory, Map.of("grim.myrinet.registered-length", 64 * 16 * PAGE)))
        {
            final List<TestPages.Region> regions = new ArrayList<>();
            for (int i = 0; i < 20; i++)                            // 16 have entries.
            {
                regions.add(cluster.far.pages.register(16 * PAGE, BOTH));
            }
            for (int i = 0; i < 20; i++)
            {
                cluster.write(false, regions.get(i).virtualAddress() + 4_000, i, 5_000,
                    regions.get(i).virtualAddress(), i + 1, 7);
            }
            cluster.settle();
            for (int i = 0; i < 20; i++)
            {
                assertEquals(i + 1, cluster.far.memory.getIntVolatile(regions.get(i).offset()));
                assertTrue(cluster.hasPayload(cluster.far.memory, regions.get(i).offset() + 4_000, i, 5_000));
            }
            assertEquals(4, cluster.far.counter(NiCounterKind.TRANSLATION_REQUESTS));

            cluster.far.pages.free(regions.get(0));
            cluster.await(() -> cluster.far.pages.reuse(regions.get(0)), "the board to forget");
            cluster.write(false, regions.get(0).virtualAddress(), 8, 0, 0);
            cluster.settle();
            assertEquals(List.of("7 8 BY_NETWORK_INTERFACE"), cluster.outcomes);
            final TestPages.Region next = cluster.far.pages.register(16 * PAGE, BOTH);
            cluster.write(false, next.virtualAddress(), 8, 0, 0);
            cluster.settle();
            // One that was denied; once more if the write came again later than the board remembers that.
            final long deniedCount = cluster.far.counter(NiCounterKind.TRANSLATION_DENIED);
            assertTrue(deniedCount >= 1);
            assertEquals(4 + deniedCount, cluster.far.counter(NiCounterKind.TRANSLATION_REQUESTS));
        }
    }

    /** Regions that are small, or large with a static entry, go and come while writes to them are under way. */
    @Test
    void shouldNeverWriteToPagesThatWereGivenOutAgain()
    {
        try (MemoryCluster cluster =
            new MemoryCluster(directory, Map.of("grim.myrinet.registered-length", 18 * PAGE)))
        {
            int freedInFlight = 0;
            for (int round = 0; round < 400; round++)
            {
                final int length = round % 3 == 0 ? 18 * PAGE : PAGE * (1 + round % 4);
                final TestPages.Region region = cluster.far.pages.register(length, BOTH);
                final long address = region.virtualAddress();
                for (int i = 0; i < 1 + round % 5; i++)
                {
                    cluster.hop.tryWrite(false, address + i * 8L, cluster.payload, 1, 8, address + 64, 1, round);
                }
                for (int i = 0; i < round % 4; i++)
                {
                    cluster.step();
                }
                freedInFlight += cluster.near.transport.sessionForTest().unsettledCount() > 0 ? 1 : 0;
                cluster.far.pages.free(region);
                cluster.await(() -> cluster.far.pages.reuse(region), "the board to forget");

                final TestPages.Region next = cluster.far.pages.register(18 * PAGE, BOTH);      // The same pages.
                cluster.settle();
                for (int i = 0; i < 18 * PAGE; i += 8)
                {
                    assertEquals(0, cluster.far.memory.getLong(i), "round " + round + " at " + i);
                }
                cluster.far.pages.free(next);
                cluster.await(() -> cluster.far.pages.reuse(next), "the board to forget");
            }
            assertTrue(freedInFlight > 100, "freed in flight: " + freedInFlight);
            assertTrue(cluster.outcomes.stream().allMatch(text -> text.endsWith("8 BY_NETWORK_INTERFACE")));
            assertTrue(cluster.far.counter(NiCounterKind.TRANSLATION_FORGOTTEN) >= 400);
        }
    }

    @Test
    void shouldHaveForgottenWhenTheBoardIsGone()
    {
        try (MemoryCluster cluster = new MemoryCluster(directory, Map.of()))
        {
            final TestPages.Region region = cluster.far.pages.register(PAGE, BOTH);
            cluster.write(false, region.virtualAddress(), 8, region.virtualAddress() + 8, 1);
            cluster.settle();
            assertEquals(SendStatus.SENT, cluster.hop.tryWrite(
                false, region.virtualAddress(), cluster.payload, 0, 8, 0, 0, 3));
            cluster.far.close();
            cluster.far.pages.free(region);

            assertTrue(cluster.far.pages.reuse(region));
        }
    }
}
