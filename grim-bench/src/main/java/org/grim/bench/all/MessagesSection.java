// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.PeerPair;
import org.grim.bench.figures.PointKey;

/** Messages through shared memory, beside limits and others. Thread: the measuring one. */
final class MessagesSection
{
    static final String SUITE = "messages";

    private static final String LOOP = "loop";
    private static final List<PeerKind> KINDS = List.of(PeerKind.GRIM, PeerKind.RAW, PeerKind.COPY_FLAG, PeerKind.RING,
        PeerKind.AERON_IPC, PeerKind.AERON_IPC_DEFAULT, PeerKind.ONE_TO_ONE, PeerKind.TCP, PeerKind.UDS,
        PeerKind.AERON_UDP, PeerKind.JCTOOLS);

    private MessagesSection()
    {
    }

    static List<Integer> latencySizes(final Effort effort)
    {
        return effort.choose(List.of(32, 2048), List.of(8, 32, 256, 2048, 16384, 65504),
            List.of(0, 8, 32, 256, 2048, 16384, 65504));
    }

    static List<Integer> rateSizes(final Effort effort)
    {
        return effort.choose(List.of(32), List.of(32, 256), List.of(8, 32, 256));
    }

    static List<Integer> bandwidthSizes(final Effort effort)
    {
        return effort.choose(List.of(16384), List.of(2048, 16384, 65504), List.of(2048, 16384, 65504));
    }

    static void run(final Part part)
    {
        final boolean isLoop = part.name().equals(LOOP);
        final List<PeerKind> kinds = isLoop ? List.of(PeerKind.GRIM_NULL) : KINDS;
        final Effort effort = part.effort();
        final int sizeMax = latencySizes(effort).stream().mapToInt(Integer::intValue).max().orElseThrow();
        try (PeerPair pair =
            PeerPair.start(kinds, Math.max(sizeMax, 65504), part.directory(), null, part.arguments()))
        {
            pair.connect();
            final PairRounds rounds = new PairRounds(pair, effort);
            for (final boolean isRead : new boolean[] {false, true})
            {
                latencySizes(effort).forEach(size -> rounds.add(Benchmark.LATENCY, size, isRead, kinds));
                rateSizes(effort).forEach(size -> rounds.add(Benchmark.RATE, size, isRead, kinds));
                bandwidthSizes(effort).forEach(size -> rounds.add(Benchmark.BANDWIDTH, size, isRead, kinds));
            }
            rounds.run(SUITE, effort.warmUpNs(), task -> List.of(new PointKey(SUITE, task.cell().benchmark().label(),
                nameOf(task.kind()), task.cell().mode(), "size", task.cell().size())), part.figures());
        }
        if (!isLoop)
        {
            OtherPrograms.messages(part);
        }
    }

    /** As in figures: there are several ways of this library. */
    static String nameOf(final PeerKind kind)
    {
        return switch (kind)
        {
            case GRIM -> "grim-shmem";
            case GRIM_MYRINET, GRIM_MYRINET_POINTER -> "grim-myrinet";
            case RAW, COPY_FLAG, RING, AERON_IPC, AERON_IPC_DEFAULT, ONE_TO_ONE, TCP, UDS, GRIM_RM_P, GRIM_RM_V,
                COPY_MEMORY, COPY_MAPPED, UCX, AERON_UDP, JCTOOLS, GRIM_MYRINET_RM_P, GRIM_MYRINET_RM_V,
                GRIM_NULL, GRIM_NULL_RM_P, GRIM_NULL_RM_V -> kind.label();
        };
    }
}
