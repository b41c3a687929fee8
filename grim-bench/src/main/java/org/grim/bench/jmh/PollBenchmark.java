// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceKind;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.loop.NotificationTable;
import org.grim.queue.ExclusiveSender;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.queue.InboxTransport;
import org.grim.queue.SenderHost;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a poll of silent queues costs, in ns per poll. Each queue is a real one with a sender attached: for {@code null}
 * in private memory, for {@code shmem} in a mapped file. The inbox's attach word is polled besides, so <i>n</i> queues
 * are <i>n</i> + 1 words; see {@link #wordCount(int)}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class PollBenchmark
{
    private static final int SLOT_COUNT = 1024;
    private static final int SLOT_LENGTH = 64;
    private static final int RING_LENGTH = 1 << 18;
    private static final int DRAIN_LIMIT = 32;
    private static final int WORDS_BESIDES = 1;

    /** Silent queues. */
    @Param({"1", "2", "4", "8", "16", "64"})
    public int queues;

    /** Where they stand: {@code null} or {@code shmem}. */
    @Param({"null", "shmem"})
    public String transport;

    /** Where the file is made; null for the usual place. */
    Path base;

    private final NotificationTable table = new NotificationTable(DRAIN_LIMIT, new int[0]);
    private final MessageSink sink = new NoSink();
    private ClusterDirectory membership;
    private AtomicBuffer memory;
    private MappedFile file;
    private Path directory;

    /** Made by JMH. */
    public PollBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /**
     * Words that a poll looks at.
     *
     * @param queueCount silent queues.
     * @return the count.
     */
    public static int wordCount(final int queueCount)
    {
        return queueCount + WORDS_BESIDES;
    }

    /**
     * Makes the inbox and attaches the senders.
     *
     * @throws IOException if there is no place for the file.
     */
    @Setup
    public void setUp() throws IOException
    {
        membership = ClusterDirectory.inPrivateMemory(
            new NodeDescription("local", "poll", 1, List.of(transport), List.of(DeviceKind.HOST_CPU)));
        membership.up();
        // Sizes as in reference.conf: the words stand as far apart as in real life.
        final InboxGeometry geometry = new InboxGeometry(1, queues, 0, SLOT_COUNT, SLOT_LENGTH, RING_LENGTH, 0, 0);
        final int length = Inbox.lengthOf(geometry);
        if (transport.equals("shmem"))
        {
            final Path sharedMemory = base == null ? Path.of("/dev/shm") : base;
            directory = Files.isDirectory(sharedMemory) ? Files.createTempDirectory(sharedMemory, "grim-poll-") :
                Files.createTempDirectory("grim-poll-");
            file = MappedFile.create(directory.resolve("inbox"), length);
            memory = file.buffer();
        }
        else
        {
            memory = Buffers.allocate(length);
        }
        final Inbox inbox = Inbox.create(memory, geometry, membership.self(), membership.incarnation(), 0);
        if (file != null)
        {
            file.publish();
        }
        new InboxTransport(inbox, membership).attach(0, table);
        for (int queue = 0; queue < queues; queue++)
        {
            ExclusiveSender.tryAttach(inbox, 0, 0, membership, new NoHost());
        }
        poll();                             // The attach word has changed: the receiver adopts the senders.
        if (table.count() != wordCount(queues))
        {
            throw new IllegalStateException("polled words=" + table.count() + " expected=" + wordCount(queues));
        }
    }

    /**
     * Removes the file.
     *
     * @throws IOException if it cannot be removed.
     */
    @TearDown
    public void tearDown() throws IOException
    {
        if (file != null)
        {
            file.closeAndDelete();
            Files.deleteIfExists(directory);
        }
        membership.close();
    }

    /**
     * One look at every queue.
     *
     * @return messages: none.
     */
    @Benchmark
    public int poll()
    {
        return table.poll(sink, Integer.MAX_VALUE);
    }

    /** Nobody sleeps, and the inbox outlives its senders. */
    private static final class NoHost implements SenderHost
    {
        @Override
        public void ring(final int bell)
        {
            throw new IllegalStateException("nobody sleeps on doorbell=" + bell);
        }

        @Override
        public void closed()
        {
            // The benchmark owns the inbox.
        }
    }

    /** Nothing ever comes. */
    private static final class NoSink implements MessageSink
    {
        @Override
        public void onMessage(
            final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
            final int payloadOffset, final int payloadLength)
        {
            throw new IllegalStateException("a silent queue spoke: length=" + payloadLength);
        }

        @Override
        public void onReject(final RejectReason reason, final ArrivalQueue queue)
        {
            throw new IllegalStateException("a silent queue was refused: " + reason);
        }
    }
}
