// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** Remote memory and large messages beside their limits and rivals. */
@Command(name = "memory", mixinStandardHelpOptions = true,
    description = "Measures remote memory and large messages between two pinned JVMs, beside limits and others.",
    footer = {"", "Benchmarks: put-latency, put-bandwidth, get-latency, get-bandwidth; sizes: 8, 64, 256, 2048, 16384,",
        "65536, 1048576, 16777216. large-message; sizes: 131072, 1048576, 16777216.",
        "Peers: grim-rm-p and grim-rm-v (writes by physical and virtual address; reads are by virtual address), raw (a",
        "cache line of 8 bytes, at any size), copy-flag, copy-memory (Java's copyMemory in private memory),",
        "copy-mapped (into and out of a mapped file), ucx (ucx_perftest over posix shared memory, where it is on the",
        "path), grim and aeron-ipc (large messages).", "",
        "Rounds are interleaved: in each, every peer is measured once at every size, in turn. Ratios are GRIM's figure",
        "divided by the peer's of the same round; GRIM's is that of grim-rm-p for puts, of grim-rm-v for gets, of grim",
        "for messages. put-latency: half of a round trip of writes, noticed by a notification word; median.",
        "get-latency: a whole read, until all bytes are there; median. Bandwidths: one side writes or reads the same",
        "memory over and over, and nobody looks at it meanwhile. large-message: one way, the handler ignores it. What",
        "was written and read is verified once per figure.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "empty where both processes share a core, for then nothing can be compared."})
final class BenchMemoryCommand extends ComparisonCommand
{
    BenchMemoryCommand()
    {
        super(Suite.MEMORY);
    }
}
