// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Times of returning processes from their start until their node is up and all other nodes see it; the start of the JVM
 * counts. Thread: one.
 */
final class ReturnTimes
{
    private final Times times = new Times();
    private final List<Return> open = new ArrayList<>();

    /** One that is under way. */
    private record Return(String cause, NodeProcess process)
    {
    }

    void begin(final String cause, final List<NodeProcess> returning)
    {
        returning.forEach(process -> open.add(new Return(cause, process)));
    }

    /** Looks who has returned, by what the others answered last; forgets who is gone again. */
    void look(final List<NodeProcess> live, final long nowNs)
    {
        open.removeIf(each -> !live.contains(each.process));
        open.removeIf(each ->
        {
            final boolean isBack = isSeen(each.process, live);
            if (isBack)
            {
                times.add(each.cause, TimeUnit.NANOSECONDS.toMillis(nowNs - each.process.startNs));
            }
            return isBack;
        });
    }

    private static boolean isSeen(final NodeProcess process, final List<NodeProcess> live)
    {
        final String identity = process.identity();
        return !identity.isEmpty() && live.stream().filter(other -> !other.identity().isEmpty()).allMatch(other ->
        {
            final Set<String> sight = other.worker.sight();
            return sight != null && sight.contains(identity);
        });
    }

    /** {@return the median of a cause that occurred; milliseconds} */
    long medianMs(final String cause)
    {
        return times.medianMs(cause);
    }

    @Override
    public String toString()
    {
        return times.toString();
    }
}
