// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.openjdk.jmh.Main;

import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** JMH's own command line. */
@Command(name = "jmh", description = "Runs JMH with the arguments that follow; `grim jmh -h` shows them.")
final class JmhCommand implements Callable<Integer>
{
    @Unmatched
    private final List<String> arguments = new ArrayList<>();         // Filled in by picocli.

    @Override
    public Integer call() throws IOException
    {
        Main.main(arguments.toArray(new String[0]));
        return 0;
    }
}
