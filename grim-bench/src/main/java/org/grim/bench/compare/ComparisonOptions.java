// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the user wants measured.
 *
 * @param rounds     counted rounds.
 * @param roundMs    length of a cell.
 * @param benchmarks to run.
 * @param peers      to run.
 * @param sizes      payload bytes, of those that the benchmarks have; null for all.
 * @param directory  where files are made; null for shared memory.
 */
public record ComparisonOptions(
    int rounds, int roundMs, Set<Benchmark> benchmarks, Set<PeerKind> peers, Set<Integer> sizes, Path directory)
{
    private static final int WARM_UP_ROUNDS_MIN = 2;
    private static final int ROUNDS_PER_WARM_UP = 3;

    /** The same without a peer that is not there. */
    ComparisonOptions without(final PeerKind kind)
    {
        return new ComparisonOptions(rounds, roundMs, benchmarks,
            peers.stream().filter(other -> other != kind).collect(Collectors.toSet()), sizes, directory);
    }

    /** Cells of one round, one list per comparison: the same cell for all peers. {@link Benchmark#POLL} is no cell. */
    List<Cell> cells()
    {
        final List<Cell> cells = new ArrayList<>();
        for (final Benchmark benchmark : Benchmark.values())
        {
            for (final int size : benchmark.sizes())
            {
                if (benchmark != Benchmark.POLL && benchmarks.contains(benchmark) &&
                    (sizes == null || sizes.contains(size)))
                {
                    cells.add(new Cell(benchmark, size, false));
                    if (benchmark.hasReadMode())
                    {
                        cells.add(new Cell(benchmark, size, true));
                    }
                }
            }
        }
        return cells;
    }

    /** Most bytes of a payload: what both sides of a peer make room for. */
    int sizeMax()
    {
        return cells().stream().mapToInt(Cell::size).max().orElse(0);
    }

    /** Whoever takes part in a cell, in the order of {@link PeerKind}. */
    List<PeerKind> peersOf(final Cell cell)
    {
        return peers.stream().sorted().filter(kind -> kind.takesPart(cell.benchmark(), cell.size())).toList();
    }

    /** Rounds before those that count: compiled code is quick only after some seconds. */
    int warmUpRounds()
    {
        return Math.max(WARM_UP_ROUNDS_MIN, rounds / ROUNDS_PER_WARM_UP);
    }

    /** Time that the measurements take, without the start of processes. */
    long expectedMs()
    {
        final long cellCount = cells().stream().mapToLong(cell -> peersOf(cell).size()).sum() +
            (isPolled() ? Benchmark.POLL.sizes().size() : 0);
        return cellCount * roundMs * (rounds + warmUpRounds());
    }

    boolean isPolled()
    {
        return benchmarks.contains(Benchmark.POLL) && peers.contains(PeerKind.GRIM);
    }
}
