// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.util.List;

import org.grim.tools.cli.CommandSet;

/** The laboratory's commands. */
public final class LabCommands implements CommandSet
{
    /** Made by the service loader. */
    public LabCommands()
    {
        // Nothing to keep.
    }

    @Override
    public List<Object> commands()
    {
        return List.of(SimulateCommand.class, ScaleCommand.class, ModelCommand.class);
    }
}
