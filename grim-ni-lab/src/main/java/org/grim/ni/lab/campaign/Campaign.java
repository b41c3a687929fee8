// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.grim.ni.guard.Guard;
import org.grim.ni.simulation.ClusterSimulation;
import org.grim.ni.simulation.PlantedBugs;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Runs seeds on all threads for most of the time, then looks for planted bugs for the rest.
 * <p>Thread: the caller's waits and tells the progress; simulations run on threads of the campaign's own, which end
 * with it.
 * <p>Bounds: the run that is under way when the time is over is brought to its end.
 */
public final class Campaign
{
    private static final long PROGRESS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int BUG_PERCENT = 20;
    private static final long BUG_NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int PERCENT = 100;
    private static final int SHRUNK_COUNT_MAX = 2;

    private final CampaignOptions options;
    private final CampaignProgress progress;
    private final Simulator simulator;
    private final BugRecipe recipe;
    private final List<SimulationParameters> kept;
    private final Tally tally = new Tally();
    private final Totals totals = new Totals();
    private final List<PlantedBug> bugs = new ArrayList<>();
    private final long startNs = System.nanoTime();

    /**
     * Prepares a campaign. Its time begins now.
     *
     * @param options  what to do.
     * @param progress called now and then.
     */
    public Campaign(final CampaignOptions options, final CampaignProgress progress)
    {
        this(options, progress, (parameters, guards) -> new ClusterSimulation(parameters, guards).run(),
            PlantedBugs::parameters, KeptSeeds.load());
    }

    Campaign(
        final CampaignOptions options, final CampaignProgress progress, final Simulator simulator,
        final BugRecipe recipe, final List<SimulationParameters> kept)
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
     * @return what came of it.
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
            final SeedQueue queue = new SeedQueue(options, kept);
            runSeeds(executor, queue, endNs - bugNs());
            huntBugs(executor, endNs);
            if (System.nanoTime() - endNs < 0)
            {
                runSeeds(executor, queue, endNs);           // All bugs were found before the time was over.
            }
        }
        finally
        {
            executor.shutdownNow();
        }
        return CampaignReport.of(options, kept.size(), tally, bugs);
    }

    /**
     * What is known of the first few runs that failed. For the very first ones it looks for the fewest faults that
     * still break the promise, which takes some seconds.
     *
     * @return all that it takes to find out why; empty if none did.
     */
    public String failureText()
    {
        final StringBuilder text = new StringBuilder();
        int shrunkCount = 0;
        for (final Failure failure : tally.failures())
        {
            final boolean isShrunk = failure.result().isViolated() && shrunkCount++ < SHRUNK_COUNT_MAX;
            text.append(FailureText.of(failure, isShrunk ? FailureText.leastFaults(failure) : null));
        }
        return text.toString();
    }

    private long bugNs()
    {
        return Math.min(options.durationNs() / PERCENT * BUG_PERCENT, BUG_NS_MAX);
    }

    private void runSeeds(final ExecutorService executor, final SeedQueue queue, final long deadlineNs)
        throws InterruptedException
    {
        final List<Callable<Tally>> workers = new ArrayList<>();
        for (int i = 0; i < options.threadCount(); i++)
        {
            workers.add(new SeedWorker(simulator, queue, totals, deadlineNs));
        }
        runAll(executor, workers).forEach(tally::add);
    }

    private void huntBugs(final ExecutorService executor, final long endNs) throws InterruptedException
    {
        final Queue<PlantedBug> queue = new ConcurrentLinkedQueue<>();
        for (final Guard guard : Guard.values())
        {
            bugs.add(new PlantedBug(guard, recipe, options.firstSeed()));
        }
        queue.addAll(bugs);
        final List<Callable<Tally>> workers = new ArrayList<>();
        for (int i = 0; i < options.threadCount(); i++)
        {
            workers.add(new BugWorker(simulator, queue, endNs));
        }
        runAll(executor, workers).forEach(tally::add);
    }

    private <T> List<T> runAll(final ExecutorService executor, final List<Callable<T>> workers)
        throws InterruptedException
    {
        final List<Future<T>> futures = new ArrayList<>();
        workers.forEach(worker -> futures.add(executor.submit(worker)));
        final List<T> results = new ArrayList<>();
        for (final Future<T> future : futures)
        {
            results.add(await(future));
        }
        return Collections.unmodifiableList(results);
    }

    private <T> T await(final Future<T> future) throws InterruptedException
    {
        while (true)
        {
            try
            {
                return future.get(PROGRESS_INTERVAL_NS, TimeUnit.NANOSECONDS);
            }
            catch (final TimeoutException stillRunning)
            {
                totals.tell(progress, System.nanoTime() - startNs);
            }
            catch (final ExecutionException ex)
            {
                throw new IllegalStateException("a simulation ended by itself: " + ex.getCause(), ex.getCause());
            }
        }
    }
}
