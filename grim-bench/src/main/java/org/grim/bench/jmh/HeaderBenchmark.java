// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.wire.MemoryOperation;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * The cost of writing, judging and reading the words of a message, in ns per message: the header, the header as receive
 * queues read it, and the words of a remote-memory operation. Each goes round {@value #RECORD_COUNT} records.
 */
public class HeaderBenchmark extends NanosecondBenchmark
{
    private static final int RECORD_COUNT = 64;
    private static final int RECORD_LENGTH = 64;
    private static final int RECORDS_LENGTH = RECORD_COUNT * RECORD_LENGTH;
    private static final int PAYLOAD_LENGTH_MAX = RECORD_LENGTH - MessageHeader.LENGTH;
    private static final int CHANNEL_MASK = 0xFF;
    private static final int SOURCE_ADDRESS = 3 << 4;
    private static final int DESTINATION_ADDRESS = 5 << 4;
    private static final long REMOTE_ADDRESS = 1L << 40;

    private final AtomicBuffer messages = Buffers.allocate(RECORDS_LENGTH);
    private final AtomicBuffer operations = Buffers.allocate(RECORDS_LENGTH);
    private final MessageHeader header = new MessageHeader();
    private final MemoryOperation operation = new MemoryOperation();
    private int number;

    /** Fills both tables. */
    @Setup
    public void setUp()
    {
        for (int i = 0; i < RECORD_COUNT; i++)
        {
            writeHeader();
            header.identity(i, i);
        }
        for (int i = 0; i < RECORD_COUNT; i++)
        {
            writeOperation();
        }
    }

    /** Writes a header. Returns the index of it. */
    @Benchmark
    public int writeHeader()
    {
        final int offset = next();
        header.wrap(messages, offset).put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, SOURCE_ADDRESS),
            DESTINATION_ADDRESS, MessageHeader.routeWord(number & CHANNEL_MASK, 1), number & MessageHeader.HANDLER_MAX,
            number & PAYLOAD_LENGTH_MAX - 1, number, offset);
        return offset;
    }

    /** Judges a header and reads every field. */
    @Benchmark
    public long readHeader()
    {
        header.wrap(messages, next());
        require(header.invalid(RECORD_LENGTH));
        long sum = (long)header.type().code() + header.sourceAddress() + header.destinationAddress() +
            header.sourceChannel() + header.destinationChannel() + header.handler() + header.payloadLength();
        for (int i = 0; i < MessageHeader.ARGUMENT_COUNT; i++)
        {
            sum += header.argument(i);
        }
        return sum;
    }

    /** Judges a header and reads what dispatch needs, from four words in two variables. */
    @Benchmark
    public long readWords()
    {
        final int offset = next();
        final long first = MessageHeader.first(
            messages.getInt(offset), messages.getInt(offset + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(messages.getLong(offset + MessageHeader.EXTENT_OFFSET));
        require(MessageHeader.invalid(first, second, PAYLOAD_LENGTH_MAX));
        return (long)MessageHeader.typeCode(first) + MessageHeader.sourceAddress(first) +
            MessageHeader.destinationAddress(second) + MessageHeader.sourceChannel(second) +
            MessageHeader.destinationChannel(second) + MessageHeader.handler(second) +
            MessageHeader.payloadLength(first, second);
    }

    /** Writes a remote write with a notification. Returns the index of it. */
    @Benchmark
    public int writeOperation()
    {
        final int offset = next();
        operation.wrap(operations, offset, offset + MessageHeader.LENGTH).put(MessageType.REMOTE_WRITE_VIRTUAL,
            number, REMOTE_ADDRESS + offset, REMOTE_ADDRESS, number, RemoteMemoryFormat.EXTENSION_LENGTH);
        return offset;
    }

    /** Judges a remote write and reads every field. */
    @Benchmark
    public long readOperation()
    {
        final int offset = next();
        operation.wrap(operations, offset, offset + MessageHeader.LENGTH);
        require(operation.invalid(PAYLOAD_LENGTH_MAX));
        return (operation.isPhysical() ? 1 : 0) + operation.ticket() + operation.remoteAddress() +
            operation.notificationAddress() + operation.notificationValue() + operation.count() +
            operation.dataOffset();
    }

    private int next()
    {
        number++;
        return number * RECORD_LENGTH & RECORDS_LENGTH - 1;
    }

    private static void require(final Object reason)
    {
        if (reason != null)
        {
            throw new IllegalStateException("a good record was refused: " + reason);
        }
    }
}
