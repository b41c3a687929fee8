// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.concurrent.Callable;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Runs seeds until the time is over, at least one. Of the fresh ones 5 % run twice; now and then a canary sings.
 * <p>Thread: one of the campaign's, which shares nothing with others but the queue.
 */
final class SeedWorker implements Callable<Tally>
{
    private static final int REPEAT_INTERVAL = 20;
    private static final int CANARY_INTERVAL = 50;
    private static final int CANARY_KIND_COUNT = 2;
    private static final int CANARY_MESSAGE_COUNT = 2000;

    /** What could keep a canary's message from arriving, or no message of its kind be sent. */
    private static final Setting[] CANARY_ENEMIES = {Setting.LOSSY_WIRE, Setting.DROP_PPM, Setting.REPEAT_PPM,
        Setting.REORDER_PPM, Setting.CORRUPT_PPM, Setting.TRUNCATE_PPM, Setting.DELAY_PPM, Setting.PARTITION_COUNT,
        Setting.NI_RESTART_COUNT, Setting.NI_PAUSE_COUNT, Setting.NI_KILL_COUNT, Setting.HOST_RESTART_COUNT,
        Setting.WRITE_PERMILLE, Setting.READ_PERMILLE, Setting.UNKNOWN_NODE_PERMILLE};

    private final Simulator simulator;
    private final SeedQueue queue;
    private final Totals totals;
    private final long deadlineNs;
    private final Tally tally = new Tally();

    SeedWorker(final Simulator simulator, final SeedQueue queue, final Totals totals, final long deadlineNs)
    {
        this.simulator = simulator;
        this.queue = queue;
        this.totals = totals;
        this.deadlineNs = deadlineNs;
    }

    @Override
    public Tally call()
    {
        do
        {
            run(queue.take());
        }
        while (System.nanoTime() - deadlineNs < 0);
        return tally;
    }

    private void run(final long index)
    {
        final long failureCount = tally.failureCount();
        final SimulationParameters parameters = queue.parameters(index);
        final SimulationResult result = simulator.run(parameters, Guards.ALL);
        tally.add(result);
        totals.onSeed(result.deliveredCount());
        final long freshIndex = queue.freshIndex(index);
        if (freshIndex >= 0 && freshIndex % REPEAT_INTERVAL == 0)
        {
            tally.addRepeated(result, simulator.run(parameters, Guards.ALL));
        }
        if (freshIndex >= 0 && freshIndex % CANARY_INTERVAL == 0)
        {
            tally.addCanary(simulator.run(
                canary(parameters, 1 + freshIndex / CANARY_INTERVAL % CANARY_KIND_COUNT), Guards.ALL));
        }
        if (tally.failureCount() > failureCount)
        {
            totals.onFailure();
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
}
