// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.List;

import org.grim.bench.process.Pinning;

/** Keeps a section in one thread on the first CPU; says in a note if it cannot. Thread: the measuring one. */
final class OneCpu implements AutoCloseable
{
    private final Pinning pinning;

    private OneCpu(final Pinning pinning)
    {
        this.pinning = pinning;
    }

    static OneCpu take(final Part part)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final Pinning pinning = Pinning.pin(cpus.size() < 2 ? Pinning.NO_CPU : cpus.get(0));
        if (!pinning.isPinned())
        {
            part.figures().note("part " + part.name() + ": measuring thread " + pinning.description());
        }
        return new OneCpu(pinning);
    }

    @Override
    public void close()
    {
        pinning.close();
    }
}
