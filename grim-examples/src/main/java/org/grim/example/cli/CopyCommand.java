// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import org.grim.GrimConfig;
import org.grim.example.copy.CopyMode;
import org.grim.example.copy.CopyResult;
import org.grim.example.copy.FileCopy;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.boards.BoardServer;
import org.grim.tools.cli.ClusterOptions;
import org.grim.tools.cli.CommandProgress;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A real file through active messages or remote memory. */
@Command(name = "copy", mixinStandardHelpOptions = true,
    header = "Messages or remote memory: a file to a second JVM.",
    description = "Streams a file to a second JVM, which writes it, and compares SHA-256 of both sides.",
    footer = {"", "While it runs, `grim stat --cluster NAME --watch` in another terminal shows the nodes at work."})
final class CopyCommand implements Callable<Integer>
{
    private static final long MEBIBYTE = 1 << 20;
    private static final long DELAY_US_MAX = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Parameters(index = "0", paramLabel = "SOURCE", description = "File to read.")
    private Path source;

    @Parameters(index = "1", paramLabel = "TARGET",
        description = "File to write; has another name until it is complete.")
    private Path target;

    @Option(names = "--transport", paramLabel = "NAME",
        description = "shmem, or myrinet (default: as configured, which is shmem).")
    private String transport;

    @Option(names = "--board", paramLabel = "KIND",
        description = "With myrinet, who runs the firmware: duty-cycle, thread, or process: a third one, with one " +
            "board for both (default: duty-cycle).")
    private BoardKind board;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "am",
        description = "am: by active messages; rm: by remote writes into a window of the receiver's memory (default: " +
            "${DEFAULT-VALUE}).")
    private CopyMode mode;

    @Option(names = "--receiver-delay-us", paramLabel = "N", defaultValue = "0",
        description = "Makes the receiver wait so long per message or part, in microseconds.")
    private long receiverDelayUs;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--receiver-delay-us", receiverDelayUs, 0, DELAY_US_MAX);
        if (BoardKind.TRANSPORT.equals(transport) && board == null)
        {
            board = BoardKind.DUTY_CYCLE;
        }
        if (board != null && !BoardKind.TRANSPORT.equals(transport))
        {
            throw new ParameterException(spec.commandLine(), "--board=" + board + ": transport=" +
                (transport == null ? "shmem" : transport) + " has no boards, only " + BoardKind.TRANSPORT + " has");
        }
        final FileCopy copy = new FileCopy(source, target);
        final GrimConfig config = cluster.config();
        if (cluster.name() != null)
        {
            return run(copy, config, config.clusterDirectory().getFileName().toString());
        }
        try (PrivateDirectory own = PrivateDirectory.ofNewCluster("copy", config))
        {
            final String name = own.path().getFileName().toString();
            spec.commandLine().getErr().println("cluster " + name);
            return run(copy, config.toBuilder().set("grim.cluster.name", name).build(), name);
        }
    }

    private int run(final FileCopy copy, final GrimConfig config, final String clusterName) throws IOException
    {
        final CopyResult result;
        try (CommandProgress progress =
            new CommandProgress(spec.commandLine().getErr(), "copied", copy.sourceLength(), "MiB", MEBIBYTE);
            SecondJvm server = BoardServer.startIfNeeded(board, clusterName, cluster.directory()))
        {
            result = copy.run(withTransport(config, transport, board, mode), mode, () ->
            {
                if (server != null)
                {
                    server.requireAlive();
                }
            }, (path, temporary) -> receiverArguments(clusterName, path, temporary),
                position -> progress.at(position, ""));
        }
        final PrintWriter output = spec.commandLine().getOut();
        output.printf(Locale.ROOT, "%d bytes in %.2f s, %.1f MB/s%n", result.length(), result.seconds(),
            result.megabytesPerSecond());
        output.println("SHA-256 sent      " + result.sourceSha256());
        output.println("SHA-256 received  " + result.targetSha256());
        output.flush();
        if (!result.isSame())
        {
            spec.commandLine().getErr().println("grim: the hashes differ, so nothing was kept");
            return 1;
        }
        return 0;
    }

    /** As configured where nothing was asked for. */
    static GrimConfig withTransport(
        final GrimConfig config, final String transport, final BoardKind board, final CopyMode mode)
    {
        if (board != null)
        {
            return mode == CopyMode.RM ? board.apply(config, FileCopy.registeredLength()) : board.apply(config);
        }
        return transport == null ? config : config.toBuilder().transports(transport).build();
    }

    private List<String> receiverArguments(final String clusterName, final Path path, final Path temporary)
    {
        final List<String> arguments = new ArrayList<>(List.of(CopyReceiverCommand.NAME, "--cluster", clusterName,
            "--name", FileCopy.receiverName(), "--target", path.toString(), "--temporary", temporary.toString(),
            "--mode", mode.toString(), "--delay-us", Long.toString(receiverDelayUs)));
        if (transport != null)
        {
            arguments.addAll(List.of("--transport", transport));
        }
        if (board != null)
        {
            arguments.addAll(List.of("--board", board.toString()));
        }
        if (cluster.directory() != null)
        {
            arguments.addAll(List.of("--directory", cluster.directory().toString()));
        }
        return arguments;
    }
}
