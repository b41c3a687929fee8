// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** Messages between hosts beside raw Aeron and what others do over TCP. */
@Command(name = "network", mixinStandardHelpOptions = true,
    description = "Measures messages as between hosts, over the loopback device, beside raw Aeron and TCP.",
    footer = {"", "Benchmarks: latency, rate, bandwidth. Sizes: 0, 8, 24, 32, 256, 2048, 16384, 65504.",
        "Peers: grim-aeron (two nodes with the transport aeron), aeron-udp (raw Aeron), tcp (channels of the JDK),",
        "ucx-tcp (ucx_perftest) and ompi-tcp (Open MPI), both over TCP and only where they are installed.", "",
        "grim-aeron and aeron-udp have a media driver in each process, without threads: the measuring thread steps it",
        "with each poll, after each send where a reply is awaited, else after 8 KiB. A poll takes at most 64 messages.",
        "Terms of 16 MiB, MTU 8 KiB.",
        "Six forks (fresh processes; --quick: one), in each interleaved rounds as of bench shmem; figures as there.",
        "ucx-tcp and ompi-tcp start processes of their own in the first three rounds only. The notes say how many",
        "bytes the measuring thread allocated for a message.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "empty where both processes share a core, for then nothing can be compared."})
final class BenchNetworkCommand extends ComparisonCommand
{
    BenchNetworkCommand()
    {
        super(Suite.NETWORK);
    }
}
