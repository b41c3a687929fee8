// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;

import org.grim.bench.boards.BoardKind;
import org.grim.bench.pingpong.Mode;
import org.grim.bench.pingpong.PingServer;
import org.grim.bench.pingpong.PingSetup;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The second JVM of {@code pingpong}. */
@Command(name = PingPongPeerCommand.NAME, hidden = true)
final class PingPongPeerCommand implements Runnable
{
    static final String NAME = "pingpong-peer";

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--transport", required = true)
    private String transport;

    @Option(names = "--board")
    private BoardKind board;

    @Option(names = "--mode", required = true)
    private Mode mode;

    @Option(names = "--size-max", required = true)
    private int sizeMax;

    @Option(names = "--reference")
    private String reference;

    @Option(names = "--raw", required = true)
    private Path raw;

    @Option(names = "--cpu", required = true)
    private int cpu;

    @Override
    public void run()
    {
        PingServer.serve(cluster.config(), new PingSetup(transport, board, mode, sizeMax),
            new PingServer.Clusters(cluster.name(), reference), raw, cpu);
    }
}
