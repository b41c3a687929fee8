// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.buffer.Buffers;

import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Nodes on boards, of their own or others', and the boards' memory as a hostile process would have it. */
final class NiStage
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final HandlerId HANDLER = HandlerId.of(4000);
    private static final int REFUSAL_COUNT = 300;
    private static final int ARRIVAL_COUNT = 64;
    /** Bytes of a message without payload in a board's queue. */
    private static final int MESSAGE_LENGTH = 36;

    private NiStage()
    {
    }

    /** A board's memory, mapped for writing. */
    static final class Board implements AutoCloseable
    {
        private final MappedByteBuffer memory;
        private final AtomicBuffer sram;
        private final BoardGeometry geometry;

        Board(final WhyStage stage, final NodeInfo node) throws IOException
        {
            final Path path = stage.file(node, "board");
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                memory = channel.map(MapMode.READ_WRITE, 0, channel.size());
            }
            sram = Buffers.wrap(memory);
            geometry = BoardGeometry.read(sram);
        }

        AtomicBuffer sram()
        {
            return sram;
        }

        BoardGeometry geometry()
        {
            return geometry;
        }

        ChannelRegisters channel(final int number)
        {
            return new ChannelRegisters(sram, geometry, number);
        }

        void awaitStopped(final int number)
        {
            await(() -> channel(number).getAcquire(STATUS) != ChannelRegisters.STATUS_RUNNING, "a stopped channel");
        }

        void awaitArrivals(final int number, final int count)
        {
            await(() -> unread(number) == count, "arrivals");
        }

        /** Arrivals of a channel that stand in its queue. */
        int unread(final int number)
        {
            return channel(number).get(ARRIVAL_BACK) - channel(number).getAcquire(ARRIVAL_FRONT);
        }

        /** Bytes of a channel's queue that were freed so far. */
        int freed(final int number)
        {
            return channel(number).getAcquire(FRONT);
        }

        /** All that was sent has its outcome. */
        void awaitSettled(final int number)
        {
            await(() -> channel(number).getAcquire(FRONT) ==
                ChannelRegisters.back(channel(number).getAcquire(BACK_AND_FILLED)), "the outcomes of messages");
        }

        @Override
        public void close()
        {
            BufferUtil.free(memory);
        }
    }

    /** Settings of a node with small queues, and more. */
    static Object[] settings(final Object... more)
    {
        final List<Object> settings = new ArrayList<>(List.of("grim.channels.count", "2", "grim.myrinet.queue-length",
            "16KiB", "grim.myrinet.arrival.frame-length", "1024", "grim.myrinet.arrival.frame-count",
            Integer.toString(ARRIVAL_COUNT),
            "grim.myrinet.linger", "10ms"));
        settings.addAll(List.of(more));
        return settings.toArray();
    }

    /** As words of a command. */
    static String[] words(final Object... settings)
    {
        return List.of(settings).stream().map(Object::toString).toArray(String[]::new);
    }

    /** Sends until there is no room any more, even if the boards still take messages. */
    static void fill(final Grim from, final String to, final int channel)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        final Link link = from.endpoint().link(WhyStage.endpoint(from, to, channel));
        int refusalCount = 0;
        while (refusalCount < REFUSAL_COUNT)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "there always is room");
            if (link.send(HANDLER, 0, 0, 0, 0) == SendStatus.SENT)
            {
                refusalCount = 0;
            }
            else
            {
                refusalCount++;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));        // The boards' threads need processors.
            }
        }
    }

    /** Sends until the arrivals of the other's board are full, and the own queue is, as far as the boards come. */
    static void fillAll(final WhyStage stage, final Grim from, final Grim to, final int channel) throws IOException
    {
        try (Board near = new Board(stage, from.node()); Board far = new Board(stage, to.node()))
        {
            // A board takes as many as there are frames, and frees their places when it hears of that.
            final Condition isFull = () -> far.unread(channel) == ARRIVAL_COUNT &&
                near.freed(0) >= ARRIVAL_COUNT * MESSAGE_LENGTH;
            final Link link = from.endpoint().link(WhyStage.endpoint(from, to.node().name(), channel));
            await(() ->
            {
                link.send(HANDLER, 0, 0, 0, 0);
                return isFull.isMet();
            }, "full arrivals");
        }
        fill(from, to.node().name(), channel);
    }

    interface Condition
    {
        boolean isMet();
    }

    @SuppressWarnings("ThreadPriorityCheck")        // The tests must pass without a processor for each thread.
    static void await(final Condition condition, final String what)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.isMet())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "waits for " + what);
            Thread.yield();
        }
    }
}
