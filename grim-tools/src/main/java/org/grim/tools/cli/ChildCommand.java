// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import org.grim.tools.process.ChildTask;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A second JVM of a command. */
@Command(name = ChildTask.COMMAND, hidden = true)
final class ChildCommand implements Callable<Integer>
{
    @Parameters(index = "0")
    private String type;

    @Parameters(index = "1")
    private String task;

    @Override
    public Integer call() throws IOException
    {
        ChildTask.read(type, task).run();
        return 0;
    }
}
