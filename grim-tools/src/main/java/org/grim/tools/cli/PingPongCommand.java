// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.util.concurrent.Callable;

import org.grim.tools.boards.BoardKind;
import org.grim.tools.pingpong.PingPong;
import org.grim.tools.pingpong.PingPongHosts;
import org.grim.tools.pingpong.PingPongMode;
import org.grim.tools.pingpong.PingPongReport;
import org.grim.tools.process.EndSignal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Latency and rate of active messages and of remote memory. */
@Command(name = "pingpong", mixinStandardHelpOptions = true,
    description = "Measures latency and rate between two JVMs, beside the least that passes as much.",
    footer = {"", "Starts the second JVM itself, in a cluster of their own. Payloads are verified by CRC32C: all",
        "below 2048 bytes; from there on messages and writes in untimed parts of each round, while timed ones count",
        "payloads and do not look at their bytes.",
        "am: messages, answered by a handler. rm-v, rm-p: each side writes into the other's region with a notification",
        "word, and looks at its own; no handler runs. One-way times are half of round trips. read: one side reads the",
        "other's region; the time is that of a whole read, from the call until all bytes are there.",
        "Streams: messages, writes or reads per second. Writes and reads repeat one place: what is left is verified.",
        "limit: the least that passes as much between the same two threads: up to 64 bytes raw, one cache line passed",
        "in each direction; above, one copy and a flag. ratio: GRIM's p50 to that, median over adjacent rounds.",
        "--hosts: each process is a host with agent and media driver; the limit is still that of shared memory.",
        "myrinet: shared memory is measured beside it in the same rounds, and the second ratio is to that.",
        "JSON: {command, transport, board, mode, rows: [{size, oneWayNs: {min, p50, p99, p999}, messagesPerSecond,",
        "rawOneWayNs, ratioToRaw, copyFlagOneWayNs, ratioToCopyFlag, shmemOneWayNs, ratioToShmem, verified}]};",
        "what was not measured is null."})
final class PingPongCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--transport", paramLabel = "NAME", defaultValue = "shmem",
        description = "shmem; myrinet; or null: one process to itself (default: ${DEFAULT-VALUE}).")
    private String transport;

    @Option(names = "--board", paramLabel = "KIND",
        description = "With myrinet, who runs the firmware: duty-cycle, thread, or process: a third one, with one " +
            "board for both (default: duty-cycle).")
    private BoardKind board;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "am",
        description = "am: active messages; rm-v, rm-p: remote writes by virtual or physical address; read: remote " +
            "reads (default: ${DEFAULT-VALUE}).")
    private PingPongMode mode;

    @Option(names = "--sizes", paramLabel = "BYTES", split = ",",
        description = "Payload sizes, up to 67108864 (default: 0,8,32,256,2048,16384,65504; of remote memory " +
            "8,32,256,2048,16384,65536,1048576).")
    private int[] sizes;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "20",
        description = "Time for the whole run, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--hosts",
        description = "Between two hosts on this machine, over Aeron: network namespaces with a cable each where " +
            "this user may make them, else two loopback addresses.")
    private boolean isBetweenHosts;

    @Option(names = "--loopback",
        description = "With --hosts, use loopback addresses, also where namespaces are permitted.")
    private boolean isLoopback;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        checkOptions();
        if (isBetweenHosts)
        {
            try (EndSignal end = EndSignal.register())
            {
                final PingPongReport report = PingPongHosts.run(
                    mode, sizes, seconds, cluster.directory(), isLoopback, json.text());
                json.print(report.table(), report);
                return end.isEnded() ? 1 : 0;
            }
        }
        if (BoardKind.TRANSPORT.equals(transport) && board == null)
        {
            board = BoardKind.DUTY_CYCLE;
        }
        final PingPongReport report = new PingPong(transport, board, mode)
            .run(sizes, seconds, cluster.directory(), json.text());
        json.print(report.table(), report);
        return 0;
    }

    private void checkOptions()
    {
        if (cluster.name() != null)
        {
            throw new ParameterException(spec.commandLine(), "--cluster: pingpong runs in a cluster of its own");
        }
        if (board != null && !BoardKind.TRANSPORT.equals(transport))
        {
            throw new ParameterException(spec.commandLine(),
                "--board=" + board + ": transport=" + transport + " has no boards, only " + BoardKind.TRANSPORT +
                " has");
        }
        if (isBetweenHosts && spec.commandLine().getParseResult().hasMatchedOption("--transport"))
        {
            throw new ParameterException(spec.commandLine(), "--transport: between hosts it is aeron");
        }
        if (isLoopback && !isBetweenHosts)
        {
            throw new ParameterException(spec.commandLine(), "--loopback: only with --hosts");
        }
        OptionCheck.requireWithin(spec, "--seconds", seconds, 0.1, 3600);
        if (sizes == null)
        {
            sizes = mode.defaultSizes();
        }
        for (final int size : sizes)
        {
            if (size < mode.sizeMin() || size > PingPongMode.SIZE_MAX)
            {
                throw new ParameterException(spec.commandLine(), "--sizes: size=" + size + " bytes is outside " +
                    mode.sizeMin() + " to " + PingPongMode.SIZE_MAX + " of mode=" + mode);
            }
        }
    }
}
