// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.tools.report.Json;

/**
 * One guard taken away, and how many seeds it takes until a run fails: several trials from different seeds.
 * <p>Thread: one at a time; the queue of the hunt hands it on.
 */
final class PlantedBug
{
    static final int TRIAL_COUNT_MAX = 5;
    static final int SEED_COUNT_MAX = 1000;

    private static final long TRIAL_STRIDE = 1_000_003;       // prime, and more than the seeds of a trial

    private final Guard guard;
    private final Guards guards;
    private final BiFunction<Guard, Long, SimulationParameters> recipe;
    private final long firstSeed;
    private final List<Integer> seedCounts = new ArrayList<>();
    private int missedCount;
    private int trialSeedCount;
    private long seedCount;

    PlantedBug(
        final Guard guard, final BiFunction<Guard, Long, SimulationParameters> recipe, final long firstSeed)
    {
        this.guard = guard;
        this.recipe = recipe;
        this.firstSeed = firstSeed;
        guards = Guards.without(guard);
    }

    /**
     * Runs one seed more. It is caught if the run fails, and the same run with all guards does not; if that fails, too,
     * the NI has a bug that nobody planted, which goes to the tally.
     */
    void step(final Simulator simulator, final Tally tally)
    {
        final long seed = firstSeed + trialCount() * TRIAL_STRIDE + trialSeedCount;
        final SimulationParameters parameters = recipe.apply(guard, seed);
        trialSeedCount++;
        seedCount++;
        if (simulator.run(parameters, guards).isViolated() && isClean(simulator, parameters, tally))
        {
            seedCounts.add(trialSeedCount);
            trialSeedCount = 0;
        }
        else if (trialSeedCount == SEED_COUNT_MAX)
        {
            missedCount++;
            trialSeedCount = 0;
        }
    }

    boolean isDone()
    {
        return trialCount() == TRIAL_COUNT_MAX;
    }

    boolean isBetweenTrials()
    {
        return trialSeedCount == 0;
    }

    boolean isCaught()
    {
        return !seedCounts.isEmpty();
    }

    /** Over all trials that ended, where one that was missed counts with all its seeds; null if it was never caught. */
    Double medianSeedCount()
    {
        if (!isCaught())
        {
            return null;
        }
        final List<Integer> sorted = new ArrayList<>(seedCounts);
        for (int i = 0; i < missedCount; i++)
        {
            sorted.add(SEED_COUNT_MAX);
        }
        sorted.sort(null);
        final int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
    }

    int trialCount()
    {
        return seedCounts.size() + missedCount;
    }

    long seedCount()
    {
        return seedCount;
    }

    String name()
    {
        return Json.label(guard);
    }

    private static boolean isClean(
        final Simulator simulator, final SimulationParameters parameters, final Tally tally)
    {
        final SimulationResult control = simulator.run(legal(parameters), Guards.ALL);
        if (control.isViolated())
        {
            tally.addViolation(control);
        }
        return !control.isViolated();
    }

    /** One of the bugs is a window that is too wide. With all guards the firmware would not even start with that. */
    private static SimulationParameters legal(final SimulationParameters parameters)
    {
        final long windowMax = ((1L << parameters.get(Setting.SEQUENCE_BITS)) + 1) / 2;
        return parameters.get(Setting.WINDOW) <= windowMax ? parameters : parameters.with(Setting.WINDOW, windowMax);
    }
}
