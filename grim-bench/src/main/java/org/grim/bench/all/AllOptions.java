// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;
import java.util.Set;

/**
 * What the user wants.
 *
 * @param effort    time for each figure.
 * @param forks     fresh pairs of processes; 0 for as many as the effort has.
 * @param sections  to run.
 * @param directory where files are made while it runs; null for shared memory.
 * @param slowDown  percent of a send's time that is planted; 0 for none.
 */
public record AllOptions(Effort effort, int forks, Set<Section> sections, Path directory, int slowDown)
{
    /** What the send path costs must be told apart by 20 percent: that takes more forks than a look does. */
    private static final int COST_FORKS_MIN = 8;

    /**
     * Takes a copy.
     *
     * @param effort    time for each figure.
     * @param forks     fresh pairs of processes.
     * @param sections  to run.
     * @param directory where files are made.
     * @param slowDown  that is planted.
     */
    public AllOptions(
        final Effort effort, final int forks, final Set<Section> sections, final Path directory, final int slowDown)
    {
        this.effort = effort;
        this.forks = forks;
        this.sections = Set.copyOf(sections);
        this.directory = directory;
        this.slowDown = slowDown;
    }

    /** Forks of most sections. */
    int forkCount()
    {
        return forks == 0 ? effort.forks() : forks;
    }

    /** Forks of one section. */
    int forksOf(final Section section)
    {
        return forks == 0 && section == Section.COST && effort != Effort.TINY ?
            Math.max(COST_FORKS_MIN, forkCount()) : forkCount();
    }
}
