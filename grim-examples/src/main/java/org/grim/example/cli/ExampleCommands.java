// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.util.List;

import org.grim.tools.cli.CommandSet;

/** The commands of this module. */
public final class ExampleCommands implements CommandSet
{
    @Override
    public List<Object> commands()
    {
        return List.of(ExampleCommand.line(), CopyReceiverCommand.class);
    }
}
