// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** Programs of {@code java.nio} with the JDK's channels and with ours. */
@Command(name = "sockets", mixinStandardHelpOptions = true,
    description = "Measures programs of java.nio with the JDK's TCP over loopback and with GRIM's channels.",
    footer = {"", "Benchmarks of a program that never waits: latency, rate, bandwidth. Sizes: 0,",
        "8, 24, 32, 256, 2048, 16384, 65504; each message is a write of 4 bytes more.",
        "Benchmarks of programs that wait: select (32, 2048; 1, 8, 64 connections, 1, 4",
        "selectors), blocking (32, 2048), connect (32), transfer (a file of 60000000).",
        "Their times are those of a whole exchange, with -p50 and -p99 of single ones; a",
        "round of them takes five times --round-ms.",
        "Peers: tcp (channels of the JDK), grim-sockets (channels of GRIM, with the settings of the process).", "",
        "Six forks (fresh processes; --quick: one), in each interleaved rounds as of bench shmem; figures as there.",
        "The notes say how many bytes the writing thread allocated for a message.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "where both processes share a core, of programs that wait only."})
final class BenchSocketsCommand extends ComparisonCommand
{
    BenchSocketsCommand()
    {
        super(Suite.SOCKETS);
    }
}
