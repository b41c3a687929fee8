// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.bench.tune.TuneBoard;
import org.grim.myrinet.injection.Candidate;
import org.grim.myrinet.injection.InjectionBench;
import org.grim.myrinet.injection.Injectors;
import org.grim.myrinet.injection.Mechanism;
import org.grim.myrinet.posix.Posix;
import org.grim.tools.process.PrivateDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs to move a payload into a board's memory, in ns per payload, by each mechanism: into a mapped board
 * file, whose firmware runs in the same thread whenever the host waits for a pull. Nothing is sent.
 */
public class InjectionBenchmark extends NanosecondBenchmark
{
    private static final int REPETITIONS = 4;

    /** Payload bytes; the last is the most that a message carries. */
    @Param({"32", "4096", "65504"})
    public int size;

    /** The mechanism, and the bytes between pauses if there are any. */
    @Param({"word-stores", "word-stores/160", "bulk-copy", "bulk-copy/160", "libc-copy", "one-copy", "double-buffered",
        "zero-copy"})
    public String mechanism;

    private PrivateDirectory directory;
    private TuneBoard board;
    private InjectionBench bench;
    private Candidate candidate;

    /** Made by JMH. */
    public InjectionBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Makes the board. */
    @Setup
    public void setUp()
    {
        final String[] parts = mechanism.split("/", -1);
        candidate = new Candidate(
            Mechanism.ofLabel(parts[0]), parts.length == 1 ? Injectors.UNPACED : Integer.parseInt(parts[1]));
        directory = PrivateDirectory.create("grim-injection-", null);
        board = new TuneBoard(Posix.load(), directory.path(), true);
        bench = board.bench();
    }

    /** Removes its files. */
    @TearDown
    public void tearDown()
    {
        board.close();
        directory.close();
    }

    /** Some payloads, from several places to several places. */
    @Benchmark
    @OperationsPerInvocation(REPETITIONS)
    public void inject()
    {
        bench.inject(candidate, size, REPETITIONS);
    }
}
