// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.scenario.FaultScript;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Looks for the least that must happen to a cluster to break the same promise: takes chunks out of what happened, ever
 * smaller ones, as long as the promise still breaks (delta debugging, Zeller 1999, in its simplest form).
 * <p>Thread: one.
 */
public final class Shrinker
{
    private final SimulationParameters parameters;
    private final Guards guards;
    private final int runCountMax;
    private int runCount;

    /**
     * Prepares a search.
     *
     * @param parameters  of the run that fails.
     * @param guards      that hold in it.
     * @param runCountMax runs to make at most.
     */
    public Shrinker(final SimulationParameters parameters, final Guards guards, final int runCountMax)
    {
        this.parameters = parameters;
        this.guards = guards;
        this.runCountMax = runCountMax;
    }

    /**
     * Shrinks.
     *
     * @return the failing run with the shortest script that was found; its script is recorded. The run itself if it
     *         does not fail, or does not fail when it is repeated from its script.
     */
    public SimulationResult shrink()
    {
        final SimulationResult whole = new ClusterSimulation(parameters, guards).recorded().run();
        final String promise = whole.promise();
        if (promise == null || !promise.equals(repeat(whole.script()).promise()))
        {
            return whole;
        }
        FaultScript least = whole.script();
        for (int length = Math.max(1, least.size() / 2); length > 0; length /= 2)
        {
            int start = 0;
            while (start < least.size() && runCount < runCountMax)
            {
                final FaultScript fewer = least.without(start, start + length);
                if (promise.equals(repeat(fewer).promise()))
                {
                    least = fewer;
                }
                else
                {
                    start += length;
                }
            }
        }
        return repeat(least);
    }

    private SimulationResult repeat(final FaultScript script)
    {
        runCount++;
        return new ClusterSimulation(parameters, guards).script(script).run();
    }
}
