// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.ni.delivery.ReceiveTriple;
import org.grim.ni.delivery.ReliableReceiver;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the sequence table costs with some triples in it, in ns per operation, through the receiver that uses it. A
 * {@code hit} finds the triple of a message. {@code insertRemove} is the first message of a triple, which is missed and
 * entered, and the end of its NI, which looks at all triples to remove its own. {@code missPeer} looks for an NI of
 * which nothing is known.
 * <p>Only {@code insertRemove} allocates: a triple comes into being.
 */
public class SequenceTableBenchmark extends NanosecondBenchmark
{
    private static final int CHANNELS_PER_NI = 16;
    /** Odd, so that it visits all triples of a power of two in an order that is not that of their keys. */
    private static final int STRIDE = 0x9E3779B1;
    private static final int COMING_NI = BenchDelivery.NI_COUNT - 1;
    private static final int UNKNOWN_NI = BenchDelivery.NI_COUNT - 2;

    /** Receive triples in the table, a power of two up to 2048: 16 of each NI. */
    @Param({"16", "256", "2048"})
    public int triples;

    private final BenchDelivery farSide = new BenchDelivery();
    private final ReliableReceiver receiver = farSide.delivery().receiver();
    private int turn;

    /** Made by JMH. */
    public SequenceTableBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Fills the table. */
    @Setup
    public void setUp()
    {
        for (int i = 0; i < triples; i++)
        {
            triple(i);
        }
        insertRemove();
        if (farSide.delivery().tripleCount() != triples)
        {
            throw new IllegalStateException("triples=" + farSide.delivery().tripleCount() + " expected=" + triples);
        }
    }

    /**
     * Finds one of the triples, another one each time.
     *
     * @return the triple.
     */
    @Benchmark
    public ReceiveTriple hit()
    {
        turn += STRIDE;
        return triple(turn & triples - 1);
    }

    /**
     * An NI sends for the first time, and goes.
     *
     * @return the triple.
     */
    @Benchmark
    public ReceiveTriple insertRemove()
    {
        final ReceiveTriple triple = receiver.triple(COMING_NI, 0, 0);
        farSide.delivery().synchroniser().peerGone(COMING_NI, 0);
        return triple;
    }

    /**
     * Nothing is known of an NI.
     *
     * @return NIs that are known.
     */
    @Benchmark
    public int missPeer()
    {
        farSide.delivery().synchroniser().peerGone(UNKNOWN_NI, 0);
        return farSide.delivery().peerCount();
    }

    private ReceiveTriple triple(final int index)
    {
        return receiver.triple(1 + index / CHANNELS_PER_NI, index % CHANNELS_PER_NI, 0);
    }
}
