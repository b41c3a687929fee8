// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.bench.all.AllRun;
import org.grim.bench.all.Effort;
import org.grim.bench.all.Section;
import org.grim.bench.all.SectionRun;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ParentWatch;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A part of a section of {@code bench all}, in a process of its own. */
@Command(name = AllRun.PART_COMMAND, hidden = true)
final class BenchPartCommand implements Callable<Integer>
{
    @Option(names = "--section", required = true)
    private Section section;

    @Option(names = "--part", required = true)
    private String part;

    @Option(names = "--effort", required = true)
    private Effort effort;

    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--output", required = true)
    private Path output;

    @Option(names = "--slow-down-send", required = true)
    private int slowDown;

    @Override
    public Integer call() throws IOException
    {
        PeerPair.disableBoundsChecks();
        ParentWatch.start();
        SectionRun.run(section, part, effort, directory, output, slowDown);
        return 0;
    }
}
