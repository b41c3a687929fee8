// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.bench.compare.OpenMpi;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.process.Pinning;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A group of GRIM's members over shared memory, each a process, beside as many processes of Open MPI on the same CPUs:
 * rounds by turns, in each of which every operation is measured once on each side. A multicast is measured beside one
 * send of GRIM, in rounds of their own: what it costs the sender.
 * <p>Thread: one, which waits. Owns: the processes and all files.
 */
public final class GroupComparison implements AutoCloseable
{
    /** Most members. */
    public static final int MEMBERS_MAX = TurnBlock.MEMBERS_MAX;

    static final String TURNS = "turns";

    /** The program in C. */
    public static final String SOURCE = "collectives.c";
    private static final int SIDE_COUNT = 2;
    private static final long END_TIMEOUT_MS = 20_000;
    private static final Collective[] COLLECTIVES = Arrays.stream(Collective.values())
        .filter(what -> !what.isOneWay()).toArray(Collective[]::new);
    private static final Collective[] MULTICASTS = {Collective.MULTICAST, Collective.MULTICAST_POLLED};
    private static final int COUNT_COLD = 50_000;               // Until it is compiled: it takes few instructions.
    private static final int COUNT_COLD_LONG = 500;
    private static final int COUNT_MAX = 100_000;
    private static final int WARM_UP_PART = 3;
    private static final int WARM_UP_ROUNDS_MIN = 30;           // The members' compilers share their CPUs.

    private final int memberCount;
    private final boolean isAwaiting;
    private final List<Integer> cpus = Pinning.allowedCpus();
    private final PrivateDirectory directory;
    private final TurnBlock turns;
    private final List<SecondJvm> members = new ArrayList<>();
    private ForeignProcess foreign;

    /** Starts the processes of both sides; a null directory is one in shared memory. Fails without Open MPI. */
    public GroupComparison(final int memberCount, final boolean isAwaiting, final Path base)
    {
        this.memberCount = memberCount;
        this.isAwaiting = isAwaiting;
        final String searchPath = System.getenv("PATH");
        final String absence = OpenMpi.absence(searchPath);
        if (absence != null)
        {
            throw new GrimException(UNAVAILABLE, absence);
        }
        directory = PrivateDirectory.create("grim-groups-", base);
        turns = TurnBlock.create(directory.path().resolve(TURNS), SIDE_COUNT);
        boolean isStarted = false;
        try
        {
            start(searchPath);
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

    /** Measures all operations, each for a time on one side in a round. {@return a row for each} */
    public List<GroupRow> measure(final int rounds, final long durationNs)
    {
        final List<GroupRow> rows = new ArrayList<>(measure(COLLECTIVES, rounds, durationNs));
        // Last: who has sent a multicast has other members poll one queue more.
        rows.addAll(measure(MULTICASTS, rounds, durationNs));
        return rows;
    }

    private List<GroupRow> measure(final Collective[] all, final int rounds, final long durationNs)
    {
        final double[][][] times = new double[all.length][SIDE_COUNT][rounds];
        final double[][] least = new double[all.length][SIDE_COUNT];
        for (int round = -Math.max(WARM_UP_ROUNDS_MIN, rounds / WARM_UP_PART); round < rounds; round++)
        {
            for (int i = 0; i < all.length; i++)
            {
                for (int turn = 0; turn < SIDE_COUNT; turn++)
                {
                    final int side = (round + turn) & 1;
                    final boolean isCold = least[i][side] == 0 || (round < 0 && all[i].isOneWay());
                    final int count = isCold ? (all[i].isShort() ? COUNT_COLD : COUNT_COLD_LONG) :
                        (int)Math.max(1, Math.min(COUNT_MAX, durationNs / least[i][side]));
                    final double timeNs = all[i].isOneWay() ?
                        turn(TurnBlock.GRIM, side == TurnBlock.GRIM ? all[i] : all[i].send(), count) :
                        turn(side, all[i], count);
                    if (round >= 0)
                    {
                        times[i][side][round] = timeNs;
                    }
                    else
                    {
                        least[i][side] = least[i][side] == 0 ? timeNs : Math.min(least[i][side], timeNs);
                    }
                }
            }
        }
        final List<GroupRow> rows = new ArrayList<>();
        for (int i = 0; i < all.length; i++)
        {
            rows.add(row(all[i], times[i][TurnBlock.GRIM], times[i][TurnBlock.OPEN_MPI]));
        }
        return rows;
    }

    /** Says how the processes share CPUs. */
    public void describe(final PrintWriter output)
    {
        output.println(memberCount + " members on CPUs " + cpus + (isCrowded() ? ": several share one, and yield" :
            ": one for each member") + "; GRIM waits by " + waiting().name().toLowerCase(Locale.ROOT));
        output.flush();
    }

    @Override
    public void close()
    {
        turns.end();
        CloseHelper.closeAll(members);
        CloseHelper.closeAll(foreign, turns, directory);
    }

    private void start(final String searchPath)
    {
        final Path program = OpenMpi.compile(searchPath, GroupComparison.class, SOURCE, directory.path());
        foreign = ForeignProcess.start(command(OpenMpi.launcher(searchPath), program), OpenMpi.ENVIRONMENT);
        for (int i = 0; i < memberCount; i++)
        {
            members.add(SecondJvm.start("member " + i,
                new GroupMember.Task(directory.path(), i, memberCount, cpu(i), waiting())));
        }
        members.forEach(member -> member.awaitReady(() -> members.forEach(SecondJvm::requireAlive)));
    }

    private List<String> command(final Path launcher, final Path program)
    {
        final List<String> command = new ArrayList<>(List.of(launcher.toString(), "--bind-to", "none"));
        if (isCrowded())
        {
            command.addAll(List.of("--oversubscribe", "--mca", "mpi_yield_when_idle", "1"));
        }
        for (int i = 0; i < memberCount; i++)
        {
            command.addAll(i == 0 ? List.of("-n", "1") : List.of(":", "-n", "1"));
            if (cpu(i) != Pinning.NO_CPU)
            {
                command.addAll(List.of("taskset", "-c", Integer.toString(cpu(i))));
            }
            command.addAll(List.of(program.toString(), directory.path().resolve(TURNS).toString(),
                Integer.toString(TurnBlock.OPEN_MPI)));
        }
        return command;
    }

    private GroupMember.Waiting waiting()
    {
        return isAwaiting ? GroupMember.Waiting.AWAIT :
            isCrowded() ? GroupMember.Waiting.YIELD : GroupMember.Waiting.POLL;
    }

    private boolean isCrowded()
    {
        return cpus.size() < memberCount;
    }

    private int cpu(final int member)
    {
        return cpus.isEmpty() ? Pinning.NO_CPU : cpus.get(member % cpus.size());
    }

    /** Nanoseconds of one operation. */
    @SuppressWarnings("EnumOrdinal")         // All members run the same classes.
    private double turn(final int side, final Collective what, final int count)
    {
        turns.begin(side, what.ordinal(), what.length(), count);
        return turns.await(memberCount, this::requireAlive, (side == TurnBlock.GRIM ? "GRIM, " : "Open MPI, ") +
            count + " times " + what.label() + " with " + what.length() + " bytes") / (double)count;
    }

    private void requireAlive()
    {
        members.forEach(SecondJvm::requireAlive);
        if (!foreign.isAlive())
        {
            throw new GrimException(BAD_DATA, "Open MPI's processes ended with code " +
                foreign.exitCode(END_TIMEOUT_MS) + ": " + foreign.output().strip());
        }
    }

    private GroupRow row(final Collective what, final double[] grim, final double[] other)
    {
        return GroupRow.of(what.label(), memberCount, what.length(), grim,
            what.isOneWay() ? what.send().label() : "Open MPI", other);
    }
}
