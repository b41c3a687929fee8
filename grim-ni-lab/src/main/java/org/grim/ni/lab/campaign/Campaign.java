// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.ObjLongConsumer;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.ClusterSimulation;
import org.grim.ni.simulation.PlantedBugs;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Runs seeds on all threads for most of the time, then looks for planted bugs for the rest. Seeds that failed once come
 * first. Of the fresh ones 5 % run twice; now and then a canary sings.
 * <p>Thread: the caller's thread waits and reports the progress; simulations run on threads of the campaign's own,
 * which end with it, and share nothing but the tally.
 * <p>Bounds: the run that is under way when the time is over is brought to its end.
 */
public final class Campaign
{
    private static final long PROGRESS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int BUG_PERCENT = 20;
    private static final long BUG_NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final long BUG_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int PERCENT = 100;
    private static final int SHRUNK_COUNT_MAX = 2;
    private static final int REPEAT_INTERVAL = 20;
    private static final int CANARY_INTERVAL = 50;
    private static final int CANARY_KIND_COUNT = 2;
    private static final int CANARY_MESSAGE_COUNT = 2000;
    /** Faults that could keep a canary's message from arriving, or prevent any message of its kind. */
    private static final Setting[] CANARY_ENEMIES = {Setting.LOSSY_WIRE, Setting.DROP_PPM, Setting.REPEAT_PPM,
        Setting.REORDER_PPM, Setting.CORRUPT_PPM, Setting.TRUNCATE_PPM, Setting.DELAY_PPM, Setting.PARTITION_COUNT,
        Setting.NI_RESTART_COUNT, Setting.NI_PAUSE_COUNT, Setting.NI_KILL_COUNT, Setting.HOST_RESTART_COUNT,
        Setting.WRITE_PERMILLE, Setting.READ_PERMILLE, Setting.UNKNOWN_NODE_PERMILLE};

    private final CampaignOptions options;
    private final ObjLongConsumer<String> progress;
    private final Simulator simulator;
    private final BiFunction<Guard, Long, SimulationParameters> recipe;
    private final List<SimulationParameters> kept;
    private final Tally tally = new Tally();
    private final AtomicLong nextIndex = new AtomicLong();
    private final List<PlantedBug> bugs = new ArrayList<>();
    private final long startNs = System.nanoTime();

    /**
     * Prepares a campaign. Its time begins now.
     *
     * @param options  of it.
     * @param progress receives, now and then, the runs done and the nanoseconds since the start.
     */
    public Campaign(final CampaignOptions options, final ObjLongConsumer<String> progress)
    {
        this(options, progress, (parameters, guards) -> new ClusterSimulation(parameters, guards).run(),
            PlantedBugs::parameters, KeptSeeds.load());
    }

    /** The last three are seams for tests: what makes a run, where a missing guard shows soon, seeds that failed. */
    Campaign(
        final CampaignOptions options, final ObjLongConsumer<String> progress, final Simulator simulator,
        final BiFunction<Guard, Long, SimulationParameters> recipe, final List<SimulationParameters> kept)
    {
        this.options = options;
        this.progress = progress;
        this.simulator = simulator;
        this.recipe = recipe;
        this.kept = List.copyOf(kept);
    }

    /**
     * Runs it, once.
     *
     * @throws InterruptedException if the thread is interrupted; the simulations are then given up.
     */
    public SimulateReport run() throws InterruptedException
    {
        final AtomicInteger threadNumber = new AtomicInteger();
        final ExecutorService executor = Executors.newFixedThreadPool(options.threadCount(), task ->
        {
            final Thread thread = new Thread(task, "grim-simulate-" + threadNumber.getAndIncrement());
            thread.setDaemon(true);         // An interrupted campaign leaves them in the middle of a run.
            return thread;
        });
        try
        {
            final long endNs = startNs + options.durationNs();
            final long bugNs = Math.min(options.durationNs() / PERCENT * BUG_PERCENT, BUG_NS_MAX);
            runAll(executor, () -> runSeeds(endNs - bugNs));
            for (final Guard guard : Guard.values())
            {
                bugs.add(new PlantedBug(guard, recipe, options.firstSeed()));
            }
            final Queue<PlantedBug> queue = new ConcurrentLinkedQueue<>(bugs);
            runAll(executor, () -> huntBugs(queue, endNs));
            if (System.nanoTime() - endNs < 0)
            {
                runAll(executor, () -> runSeeds(endNs));        // All bugs were found before the time was over.
            }
        }
        finally
        {
            executor.shutdownNow();
        }
        return SimulateReport.of(options, kept.size(), tally, bugs);
    }

    /**
     * Describes the first few runs that failed. For the very first ones it searches for the fewest faults that still
     * break the promise, which takes some seconds. Returns everything needed to find the cause; empty if no run failed.
     */
    public String failureText()
    {
        final StringBuilder text = new StringBuilder();
        int shrunkCount = 0;
        for (final Failure failure : tally.failures)
        {
            final boolean isShrunk = failure.result().isViolated() && shrunkCount++ < SHRUNK_COUNT_MAX;
            text.append(failure.describe(isShrunk ? failure.leastFaults() : null));
        }
        return text.toString();
    }

    /** Runs seeds until the time is over, at least one. */
    private void runSeeds(final long deadlineNs)
    {
        do
        {
            runSeed(nextIndex.getAndIncrement());
        }
        while (System.nanoTime() - deadlineNs < 0);
    }

    private void runSeed(final long index)
    {
        final long freshIndex = index - kept.size();            // Negative for those that failed once.
        final SimulationParameters parameters =
            freshIndex < 0 ? kept.get((int)index) : options.parameters(options.firstSeed() + freshIndex);
        final SimulationResult result = simulator.run(parameters, Guards.ALL);
        tally.add(result);
        if (freshIndex >= 0 && freshIndex % REPEAT_INTERVAL == 0)
        {
            tally.addRepeated(result, simulator.run(parameters, Guards.ALL));
        }
        if (freshIndex >= 0 && freshIndex % CANARY_INTERVAL == 0)
        {
            tally.addCanary(simulator.run(
                canary(parameters, 1 + freshIndex / CANARY_INTERVAL % CANARY_KIND_COUNT), Guards.ALL));
        }
    }

    private static SimulationParameters canary(final SimulationParameters parameters, final long kind)
    {
        SimulationParameters canary = parameters.with(Setting.CANARY, kind)
            .with(Setting.MESSAGE_COUNT, CANARY_MESSAGE_COUNT);
        for (final Setting enemy : CANARY_ENEMIES)
        {
            canary = canary.with(enemy, 0);
        }
        return canary;
    }

    /**
     * Looks for planted bugs in turn, for a short while each, so that one which hides does not keep others from being
     * found. A bug is in the queue or in one thread's hands. It takes at least one step, even when the time is over.
     */
    private void huntBugs(final Queue<PlantedBug> queue, final long deadlineNs)
    {
        do
        {
            final PlantedBug bug = queue.poll();
            if (bug == null)
            {
                return;
            }
            final long endNs = System.nanoTime() + BUG_SLICE_NS;
            do
            {
                bug.step(simulator, tally);
            }
            while (!bug.isBetweenTrials() && System.nanoTime() - endNs < 0 && System.nanoTime() - deadlineNs < 0);
            if (!bug.isDone())
            {
                queue.add(bug);
            }
        }
        while (System.nanoTime() - deadlineNs < 0);
    }

    private void runAll(final ExecutorService executor, final Runnable worker) throws InterruptedException
    {
        final List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < options.threadCount(); i++)
        {
            futures.add(executor.submit(worker));
        }
        for (final Future<?> future : futures)
        {
            await(future);
        }
    }

    private void await(final Future<?> future) throws InterruptedException
    {
        boolean isDone = false;
        while (!isDone)
        {
            try
            {
                future.get(PROGRESS_INTERVAL_NS, TimeUnit.NANOSECONDS);
                isDone = true;
            }
            catch (final TimeoutException stillRunning)
            {
                reportProgress();
            }
            catch (final ExecutionException ex)
            {
                throw new IllegalStateException("a simulation ended by itself: " + ex.getCause(), ex.getCause());
            }
        }
    }

    private void reportProgress()
    {
        synchronized (tally)
        {
            progress.accept(String.format(Locale.ROOT, "%,d seeds, %,d messages delivered, %d failed",
                tally.seedCount, tally.deliveredCount, tally.failureCount()), System.nanoTime() - startNs);
        }
    }
}
