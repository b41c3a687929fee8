// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.nio.file.Path;

import org.grim.bench.figures.FigureDirectory;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.SecondJvm;

/**
 * A measurement of one fork, in a process of its own, so that it finds no code that was compiled for another. It leaves
 * its figures in a directory, which the first process reads.
 * <p>Thread: the measuring one.
 */
interface ForkTask extends ChildTask
{
    /** {@return a name for texts} */
    String title();

    /** {@return the directory for the figures} */
    Path output();

    /** {@return how long the process may take} */
    long timeoutMs();

    /** {@return whether Agrona's buffers check bounds; that holds for a whole process} */
    boolean isChecked();

    /** Measures in this process. */
    void fill(Figures figures) throws IOException;

    /** Runs the task in a process of its own. {@return its figures} */
    default FigureDirectory runElsewhere() throws IOException
    {
        try (SecondJvm process = SecondJvm.start(title(), this))
        {
            process.awaitEnd(timeoutMs());
        }
        return FigureDirectory.read(output());
    }

    @Override
    default void run() throws IOException
    {
        if (!isChecked())
        {
            PeerPair.disableBoundsChecks();
        }
        ParentWatch.start();
        measure();
    }

    /** Measures in this process, and leaves the figures in files. */
    default void measure() throws IOException
    {
        final Figures figures = new Figures();
        fill(figures);
        figures.directory().write(output());
    }
}
