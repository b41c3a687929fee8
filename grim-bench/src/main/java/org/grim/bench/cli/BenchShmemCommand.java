// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** Messages through shared memory beside its limits and its rivals. */
@Command(name = "shmem", mixinStandardHelpOptions = true,
    description = "Measures messages between two pinned JVMs, beside limits and others.",
    footer = {"", "Benchmarks: latency, rate, bandwidth, poll, cost. Sizes: 0, 8, 24, 32, 256, 2048, 16384, 65504.",
        "Peers: grim, raw, copy-flag, ring, aeron-ipc, aeron-ipc-default, one-to-one, tcp, uds. When asked for by",
        "--peers: grim-null, grim-myrinet, grim-myrinet-pointer, aeron-udp, jctools.", "",
        "Rounds are interleaved: in each, every peer is measured once at every size, in turn. Ratios are",
        "GRIM's figure divided by the peer's of the same round. Senders write every message anew; each is counted,",
        "and summed where it is read. latency: half of a round trip, median; both sides send the same size; read: both",
        "read every byte, and the second echoes what it got. rate, bandwidth: one way; read: every byte is read.",
        "raw is one line of 8 bytes at any size. poll: ns per silent queue, size is the count of queues.",
        "cost: send, poll and handler in one thread, in processes of their own; see grim bench cost --help.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "empty where both processes share a core, for then nothing can be compared."})
final class BenchShmemCommand extends ComparisonCommand
{
    BenchShmemCommand()
    {
        super(Suite.SHMEM);
    }
}
