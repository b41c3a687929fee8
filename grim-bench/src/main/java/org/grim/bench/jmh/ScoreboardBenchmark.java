// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.ni.delivery.MessageRecord;
import org.grim.ni.delivery.ReliableSender;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the scoreboard costs with some messages in flight, in ns per operation, through the sender that uses it and
 * without wire, receiver and scheduler. {@code enterFree}: a message is taken from its channel, entered, and freed by
 * the ACK of the oldest. {@code rollBack}: the oldest is refused, all tokens go to quarantine, and all messages are
 * entered once more; the first ACK ends the quarantine.
 */
public class ScoreboardBenchmark extends NanosecondBenchmark
{
    private static final int PEER = 1;
    private static final int CHANNEL = 0;
    private static final int RING_MASK = 0xFF;
    private static final int TOKEN_SHIFT = 8;

    /** Messages in flight, the newest included: up to the window. */
    @Param({"1", "32", "127"})
    public int inFlight;

    private final BenchDelivery nearSide = new BenchDelivery();
    private final ReliableSender sender = nearSide.delivery().sender();
    private final int[] identities = new int[RING_MASK + 1];
    private int first;
    private int end;
    private long nowNs;

    /** Made by JMH. */
    public ScoreboardBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Fills the window but for one message. */
    @Setup
    public void setUp()
    {
        nearSide.synchronise(PEER);
        for (int i = 1; i < inFlight; i++)
        {
            nearSide.append(PEER);
            enter();
        }
        enterFree();
        rollBack();
    }

    /**
     * One message in, the oldest out.
     *
     * @return messages in flight.
     */
    @Benchmark
    public int enterFree()
    {
        nearSide.append(PEER);
        enter();
        answer(MessageType.ACK);
        return require();
    }

    /**
     * One message in, a refusal of the oldest, all of them again, the oldest out.
     *
     * @return messages in flight.
     */
    @Benchmark
    public int rollBack()
    {
        nearSide.append(PEER);
        enter();
        answer(MessageType.NACK);
        nowNs += BenchDelivery.RETRY_DELAY_NS;
        nearSide.delivery().expire(nowNs, inFlight);
        first = end;
        enter();
        answer(MessageType.ACK);
        for (int i = 1; i < inFlight; i++)
        {
            enter();
        }
        return require();
    }

    /** The next message that may leave gets its token. */
    private void enter()
    {
        final MessageRecord record = sender.next(CHANNEL, nowNs);
        sender.begin(record, nowNs);
        identities[end & RING_MASK] = record.token() << TOKEN_SHIFT | record.sequence();
        end++;
    }

    /** The oldest is answered. */
    private void answer(final MessageType type)
    {
        final int identity = identities[first & RING_MASK];
        first++;
        final long words = MessageHeader.pair(MessageHeader.GRIM_ID << Short.SIZE | identity,
            MessageHeader.typeWord(type, PEER << 4));
        if (!sender.onAnswer(words, PEER, nowNs))
        {
            throw new IllegalStateException("no message in flight is answered by identity=" + identity);
        }
    }

    private int require()
    {
        final int count = nearSide.delivery().inFlightCount();
        if (count != inFlight - 1 || nearSide.delivery().quarantineCount() != 0)
        {
            throw new IllegalStateException("in flight=" + count + " quarantined=" +
                nearSide.delivery().quarantineCount() + ", expected=" + (inFlight - 1) + " and 0");
        }
        return count;
    }
}
