// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.bench.all.PairMeasurement.Row;
import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.PairRounds;
import org.grim.tools.pair.PeerKind;

/**
 * The sections of two processes, as tables: messages through shared memory beside limits and others, a node to itself,
 * remote memory and large messages, and messages through boards. Thread: the measuring one.
 */
final class PairSection
{
    private static final String LOOP = "loop";
    private static final int MESSAGE_SIZE_MAX = 65504;
    private static final int SMALL_SIZE = 32;
    private static final int LARGE_SIZE = 4096;

    private static final List<PeerKind> MESSAGES = List.of(PeerKind.GRIM, PeerKind.RAW, PeerKind.COPY_FLAG,
        PeerKind.RING, PeerKind.AERON_IPC, PeerKind.AERON_IPC_DEFAULT, PeerKind.ONE_TO_ONE, PeerKind.TCP, PeerKind.UDS,
        PeerKind.AERON_UDP, PeerKind.JCTOOLS, PeerKind.UCX, PeerKind.OPEN_MPI);
    /** Limits stand in the same rounds as yardsticks only. */
    private static final List<PeerKind> BOARDS = List.of(PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING,
        PeerKind.GRIM_MYRINET, PeerKind.GRIM_MYRINET_POINTER);

    private PairSection()
    {
    }

    static void run(final Part part, final Section section)
    {
        final Effort effort = part.effort();
        final boolean isBoard = section == Section.BOARD;
        final PairMeasurement.Times times = new PairMeasurement.Times(
            TimeUnit.MILLISECONDS.toNanos(effort.choose(2, 12, 50)), effort.rounds(), effort.choose(1, 1, 2),
            effort.warmUpNs(isBoard), 1);
        new PairMeasurement(section.toString(), part.figures(), rows(section, part.name(), effort), times, null)
            .run(part.directory(), false, isBoard ? PairSection::boardKeys : task -> List.of(key(section, task)));
    }

    /** Name in figures: this library has several transports. */
    static String nameOf(final PeerKind kind)
    {
        return kind == PeerKind.GRIM ? "grim-shmem" :
            kind == PeerKind.GRIM_MYRINET_POINTER ? PeerKind.GRIM_MYRINET.label() : kind.label();
    }

    static List<Row> rows(final Section section, final String part, final Effort effort)
    {
        final List<Integer> latencySizes = effort.choose(List.of(SMALL_SIZE, 2048),
            List.of(8, SMALL_SIZE, 256, 2048, 16384, MESSAGE_SIZE_MAX),
            List.of(0, 8, SMALL_SIZE, 256, 2048, 16384, MESSAGE_SIZE_MAX));
        final List<Integer> rateSizes = effort.choose(List.of(32), List.of(32, 256), List.of(8, 32, 256));
        final List<Integer> bandwidthSizes = effort.choose(List.of(16384), List.of(2048, 16384, MESSAGE_SIZE_MAX),
            List.of(2048, 16384, MESSAGE_SIZE_MAX));
        final List<Row> rows = new ArrayList<>();
        if (section == Section.MEMORY)
        {
            final List<Integer> sizes = effort.choose(List.of(64), List.of(8, 64, 2048, 65536, 1 << 20),
                Benchmark.PUT_LATENCY.sizes());
            final List<Integer> largeSizes = effort.choose(List.of(128 << 10), List.of(128 << 10, 1 << 20),
                Benchmark.LARGE_MESSAGE.sizes());
            Suite.MEMORY.benchmarks().forEach(benchmark -> rows.add(new Row(benchmark,
                benchmark == Benchmark.LARGE_MESSAGE ? largeSizes : sizes, false, Suite.MEMORY.peers())));
            return rows;
        }
        final boolean isBoard = section == Section.BOARD;
        final List<PeerKind> kinds = isBoard ? BOARDS.subList(0, BOARDS.size() - 1) :
            LOOP.equals(part) ? List.of(PeerKind.GRIM_NULL) : MESSAGES;
        for (final boolean isRead : new boolean[] {false, true})
        {
            rows.add(new Row(Benchmark.LATENCY, latencySizes, isRead, kinds));
            if (!isBoard || !isRead)
            {
                rows.add(new Row(Benchmark.RATE, rateSizes, isRead, kinds));
                rows.add(new Row(Benchmark.BANDWIDTH, bandwidthSizes, isRead, kinds));
            }
        }
        if (isBoard)
        {
            // Both kinds of arrival queues, in place of the row above for the small one.
            rows.add(new Row(Benchmark.LATENCY, List.of(SMALL_SIZE, LARGE_SIZE), false, BOARDS));
        }
        return rows;
    }

    private static PointKey key(final Section section, final PairRounds.Task task)
    {
        return Figures.key(section.toString(), task, nameOf(task.kind()));
    }

    /** With tail flags as the messages have it, and beside them with queue pointers. */
    private static List<PointKey> boardKeys(final PairRounds.Task task)
    {
        final List<PointKey> keys = new ArrayList<>();
        final Cell cell = task.cell();
        final boolean isTailFlag = task.kind() == PeerKind.GRIM_MYRINET;
        if (isTailFlag && cell.size() != LARGE_SIZE)
        {
            keys.add(key(Section.MESSAGES, task));
        }
        if ((isTailFlag || task.kind() == PeerKind.GRIM_MYRINET_POINTER) && cell.benchmark() == Benchmark.LATENCY &&
            !cell.isRead() && (cell.size() == SMALL_SIZE || cell.size() == LARGE_SIZE))
        {
            keys.add(new PointKey(Section.BOARD.toString(), cell.benchmark().label(), nameOf(task.kind()),
                isTailFlag ? "tail-flag" : "queue-pointer", "size", cell.size()));
        }
        return keys;
    }
}
