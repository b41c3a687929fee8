// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayDeque;
import java.util.Queue;

import org.grim.ni.clock.VirtualClock;

/**
 * The sending board: finds a fragment, sets its header and starts the engine when that is idle; enters it in the
 * scoreboard while the engine runs. The next header is prepared meanwhile. A transfer takes all segments that are
 * there; what comes meanwhile is the next transfer's. Fragments for several boards leave one after the other. The wire
 * pushes back while the other board's incoming buffer is taken.
 */
final class Transmission
{
    private final ModelParameters parameters;
    private final StageCosts costs;
    private final Side side;
    private final Queue<Fragment> ready = new ArrayDeque<>();
    private boolean isBusy;

    Transmission(final ModelParameters parameters, final StageCosts costs, final Side side)
    {
        this.parameters = parameters;
        this.costs = costs;
        this.side = side;
    }

    /** A fragment stands in the board's memory, or with cut-through its first segment. */
    void onVisible(final Fragment fragment)
    {
        ready.add(fragment);
        look();
    }

    private void look()
    {
        if (isBusy || ready.isEmpty())
        {
            return;
        }
        isBusy = true;
        final Fragment fragment = ready.remove();
        side.processor.use(costs.detectNs() + costs.setHeaderNs(), () -> side.sendEngine.acquire(() ->
        {
            isBusy = false;
            begin(fragment);
            look();
        }));
    }

    private void begin(final Fragment fragment)
    {
        side.processor.use(costs.enterScoreboardNs(), () -> { });
        fragment.target.side().incomingBuffer.acquire(() -> transfer(fragment));
    }

    private void transfer(final Fragment fragment)
    {
        final VirtualClock clock = side.clock;
        final long nowNs = clock.nowNs();
        final long endNs = endNs(fragment);
        final long headerNs = nowNs + costs.sanNs(StageCosts.HEADER_LENGTH) + costs.switchNs() - costs.decodeHiddenNs();
        fragment.sendStartNs = nowNs;
        fragment.headerNs = Math.max(nowNs, headerNs);
        fragment.arrivedNs = endNs + costs.switchNs();
        clock.at(fragment.headerNs, () -> fragment.target.onHeader(fragment));
        clock.at(fragment.arrivedNs, () -> fragment.target.onArrived(fragment));
        clock.at(endNs, side.sendEngine::release);
    }

    private long endNs(final Fragment fragment)
    {
        final long[] segmentNs = fragment.segmentNs;
        long endNs = side.clock.nowNs();
        int sentCount = 0;
        while (sentCount < segmentNs.length)
        {
            final int firstIndex = sentCount;
            endNs = Math.max(endNs, segmentNs[firstIndex]);
            while (sentCount < segmentNs.length && segmentNs[sentCount] <= endNs)
            {
                sentCount++;
            }
            endNs += costs.sanNs(fragment.lengthOf(firstIndex, sentCount, parameters.mode()));
        }
        return endNs;
    }
}
