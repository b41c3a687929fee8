// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;

import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
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
        assertEquals(List.of("tcp", "aeron-udp", "grim-aeron", "ucx-tcp", "ompi-tcp"),
            Suite.NETWORK.peers().stream().map(PeerKind::label).toList());
        assertEquals(List.of("tcp", "grim-sockets"), Suite.SOCKETS.peers().stream().map(PeerKind::label).toList());
        assertFalse(Suite.SHMEM.allPeers().contains(PeerKind.GRIM_AERON));
        assertFalse(Suite.SHMEM.allPeers().contains(PeerKind.GRIM_SOCKETS));
        assertEquals(List.of("grim", "aeron-ipc"), Suite.COST.allPeers().stream().map(PeerKind::label).toList());
        assertEquals(List.of("latency", "rate", "bandwidth", "poll", "cost"),
            Suite.SHMEM.benchmarks().stream().map(Benchmark::label).toList());
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
        assertEquals(List.of("raw", "copy-flag", "grim-rm-p", "grim-rm-v", "ucx"),
            takingPart(Benchmark.PUT_LATENCY, 8));
        assertEquals(List.of("grim", "copy-memory", "copy-mapped"), takingPart(Benchmark.LARGE_MESSAGE, 16 << 20));
        assertTrue(Suite.SHMEM.allPeers().containsAll(List.of(PeerKind.UCX, PeerKind.OPEN_MPI)));
    }

    private static List<String> takingPart(final Benchmark benchmark, final int size)
    {
        return Suite.MEMORY.peers().stream().filter(kind -> kind.takesPart(benchmark, size)).map(PeerKind::label)
            .toList();
    }
}
