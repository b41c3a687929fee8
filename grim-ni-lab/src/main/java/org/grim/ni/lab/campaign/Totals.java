// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.util.concurrent.atomic.LongAdder;

/** What all threads have done so far, for the progress line only: results come from each thread's {@link Tally}. */
final class Totals
{
    private final LongAdder seedCount = new LongAdder();
    private final LongAdder deliveredCount = new LongAdder();
    private final LongAdder failureCount = new LongAdder();

    void onSeed(final long delivered)
    {
        seedCount.increment();
        deliveredCount.add(delivered);
    }

    void onFailure()
    {
        failureCount.increment();
    }

    void tell(final CampaignProgress progress, final long elapsedNs)
    {
        progress.at(elapsedNs, seedCount.sum(), deliveredCount.sum(), failureCount.sum());
    }
}
