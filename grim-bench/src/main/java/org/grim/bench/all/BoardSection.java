// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.List;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.figures.PointKey;

/**
 * Messages through boards, each stepped in the duty cycle of its process: with tail flags as the {@code messages} have
 * it, and beside them with queue pointers. Limits stand in the same rounds as yardsticks only.
 * <p>Thread: the measuring one.
 */
final class BoardSection
{
    private static final String SUITE = "board";
    private static final int SMALL_SIZE = 32;
    private static final int LARGE_SIZE = 4096;
    private static final List<PeerKind> KINDS =
        List.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING, PeerKind.GRIM_MYRINET, PeerKind.GRIM_MYRINET_POINTER);
    private static final List<PeerKind> ONE_KIND =
        List.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING, PeerKind.GRIM_MYRINET);

    private BoardSection()
    {
    }

    static void run(final Part part)
    {
        final Effort effort = part.effort();
        try (PeerPair pair = PeerPair.start(KINDS, 65504, part.directory(), null, part.arguments()))
        {
            pair.connect();
            final PairRounds rounds = new PairRounds(pair, effort);
            for (final boolean isRead : new boolean[] {false, true})
            {
                MessagesSection.latencySizes(effort).forEach(size -> rounds.add(Benchmark.LATENCY, size, isRead,
                    size == SMALL_SIZE && !isRead ? KINDS : ONE_KIND));
            }
            rounds.add(Benchmark.LATENCY, LARGE_SIZE, false, KINDS);
            MessagesSection.rateSizes(effort).forEach(size -> rounds.add(Benchmark.RATE, size, false, ONE_KIND));
            MessagesSection.bandwidthSizes(effort)
                .forEach(size -> rounds.add(Benchmark.BANDWIDTH, size, false, ONE_KIND));
            rounds.run(SUITE, effort.boardWarmUpNs(), BoardSection::keysOf, part.figures());
        }
    }

    private static List<PointKey> keysOf(final PairRounds.Task task)
    {
        final List<PointKey> keys = new ArrayList<>();
        final Cell cell = task.cell();
        final String peer = MessagesSection.nameOf(task.kind());
        final boolean isTailFlag = task.kind() == PeerKind.GRIM_MYRINET;
        if (isTailFlag && cell.size() != LARGE_SIZE)
        {
            keys.add(new PointKey(MessagesSection.SUITE, cell.benchmark().label(), peer, cell.mode(), "size",
                cell.size()));
        }
        if ((isTailFlag || task.kind() == PeerKind.GRIM_MYRINET_POINTER) && cell.benchmark() == Benchmark.LATENCY &&
            !cell.isRead() && (cell.size() == SMALL_SIZE || cell.size() == LARGE_SIZE))
        {
            keys.add(new PointKey(SUITE, cell.benchmark().label(), peer, isTailFlag ? "tail-flag" : "queue-pointer",
                "size", cell.size()));
        }
        return keys;
    }
}
