// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.nio.file.Path;

import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;

/**
 * One part of one fork, in a process of its own. Thread: the measuring one.
 *
 * @param section   to run.
 * @param part      its name.
 * @param effort    of the run.
 * @param directory for files.
 * @param output    for the figures.
 * @param slowDown  percent of a send's time that is planted; 0 for none.
 */
public record SectionRun(Section section, String part, Effort effort, Path directory, Path output, int slowDown)
    implements ChildTask
{
    @Override
    public void run() throws IOException
    {
        PeerPair.disableBoundsChecks();
        ParentWatch.start();
        measure();
    }

    /** Measures in this process, and leaves the figures in files. */
    void measure() throws IOException
    {
        final Figures figures = new Figures();
        final Part of = new Part(part, effort, directory, slowDown, figures);
        switch (section)
        {
            case MESSAGES, MEMORY, BOARD -> PairSection.run(of, section);
            case POLL, CHANNELS, COST -> OneThreadSection.run(of, section);
            case LOAD -> LoadSection.run(of);
            case CPU -> CpuSection.run(of);
        }
        figures.directory().write(output);
    }
}
