// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** One program of {@code java.nio} with the JDK's channels and with ours. */
@Command(name = "sockets", mixinStandardHelpOptions = true,
    description = "Measures one program of java.nio with the JDK's TCP over loopback and with GRIM's channels.",
    footer = {"", "Benchmarks: latency (both sides read without waiting), select-latency (both wait in a selector),",
        "rate, bandwidth. Sizes: 0, 8, 24, 32, 256, 2048, 16384, 65504; each message is a write of 4 bytes more.",
        "Peers: tcp (channels of the JDK), grim-sockets (channels of GRIM, with the settings of the process).", "",
        "Six forks (fresh processes; --quick: one), in each interleaved rounds as of bench shmem; figures as there.",
        "The notes say how many bytes the writing thread allocated for a message.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "empty where both processes share a core, for then nothing can be compared."})
final class BenchSocketsCommand extends ComparisonCommand
{
    BenchSocketsCommand()
    {
        super(Suite.SOCKETS);
    }
}
