// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.tools.pair.HostPlaces;
import org.grim.tools.pingpong.PingPong;
import org.grim.tools.pingpong.PingPongHosts;
import org.grim.tools.pingpong.PingPongMode;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The process that measures, on a host of its own; it ends when its parent does. */
@Command(name = PingPongHosts.COMMAND, hidden = true)
final class PingPongFirstCommand implements Callable<Integer>
{
    @Option(names = "--mode", required = true)
    private PingPongMode mode;

    @Option(names = "--sizes", required = true, split = ",")
    private int[] sizes;

    @Option(names = "--seconds", required = true)
    private double seconds;

    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--hosts", required = true, split = ",")
    private List<String> hosts;

    @Option(names = "--second-place")
    private List<String> secondPlace = List.of();

    @Option(names = "--result", required = true)
    private Path result;

    @Option(names = "--notes", required = true)
    private Path notes;

    @Override
    public Integer call() throws IOException
    {
        ParentWatch.start();
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(notes)))
        {
            Files.writeString(result, Json.text(new PingPong(mode, new HostPlaces(hosts, secondPlace))
                .run(sizes, seconds, directory, writer)));
        }
        return 0;
    }
}
