// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What one command compares. */
public enum Suite
{
    /** Messages through shared memory. */
    SHMEM,

    /** Remote memory, and messages of any size, through shared memory. */
    MEMORY;

    /**
     * What is measured.
     *
     * @return in the order of the report.
     */
    public List<Benchmark> benchmarks()
    {
        return switch (this)
        {
            case SHMEM -> List.of(Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH, Benchmark.POLL);
            case MEMORY -> List.of(Benchmark.PUT_LATENCY, Benchmark.PUT_BANDWIDTH, Benchmark.GET_LATENCY,
                Benchmark.GET_BANDWIDTH, Benchmark.LARGE_MESSAGE);
        };
    }

    /**
     * Who is measured unless others are asked for.
     *
     * @return whoever takes part in a benchmark, in the order of {@link PeerKind}.
     */
    public List<PeerKind> peers()
    {
        return allPeers().stream().filter(kind -> !kind.isOnRequest()).toList();
    }

    /**
     * Who can be measured.
     *
     * @return the same, and those that are measured only when asked for.
     */
    public List<PeerKind> allPeers()
    {
        return Stream.of(PeerKind.values()).filter(kind -> benchmarks().stream().anyMatch(benchmark ->
            benchmark.sizes().stream().anyMatch(size -> kind.takesPart(benchmark, size)))).toList();
    }

    /**
     * Payload sizes; counts of queues are none.
     *
     * @return bytes, ascending.
     */
    public Set<Integer> sizes()
    {
        final Set<Integer> sizes = new TreeSet<>();
        benchmarks().stream().filter(benchmark -> benchmark != Benchmark.POLL)
            .forEach(benchmark -> sizes.addAll(benchmark.sizes()));
        return sizes;
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
