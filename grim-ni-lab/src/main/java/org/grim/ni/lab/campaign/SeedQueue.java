// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.grim.ni.simulation.scenario.SimulationParameters;

/** Hands out runs: first those that failed once, then fresh seeds in order. Any thread. */
final class SeedQueue
{
    private final CampaignOptions options;
    private final List<SimulationParameters> kept;
    private final AtomicLong nextIndex = new AtomicLong();

    SeedQueue(final CampaignOptions options, final List<SimulationParameters> kept)
    {
        this.options = options;
        this.kept = kept;
    }

    long take()
    {
        return nextIndex.getAndIncrement();
    }

    SimulationParameters parameters(final long index)
    {
        return index < kept.size() ? kept.get((int)index) : options.parameters(options.firstSeed() + freshIndex(index));
    }

    /** Which of the fresh seeds it is; negative for those that failed once. */
    long freshIndex(final long index)
    {
        return index - kept.size();
    }
}
