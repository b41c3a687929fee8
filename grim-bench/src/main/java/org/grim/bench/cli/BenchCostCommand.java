// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import org.grim.bench.all.Suite;

import picocli.CommandLine.Command;

/** What the instructions of a message take. */
@Command(name = "cost", mixinStandardHelpOptions = true,
    description = "Measures send, poll and handler of a message in one thread, beside Aeron IPC in the same JVM.",
    footer = {"", "Benchmarks: cost. Sizes: 32, 256. Peers: grim (a node to itself over shared memory), aeron-ipc",
        "(tryClaim and poll of a publication and a subscription of one client).", "",
        "Six forks without Agrona's bounds checks (mode checks-off) and six with them (checks-on), by turns; --quick:",
        "one each. In a fork rounds are interleaved; a figure is the median of bursts of 64 messages, divided by 64.",
        "Handlers ignore the payload. JSON: rows as of bench shmem, of which cost is a part."})
final class BenchCostCommand extends ComparisonCommand
{
    BenchCostCommand()
    {
        super(Suite.COST);
    }
}
