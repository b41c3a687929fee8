// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.nio.file.Path;

/** One part of one fork, in a process of its own. Thread: the measuring one. */
public final class SectionRun
{
    private SectionRun()
    {
    }

    /**
     * Measures, and leaves the figures in files.
     *
     * @param section   to run.
     * @param name      of its part.
     * @param effort    of the run.
     * @param directory for files.
     * @param output    for the figures.
     * @param slowDown  percent of a send's time that is planted; 0 for none.
     * @throws IOException if the figures cannot be written.
     */
    public static void run(
        final Section section, final String name, final Effort effort, final Path directory, final Path output,
        final int slowDown)
        throws IOException
    {
        final Figures figures = new Figures();
        final Part part = new Part(name, effort, directory, slowDown, figures);
        switch (section)
        {
            case MESSAGES, MEMORY, BOARD -> PairSection.run(part, section);
            case POLL, CHANNELS, COST -> OneThreadSection.run(part, section);
            case LOAD -> LoadSection.run(part);
            case CPU -> CpuSection.run(part);
        }
        figures.directory().write(output);
    }
}
