// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.util.List;

import org.grim.tools.cli.CommandSet;

/** The commands that measure. */
public final class BenchCommands implements CommandSet
{
    @Override
    public List<Object> commands()
    {
        return List.of(PollCommand.class, TuneCommand.class, BenchCommand.line(), ReportCommand.class,
            JmhCommand.class);
    }
}
