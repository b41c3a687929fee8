// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.bench.programs.ProgramSide;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One process of a pair of programs. */
@Command(name = ProgramSide.COMMAND, hidden = true)
final class BenchProgramCommand implements Callable<Integer>
{
    @Option(names = "--server")
    private boolean isServer;

    @Option(names = "--directory", required = true)
    private Path directory;

    @Override
    public Integer call() throws IOException
    {
        ProgramSide.run(isServer, directory);
        return 0;
    }
}
