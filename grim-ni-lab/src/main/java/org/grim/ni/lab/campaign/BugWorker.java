// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Looks for planted bugs in turn, for a short while each, so that one which hides does not keep others from being
 * found.
 * <p>Thread: one of the campaign's. A bug is in the queue or in one thread's hands.
 */
final class BugWorker implements Callable<Tally>
{
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Simulator simulator;
    private final Queue<PlantedBug> queue;
    private final long deadlineNs;
    private final Tally tally = new Tally();

    BugWorker(final Simulator simulator, final Queue<PlantedBug> queue, final long deadlineNs)
    {
        this.simulator = simulator;
        this.queue = queue;
        this.deadlineNs = deadlineNs;
    }

    @Override
    public Tally call()
    {
        while (System.nanoTime() - deadlineNs < 0)
        {
            final PlantedBug bug = queue.poll();
            if (bug == null)
            {
                return tally;
            }
            hunt(bug);
            if (!bug.isDone())
            {
                queue.add(bug);
            }
        }
        return tally;
    }

    private void hunt(final PlantedBug bug)
    {
        final long endNs = System.nanoTime() + SLICE_NS;
        do
        {
            bug.step(simulator, tally);
        }
        while (!bug.isBetweenTrials() && System.nanoTime() - endNs < 0 && System.nanoTime() - deadlineNs < 0);
    }
}
