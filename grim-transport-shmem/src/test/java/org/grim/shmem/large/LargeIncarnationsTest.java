// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.ContractSupport;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.large.BeginWords;
import org.grim.large.FragmentDescriptor;
import org.grim.large.InPlaceWords;
import org.grim.large.OutgoingStream;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.ContractSupport.counter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Long messages of senders that leave, and come again under the same name: what was published arrives, and nothing of
 * one incarnation touches a transfer of another.
 */
final class LargeIncarnationsTest
{
    private static final int LENGTH = 70_000;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SLEEP_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    private final AtomicBuffer payload = Buffers.allocate(LENGTH);
    private final List<Grim> nodes = new ArrayList<>();
    private final List<Integer> received = new ArrayList<>();
    private final List<String> pieces = new ArrayList<>();

    @AfterEach
    void closeNodes()
    {
        nodes.forEach(Grim::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldDeliverWhatASenderPublishedThatLeftBeforeTheReceiverLooked(final int exclusiveCount)
    {
        final Grim receiver = receiver("grim.queue.exclusive", exclusiveCount);
        final Grim sender = join("sender");
        final HandlerId handler = sender.handlers().resolve("large");

        assertEquals(SendStatus.SENT, send(sender, receiver, handler, 1));
        assertEquals(SendStatus.SENT, send(sender, receiver, handler, 2));
        sender.close();
        join("third").endpoint().poll();                           // Removes what nodes left that are gone.
        for (int i = 0; i < 3; i++)
        {
            receiver.endpoint().poll(1);
            pause();                                    // Long enough for housekeeping between two messages.
        }
        await(receiver, () -> received.size() == 2);

        assertEquals(List.of(1, 2), received);
        assertEquals(0, counter(receiver, "rejected NOT_IN_PLACE"));
        await(receiver, () -> filesOf("outbox").isEmpty());
    }

    @Test
    void shouldDeliverWhatLeftWithItsSenderToAChannelThatIsOpenedLater()
    {
        final Grim receiver = receiver("grim.channels.host", 1);
        final Grim sender = join("sender");
        final HandlerId handler = sender.handlers().resolve("large");
        final EndpointId second = receiver.endpoint().id().onChannel(1);
        fill(7);

        assertEquals(SendStatus.SENT, sender.endpoint().link(second).send(handler, 7, 0, 0, 0, payload, 0, LENGTH));
        sender.close();
        for (int i = 0; i < 3; i++)
        {
            receiver.endpoint().poll();
            pause();
        }
        final org.grim.Endpoint endpoint = receiver.openEndpoint(1);
        await(endpoint::poll, () -> received.size() == 1);

        assertEquals(List.of(7), received);
    }

    @Test
    void shouldGrantToTheSendersNewIncarnation()
    {
        final Grim receiver = receiver("grim.message.outbox-length", 0, "grim.liveness.interval", "60s");
        Grim sender = join("sender", "grim.message.outbox-length", 0);
        // A link to the incarnation that leaves.
        assertEquals(SendStatus.SENT, receiver.endpoint().link(sender.endpoint().id()).send(HandlerId.of(99), payload,
            0, 8));
        sender.close();
        sender = join("sender", "grim.message.outbox-length", 0);
        final HandlerId handler = sender.handlers().resolve("large");

        assertTrue(send(sender, receiver, handler, 3).isAccepted());
        receiver.endpoint().poll();
        await(receiver, sender, () -> received.size() == 1);

        assertEquals(List.of(3), received);
    }

    @Test
    void shouldGrantWhenTheSenderHasAQueueForTheAnswer()
    {
        final Grim receiver = receiver("grim.message.outbox-length", 0);
        final Grim sender =
            join("sender", "grim.message.outbox-length", 0, "grim.queue.exclusive", 1, "grim.queue.shared", 0);
        final Grim third = join("third");                           // Takes the sender's only queue.
        assertEquals(SendStatus.SENT,
            third.endpoint().link(sender.endpoint().id()).send(HandlerId.of(99), payload, 0, 8));
        final HandlerId handler = receiver.handlers().resolve("large");

        assertTrue(send(sender, receiver, handler, 3).isAccepted());
        for (int i = 0; i < 10; i++)
        {
            receiver.endpoint().poll();
            sender.endpoint().poll();
            pause();                                    // Long enough for housekeeping to try once more.
        }
        assertEquals(List.of(), received);
        final long cpuNs = idle(receiver, SLEEP_NS);
        assertTrue(cpuNs < SLEEP_NS / 2, () -> "cpu ns=" + cpuNs + ", so it does not sleep");
        third.close();
        await(receiver, sender, () -> received.size() == 1);

        assertEquals(List.of(3), received);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTransfersOfTwoIncarnationsApart(final boolean isOldOneComplete)
    {
        final Grim receiver = receiver("grim.message.outbox-length", 0);
        final Grim first = join("first", "grim.message.outbox-length", 0);          // Takes the first queue.
        final HandlerId handler = first.handlers().resolve("large");
        first.endpoint().link(receiver.endpoint().id()).send(handler, payload, 0, 0);
        final Grim old = join("sender", "grim.message.outbox-length", 0);
        old.endpoint().link(receiver.endpoint().id()).send(handler, payload, 0, 0);         // Takes the second.
        receiver.endpoint().poll();
        first.close();
        await(receiver, () -> counter(receiver, "reclaimed channel=0") > 0);
        final HandlerId streams = old.handlers().resolve("pieces");
        final MessageStream oldStream = new OutgoingStream();
        assertEquals(SendStatus.SENT, old.endpoint().link(receiver.endpoint().id())
            .tryOpenStream(streams, 1, 0, 0, 0, 8, oldStream));
        if (isOldOneComplete)
        {
            await(receiver, old, () -> oldStream.add(payload, 0, 8) == 8);
            assertEquals(SendStatus.SENT, oldStream.end());
        }
        old.close();
        final Grim sender = join("sender", "grim.message.outbox-length", 0);
        final MessageStream stream = new OutgoingStream();
        sender.handlers().resolve("pieces");

        assertEquals(SendStatus.SENT, sender.endpoint().link(receiver.endpoint().id())
            .tryOpenStream(streams, 2, 0, 0, 0, 8, stream));
        await(receiver, sender, () -> stream.add(payload, 0, 8) == 8);
        assertEquals(SendStatus.SENT, stream.end());
        await(receiver, () -> pieces.contains("end 2"));

        assertTrue(!pieces.contains("abort 2"), pieces::toString);
        assertEquals(isOldOneComplete, pieces.contains("end 1"), pieces::toString);
    }

    /** A question about a block has the number of a transfer under way, and its sender has left. */
    @Test
    void shouldEndATransferAlthoughAnotherAnswerToItsSenderCannotBeSent()
    {
        final Grim receiver = receiver("grim.message.outbox-length", 0);
        final Grim sender = join("sender", "grim.message.outbox-length", 0);
        final HandlerId streams = sender.handlers().resolve("pieces");
        final Link link = sender.endpoint().link(receiver.endpoint().id());
        final int incarnation = sender.node().incarnation();
        final int number = 1;
        final long name = MessageHeader.pair(incarnation, number);
        BeginWords.write(payload, 0, streams.number(), 16, name);
        sendBuiltIn(link, LargeMessageIds.BEGIN, 0, 0, FragmentDescriptor.BEGIN_LENGTH);
        await(receiver, () -> pieces.contains("begin 0"));
        sendBuiltIn(link, LargeMessageIds.BODY, name, 0, 8);
        InPlaceWords.write(payload, 0, streams.number(), 8, incarnation, 0, number, incarnation);
        sendBuiltIn(link, LargeMessageIds.IN_PLACE, 0, 0, FragmentDescriptor.IN_PLACE_LENGTH);
        sendBuiltIn(link, LargeMessageIds.FINAL, name, 8, 8);
        sender.close();

        await(receiver, () -> counter(receiver, "rejected NOT_IN_PLACE") == 1);
        await(receiver, () -> pieces.contains("end 0") || pieces.contains("abort 0"));
        assertEquals(List.of("begin 0", "piece 0", "piece 0", "end 0"), pieces);
    }

    private void sendBuiltIn(final Link link, final int id, final long name, final long position, final int length)
    {
        assertEquals(SendStatus.SENT,
            ContractSupport.sendBuiltIn(link, id, name, position, payload, length));
    }

    private Grim receiver(final Object... settings)
    {
        final Grim receiver = join("receiver", settings);
        receiver.handlers().register("large", message ->
        {
            if (message.length() > 0)
            {
                received.add(message.argument(0));
                for (int i = 0; i < message.length(); i += 997)
                {
                    assertEquals((byte)(i + message.argument(0)), message.buffer().getByte(message.offset() + i));
                }
            }
        });
        receiver.handlers().registerStream("pieces", new Recorder());
        receiver.start();
        return receiver;
    }

    private Grim join(final String name, final Object... settings)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name)
            .transports("shmem").set("grim.cluster.directory", directory.toString());
        for (int i = 0; i < settings.length; i += 2)
        {
            builder.set((String)settings[i], settings[i + 1]);
        }
        nodes.add(Grim.enable(builder.build()));
        return nodes.get(nodes.size() - 1);
    }

    private SendStatus send(final Grim sender, final Grim receiver, final HandlerId handler, final int number)
    {
        fill(number);
        return sender.endpoint().link(receiver.endpoint().id()).send(handler, number, 0, 0, 0, payload, 0, LENGTH);
    }

    private void fill(final int number)
    {
        for (int i = 0; i < LENGTH; i++)
        {
            payload.putByte(i, (byte)(i + number));
        }
    }

    private List<String> filesOf(final String kind)
    {
        return List.of(directory.toFile().list((parent, name) -> name.contains(kind)));
    }

    private static void await(final Grim receiver, final Grim sender, final BooleanSupplier isSo)
    {
        await(() -> receiver.endpoint().poll() + sender.endpoint().poll(), isSo);
    }

    private static void await(final Grim receiver, final BooleanSupplier isSo)
    {
        await(receiver.endpoint()::poll, isSo);
    }

    private static void await(final java.util.function.IntSupplier step, final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            if (step.getAsInt() == 0)
            {
                LockSupport.parkNanos(1);
            }
            if (System.nanoTime() - startNs > DEADLINE_NS)
            {
                fail("waited in vain");
            }
        }
    }

    /** Polls as a loop does that has nothing else to do. Returns the CPU time that it took. */
    private static long idle(final Grim node, final long durationNs)
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long cpuNs = threads.getCurrentThreadCpuTime();
        final long startNs = System.nanoTime();
        final IdleStrategy idle = node.endpoint().idleStrategy();
        while (System.nanoTime() - startNs < durationNs)
        {
            idle.idle(node.endpoint().poll());
        }
        return threads.getCurrentThreadCpuTime() - cpuNs;
    }

    private static void pause()
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
    }

    /** Writes down what happens to streams, by their first argument. */
    private final class Recorder implements ActiveMessage.Stream.Handler
    {
        @Override
        public void onBegin(final ActiveMessage.Stream stream)
        {
            pieces.add("begin " + stream.argument(0));
        }

        @Override
        public void onPiece(
            final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
            final long position)
        {
            pieces.add("piece " + stream.argument(0));
        }

        @Override
        public void onEnd(final ActiveMessage.Stream stream)
        {
            pieces.add("end " + stream.argument(0));
        }

        @Override
        public void onAbort(final ActiveMessage.Stream stream)
        {
            pieces.add("abort " + stream.argument(0));
        }
    }
}
