// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.List;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.compare.Suite;
import org.grim.bench.figures.PointKey;

/** Remote memory and large messages through shared memory. Thread: the measuring one. */
final class MemorySection
{
    static final String SUITE = "memory";

    private MemorySection()
    {
    }

    static void run(final Part part)
    {
        final Effort effort = part.effort();
        final List<PeerKind> kinds = new ArrayList<>(Suite.MEMORY.peers());
        kinds.remove(PeerKind.UCX);
        final List<Integer> sizes = effort.choose(List.of(64), List.of(8, 64, 2048, 65536, 1 << 20),
            Benchmark.PUT_LATENCY.sizes());
        final List<Integer> largeSizes =
            effort.choose(List.of(128 << 10), List.of(128 << 10, 1 << 20), Benchmark.LARGE_MESSAGE.sizes());
        final int sizeMax = Math.max(sizes.get(sizes.size() - 1), largeSizes.get(largeSizes.size() - 1));
        try (PeerPair pair = PeerPair.start(kinds, sizeMax, part.directory(), null, part.arguments()))
        {
            pair.connect();
            final PairRounds rounds = new PairRounds(pair, effort);
            for (final Benchmark benchmark : Suite.MEMORY.benchmarks())
            {
                (benchmark == Benchmark.LARGE_MESSAGE ? largeSizes : sizes)
                    .forEach(size -> rounds.add(benchmark, size, false, kinds));
            }
            rounds.run(SUITE, effort.warmUpNs(), task -> List.of(new PointKey(SUITE, task.cell().benchmark().label(),
                MessagesSection.nameOf(task.kind()), task.cell().mode(), "size", task.cell().size())), part.figures());
        }
        OtherPrograms.memory(part, effort.choose(List.of(64), List.of(64, 65536), sizes));
    }
}
