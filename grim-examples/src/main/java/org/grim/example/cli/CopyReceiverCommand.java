// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.GrimConfig;
import org.grim.example.copy.CopyMode;
import org.grim.example.copy.CopyReceiver;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.cli.ClusterOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The second JVM of {@code copy}. */
@Command(name = CopyReceiverCommand.NAME, hidden = true)
final class CopyReceiverCommand implements Callable<Integer>
{
    static final String NAME = "copy-receiver";

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--name", required = true)
    private String name;

    @Option(names = "--target", required = true)
    private Path target;

    @Option(names = "--temporary", required = true)
    private Path temporary;

    @Option(names = "--transport")
    private String transport;

    @Option(names = "--board")
    private BoardKind board;

    @Option(names = "--mode", required = true)
    private CopyMode mode;

    @Option(names = "--delay-us", required = true)
    private long delayUs;

    @Override
    public Integer call() throws IOException
    {
        final GrimConfig config = CopyCommand.withTransport(cluster.config(), transport, board, mode);
        CopyReceiver.receive(config.toBuilder().nodeName(name).build(), target, temporary, delayUs);
        return 0;
    }
}
