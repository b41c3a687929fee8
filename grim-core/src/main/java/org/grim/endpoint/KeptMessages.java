// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.KeptMessage;
import org.grim.SendStatus;
import org.grim.buffer.BlockAllocator;
import org.grim.buffer.Buffers;
import org.grim.buffer.ReservedMemory;
import org.grim.counters.ChannelCounters;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The messages that handlers of one endpoint kept: copies in a memory of the endpoint, so that no queue or
 * sender waits for their release.
 * <p>Thread: the endpoint's owner. Allocates nothing once as many messages as ever were kept at a time.
 * <p>Owns: the memory, reserved with the first message; it stays for as long as a view of it can be reached. Bounds:
 * its length, of which each message takes a cache line at least.
 */
final class KeptMessages
{
    private final IntFunction<EndpointId> names;
    private final LongFunction<EndpointLink> linksBack;
    private final EndpointState state;
    private final ChannelCounters counters;
    private final BlockAllocator blocks;
    private final AtomicBuffer memory = Buffers.allocate(0);
    private final List<Kept> free = new ArrayList<>();
    private int count;

    KeptMessages(
        final IntFunction<EndpointId> names, final LongFunction<EndpointLink> linksBack, final EndpointState state,
        final ChannelCounters counters, final int lengthMax)
    {
        this.names = names;
        this.linksBack = linksBack;
        this.state = state;
        this.counters = counters;
        blocks = new BlockAllocator(lengthMax & -Buffers.CACHE_LINE_LENGTH);
    }

    /** Copies a message. Returns null, and counts it, if there is no room. */
    KeptMessage keep(
        final long flowKey, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        state.requireOpen();
        if (free.isEmpty())
        {
            free.add(new Kept());
        }
        if (memory.capacity() == 0 && blocks.length() > 0)
        {
            reserve();
        }
        final long blockOffset = blocks.tryTake(blockLength(length));
        if (blockOffset == BlockAllocator.NONE)
        {
            counters.keptRefused();
            return null;
        }
        memory.putBytes((int)blockOffset, source, offset, length);
        final Kept kept = free.remove(free.size() - 1);
        kept.open(flowKey, handler, arguments01, arguments23, (int)blockOffset, length);
        count++;
        show();
        return kept;
    }

    /** The endpoint is closed: nothing is kept any more. */
    void close()
    {
        counters.kept(0, 0, 0);
    }

    private void reserve()
    {
        try (ReservedMemory reserved = new ReservedMemory(blocks.length()))
        {
            reserved.keepFor(memory);
            memory.wrap(reserved.address(), (int)reserved.length());
        }
    }

    private void free(final Kept kept)
    {
        blocks.free(kept.offset, blockLength(kept.length));
        free.add(kept);
        count--;
        assert count >= 0 && (count == 0) == (blocks.takenLength() == 0) : count;
        show();
    }

    private void show()
    {
        counters.kept(count, blocks.takenLength(), blocks.length());
    }

    private static int blockLength(final int length)
    {
        return Math.max(1, length);
    }

    /** One kept message, from its keeping to its release; the object is used again for others. */
    private final class Kept implements KeptMessage
    {
        private long flowKey;
        private int handler;
        private long arguments01;
        private long arguments23;
        private int offset;
        private int length;
        private boolean isHeld;

        void open(
            final long newFlowKey, final int newHandler, final long newArguments01, final long newArguments23,
            final int newOffset, final int newLength)
        {
            assert !isHeld;
            flowKey = newFlowKey;
            handler = newHandler;
            arguments01 = newArguments01;
            arguments23 = newArguments23;
            offset = newOffset;
            length = newLength;
            isHeld = true;
        }

        @Override
        public EndpointId source()
        {
            requireHeld();
            return names.apply(FlowKey.sourceKey(flowKey));
        }

        @Override
        public EndpointId destination()
        {
            requireHeld();
            return names.apply(FlowKey.destinationKey(flowKey));
        }

        @Override
        public HandlerId handler()
        {
            requireHeld();
            return HandlerId.of(handler);
        }

        @Override
        public int argument(final int index)
        {
            requireHeld();
            return MessageHeader.argument(arguments01, arguments23, index);
        }

        @Override
        public DirectBuffer buffer()
        {
            requireHeld();
            return memory;
        }

        @Override
        public int offset()
        {
            requireHeld();
            return offset;
        }

        @Override
        public int length()
        {
            requireHeld();
            return length;
        }

        @Override
        public SendStatus reply(final String text)
        {
            final byte[] bytes = Objects.requireNonNull(text, "text").getBytes(UTF_8);
            return reply(0, 0, 0, Buffers.wrap(bytes), 0, bytes.length);
        }

        @Override
        public SendStatus reply(
            final int a0, final int a1, final int a2, final DirectBuffer source, final int sourceOffset,
            final int sourceLength)
        {
            final int correlation = argument(Requests.CORRELATION_INDEX);
            return linksBack.apply(flowKey).answer(correlation, a0, a1, a2, source, sourceOffset, sourceLength);
        }

        @Override
        public void release()
        {
            if (!state.isClosed())
            {
                requireHeld();
                isHeld = false;
                free(this);
            }
        }

        private void requireHeld()
        {
            if (!state.isOpenToCaller())
            {
                state.checkOwner();
                state.requireOpen();
            }
            if (!isHeld)
            {
                throw new IllegalStateException("kept message used after its release");
            }
        }
    }
}
