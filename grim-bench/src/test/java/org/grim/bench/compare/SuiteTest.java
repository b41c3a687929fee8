// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SuiteTest
{
    @Test
    void shouldKeepMessagesAndMemoryApart()
    {
        assertEquals(List.of("grim", "raw", "copy-flag", "ring", "aeron-ipc", "aeron-ipc-default", "one-to-one", "tcp",
            "uds"), Suite.SHMEM.peers().stream().map(PeerKind::label).toList());
        assertEquals(List.of("grim", "raw", "copy-flag", "aeron-ipc", "grim-rm-p", "grim-rm-v", "copy-memory",
            "copy-mapped", "ucx"), Suite.MEMORY.peers().stream().map(PeerKind::label).toList());
        assertEquals(List.of("put-latency", "put-bandwidth", "get-latency", "get-bandwidth", "large-message"),
            Suite.MEMORY.benchmarks().stream().map(Benchmark::label).toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldMeasureOursWhereverRatiosAreAboutIt(final Benchmark benchmark)
    {
        for (final int size : benchmark.sizes())
        {
            assertTrue(benchmark.ours().takesPart(benchmark, size));
        }
    }

    @Test
    void shouldCompareEachPeerWhereItMakesSense()
    {
        final ComparisonOptions options = new ComparisonOptions(1, 1, Set.copyOf(Suite.MEMORY.benchmarks()),
            Set.copyOf(Suite.MEMORY.peers()), Set.of(8, 16 << 20), null);

        assertEquals(16 << 20, options.sizeMax());
        assertEquals(9, options.cells().size());
        assertEquals(List.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.GRIM_RM_P, PeerKind.GRIM_RM_V, PeerKind.UCX),
            options.peersOf(options.cells().get(0)));
        assertEquals(List.of(PeerKind.GRIM, PeerKind.COPY_MEMORY, PeerKind.COPY_MAPPED),
            options.peersOf(options.cells().get(8)));
        assertFalse(options.without(PeerKind.UCX).peersOf(options.cells().get(0)).contains(PeerKind.UCX));
    }

    @Test
    void shouldFitIterationsOfOthersIntoTheTime()
    {
        assertEquals(1_000_000, UcxSide.iterations(8, 1_000_000_000));
        assertEquals(10, UcxSide.iterations(16 << 20, 1_000));
        assertEquals(601, UcxSide.iterations(1 << 20, 63_100_000));
    }
}
