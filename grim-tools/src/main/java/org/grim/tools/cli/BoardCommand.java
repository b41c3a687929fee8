// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import org.grim.GrimConfig;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.boards.BoardServer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A board for other processes. */
@Command(name = BoardServer.COMMAND, mixinStandardHelpOptions = true,
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

    @Option(names = BoardServer.CHILD_OPTION, hidden = true)
    private boolean isChild;

    @Override
    public void run()
    {
        OptionCheck.requireWithin(spec, "--contexts", contexts, 1, COUNT_MAX);
        OptionCheck.requireWithin(spec, "--channels", channels, 1, COUNT_MAX);
        if (sram != 0)
        {
            OptionCheck.requireWithin(spec, "--sram", sram, SRAM_LENGTH_MIN, SRAM_LENGTH_MAX);
        }
        if (lanai != 4 && lanai != 9)
        {
            throw new ParameterException(spec.commandLine(), "--lanai=" + lanai + " is neither 4 nor 9");
        }
        BoardServer.serve(config(), isChild, spec.commandLine().getOut());
    }

    /** The node is one of those that use the board: it takes a context, and one channel. */
    private GrimConfig config()
    {
        final GrimConfig.Builder builder = BoardKind.DUTY_CYCLE.apply(cluster.config()).toBuilder().nodeName(name)
            .set("grim.channels.count", 1).set("grim.channels.host", 1)
            .set("grim.myrinet.contexts", contexts + 1)
            .set("grim.myrinet.board-channels", channels + 1)
            .set("grim.myrinet.lanai-model", lanai);
        if (sram > 0)
        {
            builder.set("grim.myrinet.sram-length", sram);
        }
        return builder.build();
    }
}
