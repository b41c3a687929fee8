// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.large.BeginWords;
import org.grim.large.FragmentDescriptor;
import org.grim.large.Fragmenter;
import org.grim.large.Reassembler;
import org.grim.large.Transfer;
import org.grim.wire.MessageHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs to cut a message into parts and to put it together again, in ns per message: question, grant of memory,
 * a copy of every part, end; without the messages that carry the parts.
 */
public class FragmentBenchmark extends NanosecondBenchmark
{
    private static final int MESSAGE_LENGTH_MAX = 1 << 22;
    private static final int NODE = 1;
    private static final int SOURCE_KEY = NODE << 12;
    private static final int DESTINATION_KEY = 0;
    private static final int HANDLER = 100;

    /** Bytes of the message: one part, and some. */
    @Param({"65504", "1048576"})
    public int length;

    private final AtomicBuffer question = Buffers.allocate(FragmentDescriptor.BEGIN_LENGTH);
    private final BeginWords words = new BeginWords();
    private final Fragmenter fragmenter = new Fragmenter();
    private Reassembler reassembler;
    private AtomicBuffer source;
    private int number;

    /** Made by JMH. */
    public FragmentBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Makes both ends. */
    @Setup
    public void setUp()
    {
        source = Buffers.allocate(length);
        reassembler = new Reassembler(MESSAGE_LENGTH_MAX, MESSAGE_LENGTH_MAX, NODE + 1);
        message();
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        reassembler.close();
    }

    /**
     * One message.
     *
     * @return bytes that came.
     */
    @Benchmark
    public int message()
    {
        fragmenter.begin(++number, length);
        BeginWords.write(question, 0, HANDLER, length, number);
        fragmenter.asked();
        require(words.read(question, 0, FragmentDescriptor.BEGIN_LENGTH) == null);
        final Transfer transfer = reassembler.begin(Transfer.key(SOURCE_KEY, DESTINATION_KEY), words);
        reassembler.request(transfer);
        require(reassembler.tryGrant() == transfer &&
            fragmenter.onVerdict(number, FragmentDescriptor.VERDICT_GRANTED));
        while (!fragmenter.isComplete())
        {
            final int position = fragmenter.position();
            final int part = fragmenter.nextLength(length - position, MessageHeader.PAYLOAD_LENGTH_MAX);
            require(Reassembler.invalid(transfer, number, position, part, position + part == length) == null);
            reassembler.take(transfer, source, position, part);
            fragmenter.sent(part);
        }
        final int takenLength = transfer.position();
        reassembler.end(transfer);
        fragmenter.end();
        return takenLength;
    }

    private void require(final boolean isGood)
    {
        if (!isGood)
        {
            throw new IllegalStateException("message=" + number + " at position=" + fragmenter.position());
        }
    }
}
