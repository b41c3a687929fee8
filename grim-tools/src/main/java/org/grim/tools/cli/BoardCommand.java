// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import org.grim.tools.boards.BoardJvm;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.boards.BoardServer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A board for other processes. */
@Command(name = BoardJvm.COMMAND, mixinStandardHelpOptions = true,
    description = "Serves a board (network interface) to other processes until it is interrupted.",
    footer = {"", "Processes use it that open the transport myrinet with grim.myrinet.board=NAME in the same cluster.",
        "Prints one line when it is ready. An idle board sleeps."})
final class BoardCommand implements Runnable
{
    private static final int COUNT_MAX = 254;       // The configuration's limit, less the board's own one.
    private static final int SRAM_LENGTH_MIN = 1 << 16;
    private static final int SRAM_LENGTH_MAX = 1 << 26;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--name", paramLabel = "NAME", defaultValue = BoardKind.SERVER_NAME,
        description = "Name of the node, and so of the board (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--contexts", paramLabel = "N", defaultValue = "4",
        description = "Processes that can attach at a time, 1 to 254 (default: ${DEFAULT-VALUE}).")
    private int contexts;

    @Option(names = "--channels", paramLabel = "N", defaultValue = "8",
        description = "NI channels for all of them together, 1 to 254 (default: ${DEFAULT-VALUE}).")
    private int channels;

    @Option(names = "--sram", paramLabel = "BYTES", defaultValue = "0",
        description = "The board's memory, 64 KiB to 64 MiB; 0 for what the configuration says (default).")
    private int sram;

    @Option(names = "--lanai", paramLabel = "4|9", defaultValue = "9",
        description = "Model of the processor (default: ${DEFAULT-VALUE}).")
    private int lanai;

    @Option(names = BoardJvm.CHILD_OPTION, hidden = true)
    private boolean isChild;

    @Override
    public void run()
    {
        requireInRange("--contexts", contexts, 1, COUNT_MAX);
        requireInRange("--channels", channels, 1, COUNT_MAX);
        if (sram != 0)
        {
            requireInRange("--sram", sram, SRAM_LENGTH_MIN, SRAM_LENGTH_MAX);
        }
        if (lanai != 4 && lanai != 9)
        {
            throw new ParameterException(spec.commandLine(), "--lanai=" + lanai + " is neither 4 nor 9");
        }
        new BoardServer(cluster.config(), new BoardServer.Settings(name, contexts, channels, sram, lanai),
            spec.commandLine().getOut()).serve(isChild);
    }

    private void requireInRange(final String option, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new ParameterException(spec.commandLine(),
                option + "=" + value + " is outside " + min + " to " + max);
        }
    }
}
