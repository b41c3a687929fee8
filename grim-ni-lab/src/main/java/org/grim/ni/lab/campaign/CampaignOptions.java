// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.ArrayList;
import java.util.List;

import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Options of a campaign.
 *
 * @param firstSeed   of the fresh seeds; the others follow it.
 * @param durationNs  for all of it.
 * @param threadCount simulations at a time.
 * @param settings    {@code key=value} each, instead of what the seed draws.
 */
public record CampaignOptions(long firstSeed, long durationNs, int threadCount, List<String> settings)
{
    /**
     * Takes copies.
     *
     * @param firstSeed   of the fresh seeds.
     * @param durationNs  for all of it.
     * @param threadCount simulations at a time.
     * @param settings    {@code key=value} each.
     * @throws IllegalArgumentException if there is no such setting, or its value is outside its range.
     */
    public CampaignOptions(
        final long firstSeed, final long durationNs, final int threadCount, final List<String> settings)
    {
        this.firstSeed = firstSeed;
        this.durationNs = durationNs;
        this.threadCount = threadCount;
        this.settings = List.copyOf(settings);
        parameters(firstSeed);
    }

    /** Parameters of one run. */
    public SimulationParameters parameters(final long seed)
    {
        final List<String> lines = new ArrayList<>(settings.size() + 1);
        lines.add("seed=" + seed);
        lines.addAll(settings);
        return SimulationParameters.parse(lines);
    }
}
