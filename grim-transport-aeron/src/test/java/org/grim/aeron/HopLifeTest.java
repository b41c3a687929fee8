// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ContractSupport;
import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.aeron.HelloDescriptor.Preceding;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.driver.MediaDriver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hops that are lost, refused, replaced, and what is said of their messages; nodes use a driver of the test's. */
@Timeout(180)
final class HopLifeTest extends HopFixture
{
    private static final HandlerId UNKNOWN = HandlerId.of(4000);
    private static final int HOUSEKEEPING_COUNT = 100;
    private static final int LONG_LENGTH = 20_000;

    private final AtomicBuffer payload = Buffers.allocate(LONG_LENGTH);
    private int port;

    @BeforeEach
    void open()
    {
        port = FreePorts.pair();
        join();
    }

    @AfterEach
    void close()
    {
        leave();
    }

    @Test
    void shouldKnowThatAPeerThatLeavesHasConsumedAll()
    {
        sendReported(100);

        receiver.close();
        await(() -> !losses.isEmpty());

        assertEquals(List.of("gone undelivered=0 unknown=0"), losses);
    }

    @Test
    void shouldLoseHopsWithAccountsWhenTheDriverIsReplacedAndMakeThemAnew()
    {
        sendReported(10);
        for (int i = 10; i < 15; i++)
        {
            assertEquals(SendStatus.SENT, trySend(i));
        }

        driver.close();
        driver = launch();
        awaitAlone(() -> !losses.isEmpty());
        for (int i = 15; i < 25; i++)
        {
            sendAlone(i);
        }
        await(() -> received.contains(24));

        assertEquals(List.of("lost undelivered=0 unknown=5"), losses);
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24), received);
    }

    @Test
    void shouldReceiveALongMessageThoughTheAnswerToItsRequestIsLost()
    {
        withOneWhoseAnswersAreLost(other ->
        {
            awaitWith(other, () -> trySend(other, "receiver", take, 3, LONG_LENGTH) == SendStatus.QUEUED);
            awaitWith(other, () -> received.contains(3));
        });

        assertEquals(3, received.get(received.size() - 1));
    }

    /** As before, but the answer is that nobody takes the message. */
    @Tag("long")
    @Test
    void shouldGoOnBehindALongMessageThatIsRefusedThoughTheRefusalIsLost()
    {
        withOneWhoseAnswersAreLost(other ->
        {
            awaitWith(other, () -> trySend(other, "receiver", UNKNOWN, 3, LONG_LENGTH) == SendStatus.QUEUED);
            awaitWith(other, () -> trySend(other, "receiver", take, 4, 0).isAccepted());
            awaitWith(other, () -> received.contains(4));
            assertEquals(1, ContractSupport.counter(other, "undelivered channel=0"));
        });

        assertEquals(4, received.get(received.size() - 1));
    }

    @Test
    void shouldReceiveALongMessageAndWhatComesBehindItWhenTheirSenderIsGoneBeforeTheyAreRead()
    {
        assertEquals(SendStatus.QUEUED, trySend(sender, "receiver", take, 1, LONG_LENGTH));
        await(() -> ContractSupport.counter(receiver, "reassembly-length") > 0);
        awaitAlone(() -> ContractSupport.counter(sender, "large-messages-sent") == 1);
        sendAlone(2);

        sender.close();
        for (int i = 0; i < HOUSEKEEPING_COUNT; i++)
        {
            assertFalse(receiver.endpoint().doorbell().prepareToSleep());       // It looks after its peers before.
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
        awaitOther(() -> received.contains(2));

        assertEquals(List.of(1, 2), received);
    }

    @Test
    void shouldRefuseAndCountWhatIsNotSentToThisVeryIncarnation()
    {
        final Party self = new Party(receiver.node().number(), receiver.node().incarnation());
        final Party source = new Party(sender.node().number(), sender.node().incarnation());
        final AtomicBuffer hello = Buffers.allocate(HelloDescriptor.LENGTH_MAX);
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final int noHelloLength = 100;
            publish(aeron, self, hello, noHelloLength);
            await(() -> ContractSupport.counter(receiver, "rejected NOT_GRIM") == 1);

            final int length =
                HelloDescriptor.write(hello, 1, source, new Party(self.node(), self.incarnation() + 1), 0, 0,
                    Preceding.NONE, new int[0]);
            publish(aeron, self, hello, length);
            await(() -> ContractSupport.counter(receiver, "rejected OLD_INCARNATION") == 1);
        }

        send(1);
        await(() -> received.size() == 1);
        assertEquals(List.of(1), received);
        assertTrue(losses.isEmpty(), losses::toString);
    }

    @Test
    void shouldTellEachOperationThatWasNotAnsweredWhenItsHopIsLostAndWhenThePeerGoes()
    {
        final List<String> refused = new ArrayList<>();
        sender.endpoint().memory().onRefused((to, address, length, reason) -> refused.add(length + " " + reason));
        final RemoteRegion region = receiver.endpoint().memory().register(64).remote();
        writeAnswered(region);
        await(() -> write(region, 2) == SendStatus.SENT);
        writeAnswered(region);                          // Answers come in order.
        assertEquals(SendStatus.SENT, write(region, 3));
        assertEquals(SendStatus.SENT, write(region, 4));

        driver.close();
        driver = launch();
        awaitAlone(() -> refused.size() == 2);
        awaitAlone(() -> tryWrite(region, 5) == SendStatus.SENT);
        assertEquals(SendStatus.SENT, write(region, 6));
        receiver.close();
        awaitAlone(() -> refused.size() == 4);

        assertEquals(List.of("3 PEER_GONE", "4 PEER_GONE", "5 PEER_GONE", "6 PEER_GONE"), refused);
    }

    @Test
    void shouldNotStoreWhatNoReadAskedFor()
    {
        final List<RemoteRefusal> refused = new ArrayList<>();
        receiver.endpoint().memory().onRefused((to, address, length, reason) -> refused.add(reason));
        final MemoryRegion own = receiver.endpoint().memory().register(64);
        final Party self = new Party(receiver.node().number(), receiver.node().incarnation());
        final Party source = new Party(sender.node().number(), sender.node().incarnation());
        final RemoteRegion region = sender.endpoint().memory().register(64).remote();
        await(() -> receiver.endpoint().memory().link(region).write(region, 0, payload, 0, 8) == SendStatus.SENT);
        final AtomicBuffer frame = Buffers.allocate(HelloDescriptor.LENGTH_MAX);
        final int answeredNumber = 1;

        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final int length = HelloDescriptor.write(frame, 99, source, self, 0, answeredNumber, Preceding.NONE,
                new int[0]);
            final ExclusivePublication publication = publish(aeron, self, frame, length);
            frame.putInt(0, MessageHeader.identityWord(0));
            AnswerDescriptor.writeHeader(frame, 0, MessageType.REMOTE_READ_REPLY, sender.node().endpoint(),
                receiver.node().endpoint(), 8, 1, 0);
            frame.putLong(MessageHeader.LENGTH, -1);
            awaitOther(() -> publication.offer(frame, 0, MessageHeader.LENGTH + 8) > 0);
            awaitOther(() -> ContractSupport.counter(receiver, "rejected BAD_LENGTH") == 1);
        }
        awaitOther(() -> !refused.isEmpty());

        assertEquals(List.of(RemoteRefusal.PEER_GONE), refused);
        assertEquals(0, own.buffer().getLong(0));
    }

    @Test
    void shouldDeliverFirstWhatAHopCarriedBeforeItWasIdle()
    {
        final int count = 100;                          // More than the loop takes at a time.
        for (int i = 0; i < count; i++)
        {
            sendAlone(i);
        }
        final Party self = new Party(receiver.node().number(), receiver.node().incarnation());
        final Party source = new Party(sender.node().number(), sender.node().incarnation());
        final AtomicBuffer frame = Buffers.allocate(HelloDescriptor.LENGTH_MAX);

        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final int length = HelloDescriptor.write(frame, 99, source, self, 0, 0,
                new Preceding(1, Long.MAX_VALUE), new int[0]);
            final ExclusivePublication publication = add(aeron, self);
            awaitAlone(() -> publication.offer(frame, 0, length) > 0);
            frame.putInt(0, MessageHeader.identityWord(0));
            MessageHeader.write(frame, 0,
                MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sender.node().endpoint().address()),
                MessageHeader.extentWords(receiver.node().endpoint().address(), take.number(), 0),
                MessageHeader.pair(count, 0), 0);
            awaitAlone(() -> publication.offer(frame, 0, MessageHeader.LENGTH) > 0);
            await(() -> received.size() >= count);
            pollFor(TimeUnit.MILLISECONDS.toNanos(100));
            assertEquals(count, received.size());

            sender.close();
            awaitOther(() -> received.size() > count);
        }

        assertEquals(IntStream.rangeClosed(0, count).boxed().toList(), received);
    }

    @Test
    void shouldReadAMessageOfOneFrameInPlace()
    {
        final AtomicBuffer large = Buffers.allocate(ShortFrame.PAYLOAD_LENGTH_MAX + 1);
        final List<Integer> offsets = new ArrayList<>();
        receiver.handlers().register("look", message -> offsets.add(message.offset()));
        await(() -> sender.handlers().tryResolve("look") != null);
        final HandlerId look = sender.handlers().tryResolve("look");

        for (int i = 0; i < 2; i++)
        {
            await(() -> sender.endpoint().link(sender.locate("receiver"))
                .send(look, large, 0, large.capacity()) == SendStatus.SENT);
        }
        await(() -> offsets.size() == 2);

        assertNotEquals(offsets.get(0), offsets.get(1));        // They would stand at the same place of a copy.
    }

    @Test
    void shouldJudgeWhatTheReservedValueOfAFrameSays()
    {
        send(1);
        await(() -> received.size() == 1);
        final Party self = new Party(receiver.node().number(), receiver.node().incarnation());
        final Party source = new Party(sender.node().number(), sender.node().incarnation());
        final AtomicBuffer frame = Buffers.allocate(HelloDescriptor.LENGTH_MAX);
        final int otherChannel = MessageHeader.routeWord(0, 1);
        final long reservedValue = ShortFrame.reservedValue(
            MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, sender.node().endpoint().address()),
            MessageHeader.extentWords(receiver.node().endpoint().address(), otherChannel, 0), 0, 0);

        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final int length = HelloDescriptor.write(frame, 99, source, self, 0, 0, Preceding.NONE, new int[0]);
            final ExclusivePublication publication = publish(aeron, self, frame, length);
            awaitOther(() -> publication.offer(frame, 0, 0, (term, offset, frameLength) -> reservedValue) > 0);
            awaitOther(() -> publication.offer(frame, 0, 8, (term, offset, frameLength) -> -1) > 0);
            awaitOther(() -> ContractSupport.counter(receiver, "rejected WRONG_CHANNEL") == 1 &&
                ContractSupport.counter(receiver, "rejected WRONG_SOURCE") == 1);
        }

        send(2);
        await(() -> received.size() == 2);
        assertEquals(List.of(1, 2), received);
    }

    /** Another node, whose driver was replaced: the receiver goes on answering over a hop to the one before. */
    private void withOneWhoseAnswersAreLost(final Consumer<Grim> then)
    {
        MediaDriver otherDriver = MediaDriver.launch(driverContext("other-driver"));
        final Grim other = Grim.enable(config("other", otherDriver).set("grim.aeron.bind", "127.0.0.1:0").build());
        try
        {
            final List<Integer> answers = new ArrayList<>();
            other.handlers().register("answered", message -> answers.add(message.argument(0)));
            awaitWith(other, () -> receiver.handlers().tryResolve("answered") != null);
            final HandlerId answered = receiver.handlers().tryResolve("answered");
            awaitWith(other, () -> trySend(receiver, "other", answered, 1, 0) == SendStatus.SENT);
            awaitWith(other, () -> answers.equals(List.of(1)));

            otherDriver.close();
            otherDriver = MediaDriver.launch(driverContext("other-driver"));
            awaitWith(other, () -> trySend(other, "receiver", take, 2, 0) == SendStatus.SENT && received.contains(2));
            then.accept(other);
        }
        finally
        {
            other.close();
            otherDriver.close();
        }
    }

    /** The sender knows that all of them were consumed: its thread may read the report late. */
    private void sendReported(final int count)
    {
        try (ReportSpy reports = new ReportSpy(driver.aeronDirectoryName(), endpoint("sender"),
            new Party(sender.node().number(), sender.node().incarnation())))
        {
            for (int i = 0; i < count; i++)
            {
                send(i);
            }
            await(() -> received.size() == count);
            await(() -> reports.isRead(count));
        }
    }

    private void writeAnswered(final RemoteRegion region)
    {
        final MemoryRegion target = sender.endpoint().memory().register(8);
        final RemoteMemory.Read read = sender.endpoint().memory().newRead();
        await(() -> sender.endpoint().memory().link(region).read(region, 0, target, 0, 8, read) == SendStatus.SENT);
        await(read::isComplete);
    }

    private SendStatus write(final RemoteRegion region, final int length)
    {
        return sender.endpoint().memory().link(region).write(region, 0, payload, 0, length);
    }

    private SendStatus tryWrite(final RemoteRegion region, final int length)
    {
        try
        {
            return write(region, length);
        }
        catch (final GrimException ex)
        {
            return requireUnreachable(ex);
        }
    }

    private ExclusivePublication publish(
        final Aeron aeron, final Party to, final AtomicBuffer bytes, final int length)
    {
        final ExclusivePublication publication = add(aeron, to);
        awaitOther(() -> publication.offer(bytes, 0, length) > 0);
        return publication;
    }

    private ExclusivePublication add(final Aeron aeron, final Party to)
    {
        return aeron.addExclusivePublication(
            "aeron:udp?endpoint=127.0.0.1:" + port + "|term-length=64k", to.streamOf(0));
    }

    private SendStatus trySend(
        final Grim from, final String to, final HandlerId handler, final int sequence, final int length)
    {
        try
        {
            return from.endpoint().link(from.locate(to)).send(handler, sequence, 0, 0, 0, payload, 0, length);
        }
        catch (final GrimException ex)
        {
            return requireUnreachable(ex);
        }
    }

    private void awaitWith(final Grim other, final BooleanSupplier isSo)
    {
        await(() ->
        {
            other.endpoint().poll();
            return isSo.getAsBoolean();
        });
    }

    @Override
    GrimConfig.Builder config(final String name)
    {
        return config(name, driver).set("grim.aeron.bind", endpoint(name));
    }

    private String endpoint(final String name)
    {
        return "127.0.0.1:" + ("receiver".equals(name) ? port : port + 1);
    }
}
