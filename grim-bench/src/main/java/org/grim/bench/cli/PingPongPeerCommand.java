// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.nio.file.Path;

import org.grim.bench.boards.BoardKind;
import org.grim.bench.pingpong.PingPong;

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

    @Option(names = "--reference")
    private String reference;

    @Option(names = "--raw", required = true)
    private Path raw;

    @Option(names = "--cpu", required = true)
    private int cpu;

    @Override
    public void run()
    {
        PingPong.serve(cluster.config(), transport, board, new PingPong.Clusters(cluster.name(), reference), raw, cpu);
    }
}
