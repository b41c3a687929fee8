// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import java.util.concurrent.atomic.AtomicLong;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** One sender's ring to one channel: Agrona's, in memory that both ends see, and what both say about it. */
final class Ring
{
    private static final int CAPACITY = 1024 * 1024;
    private static final int CACHE_LINE_LENGTH = 64;

    final OneToOneRingBuffer buffer;
    final int sourceNode;
    final int sourceIncarnation;
    final int channel;
    /** Most messages that stand in the ring. */
    final int messageCountMax;
    /** Most bytes that stand in the ring, if there is more than one message. */
    final int lengthMax;
    /** Messages that the receiver has taken; written by its loop alone. */
    final AtomicLong takenCount = new AtomicLong();
    /** Messages of the application that the receiver has begun to handle; written by its loop alone. */
    final AtomicLong handledCount = new AtomicLong();
    /** The sender will write no more. */
    volatile boolean isClosed;

    private final long tailAddress;

    Ring(
        final int sourceNode, final int sourceIncarnation, final int channel, final int messageCountMax,
        final int lengthMax)
    {
        final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, CACHE_LINE_LENGTH));
        buffer = new OneToOneRingBuffer(memory);
        tailAddress = memory.addressOffset() + CAPACITY + RingBufferDescriptor.TAIL_POSITION_OFFSET;
        this.sourceNode = sourceNode;
        this.sourceIncarnation = sourceIncarnation;
        this.channel = channel;
        this.messageCountMax = messageCountMax;
        this.lengthMax = lengthMax;
    }

    /** The half of the tail position that every claim changes. */
    long notificationAddress()
    {
        return java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.BIG_ENDIAN ? tailAddress + 4 : tailAddress;
    }

    boolean isEmpty()
    {
        return buffer.size() == 0;
    }
}
