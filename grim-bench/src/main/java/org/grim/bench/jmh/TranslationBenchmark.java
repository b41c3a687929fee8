// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.MemoryRegion;
import org.grim.board.TranslationDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the translation cache costs, in ns per look-up or write, on a board with four static entries. {@code write} is a
 * remote write of 32 bytes to a page that is known; {@code fillWrite} one to a page that is not: a miss, the question
 * to the host and its answer, an eviction, and the same write once more. So their difference is what a miss costs.
 */
public class TranslationBenchmark extends NanosecondBenchmark
{
    private static final int PAGE_LENGTH = TranslationDescriptor.PAGE_LENGTH;
    private static final int RIGHT = MemoryRegion.Rights.WRITE.bits();
    private static final long UNKNOWN = TranslatingBoard.STATIC_BASE * 2;

    /** Pages that the cache holds, and that are in it. */
    @Param({"32", "1024"})
    public int capacity;

    private TranslatingBoard board;
    private int page;

    /** Made by JMH. */
    public TranslationBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Fills the cache. */
    @Setup
    public void setUp()
    {
        board = new TranslatingBoard(capacity);
        for (int i = 0; i < capacity; i++)
        {
            fillWrite();
        }
        final long missCount = board.cache().missCount();
        if (board.cache().evictionCount() != 0 || write() != missCount + 1 || hit() < 0 || hitStatic() < 0 ||
            miss() >= 0)
        {
            throw new IllegalStateException("evictions=" + board.cache().evictionCount() + " misses=" + missCount);
        }
        page = capacity;                    // The first that the cache does not hold.
    }

    /**
     * An address in a page that the cache holds, another one each time.
     *
     * @return the physical address.
     */
    @Benchmark
    public long hit()
    {
        page++;
        final long offset = (long)(page & capacity - 1) * PAGE_LENGTH;
        return board.cache().translate(TranslatingBoard.CONTEXT, TranslatingBoard.BASE + offset,
            TranslatingBoard.WRITE_LENGTH, RIGHT);
    }

    /**
     * An address that a static entry covers.
     *
     * @return the physical address.
     */
    @Benchmark
    public long hitStatic()
    {
        page++;
        final long offset = page * (long)TranslatingBoard.WRITE_LENGTH & TranslatingBoard.STATIC_LENGTH - 1;
        return board.cache().translate(TranslatingBoard.CONTEXT, TranslatingBoard.STATIC_BASE + offset,
            TranslatingBoard.WRITE_LENGTH, RIGHT);
    }

    /**
     * An address that nobody knows.
     *
     * @return what says so.
     */
    @Benchmark
    public long miss()
    {
        page++;
        return board.cache().translate(TranslatingBoard.CONTEXT, UNKNOWN + (long)(page & capacity - 1) * PAGE_LENGTH,
            TranslatingBoard.WRITE_LENGTH, RIGHT);
    }

    /**
     * A write to a page that the cache holds.
     *
     * @return writes so far.
     */
    @Benchmark
    public long write()
    {
        page++;
        return require(board.tryWrite(TranslatingBoard.BASE + (long)(page & capacity - 1) * PAGE_LENGTH));
    }

    /**
     * A write to a page that the cache does not hold: there are twice as many, in a row, and the least recently used
     * goes.
     *
     * @return writes so far.
     */
    @Benchmark
    public long fillWrite()
    {
        final long address = TranslatingBoard.BASE + (long)(page++ & 2 * capacity - 1) * PAGE_LENGTH;
        require(!board.tryWrite(address));
        require(board.fill() > 0);
        return require(board.tryWrite(address));
    }

    private long require(final boolean isGood)
    {
        if (!isGood)
        {
            throw new IllegalStateException("writes=" + board.executedCount() + " misses=" +
                board.cache().missCount() + " page=" + page);
        }
        return board.executedCount();
    }
}
