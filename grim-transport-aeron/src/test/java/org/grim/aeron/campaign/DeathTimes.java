// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.grim.campaign.history.Incarnation;

/** Times until nodes of other hosts learn that a node is gone, one for each pair. Thread: one. */
final class DeathTimes
{
    private final Times times = new Times();

    /** All survivors have learnt of all that are gone. */
    void add(final String cause, final List<Incarnation> gone, final List<Incarnation> survivors, final long startNs)
    {
        for (final Incarnation node : gone)
        {
            survivors.stream().map(survivor -> survivor.goneNs(node.packed)).filter(Objects::nonNull)
                .forEach(goneNs -> times.add(cause, TimeUnit.NANOSECONDS.toMillis(goneNs - startNs)));
        }
    }

    @Override
    public String toString()
    {
        return times.toString();
    }
}
