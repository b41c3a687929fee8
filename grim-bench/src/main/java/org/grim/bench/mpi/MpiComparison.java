// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.bench.compare.OpenMpi;
import org.grim.bench.groups.GroupComparison;
import org.grim.bench.groups.GroupRow;
import org.grim.bench.groups.TurnBlock;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.process.Pinning;
import org.grim.tools.process.PrivateDirectory;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Two ranks of each library on the same two CPUs: rounds by turns, in each of which every operation is measured once
 * with each. The ranks of the others sleep.
 * <p>Thread: one, which waits. Owns: the processes and all files.
 */
public final class MpiComparison implements AutoCloseable
{
    private static final int RANKS = 2;
    private static final long END_TIMEOUT_MS = 20_000;
    private static final int SHORT_LENGTH_MAX = 4_096;
    private static final int COUNT_COLD = 5_000;
    private static final int COUNT_COLD_LONG = 100;
    private static final int COUNT_MAX = 100_000;
    private static final int WARM_UP_ROUNDS_MIN = 6;
    private static final int WARM_UP_PART = 3;

    private final List<MpiPeer> peers = new ArrayList<>();
    private final List<Integer> cpus = Pinning.allowedCpus();
    private final Path openMpiJar;
    private final Path mpjHome;
    private final PrivateDirectory directory;
    private final TurnBlock turns;
    private final List<ForeignProcess> processes = new ArrayList<>();
    private MpjExpress mpjExpress;

    /** Starts the ranks of all libraries that are there. */
    public MpiComparison(
        final Path base, final Path openMpiJar, final Path mpjHome, final PrintWriter output)
    {
        this.openMpiJar = openMpiJar;
        this.mpjHome = mpjHome;
        final String searchPath = System.getenv("PATH");
        for (final MpiPeer peer : MpiPeer.values())
        {
            final String absence = peer.absence(searchPath, openMpiJar, mpjHome);
            if (absence == null)
            {
                peers.add(peer);
            }
            else
            {
                output.println("left out: " + peer.label + ": " + absence);
            }
        }
        output.println("two ranks each, " + (cpu(0) == Pinning.NO_CPU ?
            "not pinned, of which several share a core: not comparable" : "on CPUs " + cpu(0) + " and " + cpu(1)));
        output.flush();
        directory = PrivateDirectory.create("grim-mpi-", base);
        turns = TurnBlock.create(directory.path().resolve("turns"), peers.size());
        boolean isStarted = false;
        try
        {
            for (int side = 0; side < peers.size(); side++)
            {
                start(peers.get(side), side, searchPath);
            }
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                CloseHelper.quietClose(this);
            }
        }
    }

    /** Measures operations, each for a time with each library in a round. {@return a row for each, beside each} */
    public List<GroupRow> measure(
        final List<MpiOperation> operations, final int rounds, final long durationNs)
    {
        final List<Cell> cells = operations.stream().flatMap(operation -> operation.lengths().stream()
            .map(length -> new Cell(operation, length, new EnumMap<>(MpiPeer.class), new HashMap<>()))).toList();
        for (int round = -Math.max(WARM_UP_ROUNDS_MIN, rounds / WARM_UP_PART); round < rounds; round++)
        {
            for (final Cell cell : cells)
            {
                for (int turn = 0; turn < peers.size(); turn++)
                {
                    final MpiPeer peer = peers.get(Math.floorMod(round + turn, peers.size()));
                    if (peer.takesPart(cell.operation, cell.length))
                    {
                        cell.measured(peer, round, rounds, turn(peer, cell, durationNs));
                    }
                }
            }
        }
        return cells.stream().flatMap(this::rows).toList();
    }

    @Override
    public void close()
    {
        turns.end();
        CloseHelper.closeAll(processes);
        CloseHelper.closeAll(mpjExpress, turns, directory);
    }

    private Stream<GroupRow> rows(final Cell cell)
    {
        return peers.stream().filter(peer -> !peer.isOurs() && cell.times.containsKey(peer)).map(peer -> GroupRow.of(
            cell.operation.label(), RANKS, cell.length, cell.times.get(peer.ours()), peer.label, cell.times.get(peer)));
    }

    /** Nanoseconds of one operation. */
    private double turn(final MpiPeer peer, final Cell cell, final long durationNs)
    {
        final Double leastNs = cell.least.get(peer);
        final int count = leastNs == null ? (cell.length <= SHORT_LENGTH_MAX ? COUNT_COLD : COUNT_COLD_LONG) :
            (int)Math.max(1, Math.min(COUNT_MAX, durationNs / leastNs));
        turns.begin(peers.indexOf(peer), cell.operation.number(), cell.length, count);
        return turns.await(RANKS, this::requireAlive, peer.label + ", " + count + " times " +
            cell.operation.label() + " with " + cell.length + " bytes") / (double)count;
    }

    private void requireAlive()
    {
        for (final ForeignProcess process : processes)
        {
            if (!process.isAlive())
            {
                throw new GrimException(BAD_DATA, "a rank ended with code " + process.exitCode(END_TIMEOUT_MS) + ": " +
                    process.output().strip());
            }
        }
    }

    private void start(final MpiPeer peer, final int side, final String searchPath)
    {
        final List<String> own = List.of(directory.path().resolve("turns").toString(), Integer.toString(side),
            cpu(0) + "," + cpu(1));
        switch (peer)
        {
            case OPEN_MPI -> startTogether(searchPath, taskset(OpenMpi.compile(searchPath, GroupComparison.class,
                GroupComparison.SOURCE, directory.path()).toString(), own.get(0), own.get(1)));
            case OPEN_MPI_JAVA -> startTogether(
                searchPath, List.of(java(peer, openMpiJar, own), java(peer, openMpiJar, own)));
            case MPJ_EXPRESS ->
            {
                mpjExpress = MpjExpress.start();
                for (int rank = 0; rank < RANKS; rank++)
                {
                    processes.add(ForeignProcess.start(java(peer, MpiPeer.mpjJar(mpjHome), Stream.concat(
                        mpjExpress.arguments(rank).stream(), own.stream()).toList()),
                        Map.of("MPJ_HOME", mpjHome.toString())));
                }
            }
            default ->
            {
                for (int rank = 0; rank < RANKS; rank++)
                {
                    final String number = Integer.toString(rank);
                    processes.add(ForeignProcess.start(java(peer, null, Stream.concat(Stream.of(number), own.stream())
                        .toList()), Map.of("GRIM_RUN_RANK", number, "GRIM_RUN_SIZE", Integer.toString(RANKS))));
                }
            }
        }
    }

    /** Java's threads pin themselves; a program in C is pinned. */
    private List<List<String>> taskset(final String... program)
    {
        return Stream.of(cpu(0), cpu(1)).map(cpu -> Stream.concat(
            cpu == Pinning.NO_CPU ? Stream.empty() : Stream.of("taskset", "-c", Integer.toString(cpu)),
            Stream.of(program)).toList()).toList();
    }

    private void startTogether(final String searchPath, final List<List<String>> ranks)
    {
        final List<String> command = new ArrayList<>(List.of(OpenMpi.launcher(searchPath).toString(), "--oversubscribe",
            "--bind-to", "none", "-n", "1"));
        command.addAll(ranks.get(0));
        command.addAll(List.of(":", "-n", "1"));
        command.addAll(ranks.get(1));
        processes.add(ForeignProcess.start(command, OpenMpi.ENVIRONMENT));
    }

    private List<String> java(final MpiPeer peer, final Path jar, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dgrim.transports.0=shmem",
            "-Dgrim.cluster.directory=" + directory.path(), "-Dgrim.cluster.name=" + peer.label, "-cp",
            (jar == null ? "" : jar + ":") + System.getProperty("java.class.path"), peer.program.getName()));
        command.addAll(arguments);
        return command;
    }

    private int cpu(final int rank)
    {
        return cpus.size() < RANKS ? Pinning.NO_CPU : cpus.get(rank);
    }

    /** An operation with a length: times of one in ns by library and round, and the least before. */
    private record Cell(
        MpiOperation operation, int length, Map<MpiPeer, double[]> times, Map<MpiPeer, Double> least)
    {
        void measured(final MpiPeer peer, final int round, final int rounds, final double timeNs)
        {
            if (round < 0)
            {
                least.merge(peer, timeNs, Math::min);
            }
            else
            {
                times.computeIfAbsent(peer, any -> new double[rounds])[round] = timeNs;
            }
        }
    }
}
