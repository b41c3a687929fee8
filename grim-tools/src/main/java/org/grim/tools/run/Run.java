// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Ranks of a program, from their start until nothing of them is left.
 * <p>Thread: main; a daemon thread for each stream of output. Owns: the processes, and on each host a directory.
 */
public final class Run
{
    private static final long GRACE_S = 5;
    private static final long LOOK_MS = 50;
    /** A server refuses connections when more than 10 begin at the same time. */
    private static final long START_INTERVAL_MS = 30;
    private static final long START_INTERVAL_MAX_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** With the grace and the output's end less than the time that a command has to leave after a signal. */
    private static final long GUARDS_END_MS = 4_000;
    /** A process outside of the groups may hold a pipe open for ever. */
    private static final long OUTPUT_END_MS = 5_000;
    /** While other ranks go on, or a command has to leave. */
    private static final long OUTPUT_END_SHORT_MS = 500;

    private final RunPlan plan;
    private final PrintStream error;
    private final BooleanSupplier isInterrupted;
    private final RunState state;
    private final boolean isKeepingGoing;
    private final LastLines lastLines = new LastLines();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final List<HostGuard> guards = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final List<Future<?>> ends = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private final Object outputLock = new Object();         // Lines do not mix.
    private final RankOutput.Target outputTarget;
    private final RankOutput.Target errorTarget;
    private String cause;

    private Run(final RunRequest request, final PrintStream output, final PrintStream error,
        final BooleanSupplier isInterrupted)
    {
        this.error = error;
        this.isInterrupted = isInterrupted;
        plan = RunPlan.of(request, System.getenv(), System.getProperties());
        isKeepingGoing = request.isKeepingGoing();
        state = new RunState(TimeUnit.SECONDS.toNanos(GRACE_S), isKeepingGoing);
        final Runnable onBroken = () -> events.add(() -> end(1, "nobody reads the output any more"));
        outputTarget = new RankOutput.Target(output, outputLock, request.isTagged(), plan.id(), onBroken);
        errorTarget = new RankOutput.Target(error, outputLock, request.isTagged(), plan.id(), onBroken);
    }

    /**
     * Runs a program.
     *
     * @param isInterrupted says whether the run must end.
     * @return 0 if all ranks ended with 0, otherwise the exit code of the first that failed.
     * @throws GrimException            if a host cannot be used.
     * @throws IllegalArgumentException if the hosts have not room enough.
     */
    public static int run(final RunRequest request, final PrintStream output, final PrintStream error,
        final BooleanSupplier isInterrupted)
    {
        final Run run = new Run(request, output, error, isInterrupted);
        try
        {
            run.startGuards();
            run.runAll();
        }
        finally
        {
            run.cleanUp();
        }
        run.report();
        final int code = run.state.exitCode();
        return request.hosts() == null ? RunReport.taskCode(code, run.lastLines) : code;
    }

    /**
     * Looks for the classes of another MPI library.
     *
     * @param classPath of a program.
     * @return the entry that has them; null if there is none.
     */
    public static Path otherMpi(final String classPath)
    {
        return ClassPath.of(classPath).firstWith("mpi/MPI.class", "org/grim/mpi/Engine.class");
    }

    private void startGuards()
    {
        plan.places().forEach(place -> guards.add(HostGuard.start(plan, place)));
        for (int i = 0; i < guards.size(); i++)
        {
            final int index = i;
            guards.get(i).awaitReady(isInterrupted);
            ends.add(guards.get(i).onExit().thenRun(() -> events.add(() -> onGuardEnd(index))));
        }
    }

    /** Ends the run; on this host by another guard, which finds what the first one kept in the directory. */
    private void onGuardEnd(final int index)
    {
        final RunPlan.Place place = plan.places().get(index);
        end(1, guards.get(index).endSentence());
        if (place.remote().isEmpty())
        {
            guards.set(index, HostGuard.start(plan, place));
            guards.get(index).awaitReady(() -> false);
        }
    }

    /** Ends the run, unless it ends already. */
    private void end(final int code, final String why)
    {
        if (state.canStart())
        {
            cause = why;
            state.end(code);
        }
    }

    private void runAll()
    {
        long startedNs = System.nanoTime();
        while (state.hasRunning() || canStart())
        {
            if (isInterrupted.getAsBoolean())
            {
                end(0, "interrupted");
            }
            final long nowNs = System.nanoTime();
            act(state.step(nowNs));
            if (canStart() && (nowNs - startedNs > START_INTERVAL_MAX_NS || !isCrowded()))
            {
                startedNs = nowNs;
                start(plan.starts().get(processes.size()));
            }
            handleEvents(canStart() ? START_INTERVAL_MS : LOOK_MS);
        }
    }

    /** Returns whether processors have enough to do: JVMs that start all at once take twice the time in all. */
    private static boolean isCrowded()
    {
        try
        {
            final String load = Files.readString(Path.of("/proc/loadavg"));
            final int runningCount = Integer.parseInt(load.split("[ /]", -1)[3]);
            return runningCount > 2 * Runtime.getRuntime().availableProcessors();
        }
        catch (final IOException | NumberFormatException expected)
        {
            return false;                           // Unknown.
        }
    }

    private boolean canStart()
    {
        return state.canStart() && processes.size() < plan.starts().size();
    }

    private void act(final RunState.Action action)
    {
        if (action != RunState.Action.NONE)
        {
            guards.forEach(guard -> guard.say(action == RunState.Action.ASK ? "ask" : "kill"));
        }
        if (action == RunState.Action.KILL)
        {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private void start(final RunPlan.Start start)
    {
        final int index = processes.size();
        final Process process = plan.launch(start);
        processes.add(process);
        state.onStart(index);
        read(new RankOutput(process.getInputStream(), outputTarget, start.rank(), null));
        read(new RankOutput(process.getErrorStream(), errorTarget, start.rank(), lastLines));
        ends.add(process.onExit().thenRun(() -> events.add(() ->
        {
            state.onEnd(index, process.exitValue());
            if (isKeepingGoing && process.exitValue() != 0 && state.canStart())
            {
                reportFailure(index, process.exitValue(), "; the others go on");
            }
            guards.get(start.place()).say("end " + start.number());
        })));
    }

    private void read(final RankOutput output)
    {
        final Thread thread = new Thread(output, "grim-run-output");
        thread.setDaemon(true);
        readers.add(thread);
        thread.start();
    }

    private void handleEvents(final long waitMs)
    {
        try
        {
            for (Runnable event = events.poll(waitMs, TimeUnit.MILLISECONDS); event != null; event = events.poll())
            {
                event.run();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException(UNAVAILABLE, "the run was not waited for: interrupted", ex);
        }
    }

    /** Also after an exception: then what was started is killed. */
    private void cleanUp()
    {
        if (state.hasRunning())
        {
            act(RunState.Action.KILL);
        }
        guards.forEach(HostGuard::end);
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GUARDS_END_MS);
        for (int i = 0; i < guards.size(); i++)
        {
            final RunPlan.Place place = plan.places().get(i);
            if (!guards.get(i).awaitEnd(deadlineNs))
            {
                error.println("grim: host=" + place.name() + " did not say that it has removed " + place.directory());
            }
        }
        HostGuard.await(() -> readers.stream().noneMatch(Thread::isAlive), System.nanoTime() +
            TimeUnit.MILLISECONDS.toNanos(isInterrupted.getAsBoolean() ? OUTPUT_END_SHORT_MS : OUTPUT_END_MS));
    }

    private void report()
    {
        if (state.canStart())
        {
            return;
        }
        final String killed = RunReport.killed(
            state.killed().stream().mapToObj(index -> plan.starts().get(index).rank()).toList(), GRACE_S);
        if (state.failed() == RunState.NONE || isKeepingGoing)
        {
            error.println("grim: " + cause + "; all ranks were ended" + killed);
            return;
        }
        reportFailure(state.failed(), state.exitCode(),
            (plan.starts().size() > 1 ? "; all others were ended" : "") + killed);
    }

    private void reportFailure(final int process, final int code, final String others)
    {
        HostGuard.await(() -> !readers.get(2 * process + 1).isAlive(),
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OUTPUT_END_SHORT_MS));
        final RunPlan.Start start = plan.starts().get(process);
        final List<String> report = new ArrayList<>(RunReport.failure(
            start.rank(), plan.places().get(start.place()).name(), code, lastLines));
        report.set(0, "grim: " + report.get(0) + others + (report.size() > 1 ? "; its last lines:" : ""));
        synchronized (outputLock)
        {
            report.forEach(error::println);
        }
    }
}
