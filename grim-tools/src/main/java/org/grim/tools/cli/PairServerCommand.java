// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.List;

import org.grim.tools.boards.BoardKind;
import org.grim.tools.pair.HostPlaces;
import org.grim.tools.pair.PairServer;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The second JVM of a pair. */
@Command(name = PeerPair.SERVER_COMMAND, hidden = true)
final class PairServerCommand implements Runnable
{
    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--peers", required = true, split = ",")
    private List<PeerKind> peers;

    @Option(names = "--size-max", required = true)
    private int sizeMax;

    @Option(names = "--cpu", required = true)
    private int cpu;

    @Option(names = "--board")
    private BoardKind board;

    @Option(names = "--hosts")
    private String hosts;

    @Option(names = "--echoes")
    private boolean isForEchoes;

    @Override
    public void run()
    {
        if (isForEchoes)
        {
            System.setProperty(PeerPair.ECHO_PROPERTY, "true");
        }
        else
        {
            PeerPair.disableBoundsChecks();
        }
        if (board != null)
        {
            System.setProperty(BoardKind.PROPERTY, board.toString());
        }
        if (hosts != null)
        {
            System.setProperty(HostPlaces.PROPERTY, hosts);
        }
        PairServer.serve(directory, peers, sizeMax, cpu);
    }
}
