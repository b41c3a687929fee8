// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteMemory;
import org.grim.Reply;
import org.grim.SendStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DeviceRunnerTest
{
    @TempDir
    private Path directory;
    private final List<EchoDriver> drivers = new ArrayList<>();
    private final Map<String, String> options = new HashMap<>();
    private DeviceStage stage;
    private Grim client;

    @BeforeEach
    void open()
    {
        stage = new DeviceStage(directory, DeviceStage.spec(2), this::makeDriver, options);
        client = stage.client("client");
    }

    @AfterEach
    void close()
    {
        stage.close();
    }

    private EchoDriver makeDriver()
    {
        drivers.add(new EchoDriver());
        return driver();
    }

    private EchoDriver driver()
    {
        return drivers.get(drivers.size() - 1);
    }

    private void awaitUp()
    {
        stage.await(() -> stage.runner.state() == DeviceInfo.State.UP);
    }

    @Test
    void shouldBeFoundAndAnswerWhenItIsUp()
    {
        assertEquals(DeviceInfo.State.STARTING, stage.runner.device().info().state());
        awaitUp();

        assertEquals(stage.runner.device().id(), client.locate(NodeInfo.Device.OTHER));
        final Reply reply = stage.answer(client, EchoDriver.ECHO, 42, "hello");
        assertEquals("0 42 hello", reply.argument(0) + " " + reply.argument(1) + " " + reply.text());
        final String description = stage.answer(client, "device.describe", 0, "").text();
        for (final String part : List.of("kind=other", "name=echo", "version=\"1\"", "channels=2", "answers-max=7",
            "\"echo.now\"=\"any payload; answers with it\"", "length=4096", "rights=\"READ_WRITE\"", "queue-length=64"))
        {
            assertTrue(description.replace(" ", "").contains(part.replace(" ", "")), () -> part + ": " + description);
        }
        final String status = stage.answer(client, "device.status", 0, "").text();
        assertTrue(status.contains("state=up") && status.contains("answered=2"), status);
    }

    @Test
    void shouldAnswerRequestsOfItsStart()
    {
        stage.node.handlers().register(EchoDriver.ECHO, message -> message.reply("not the device"));
        stage.node.start();
        client.handlers().id(EchoDriver.ECHO);
        final Reply reply = client.endpoint().newReply();
        for (SendStatus status = SendStatus.BACK_PRESSURED; !status.isAccepted();)
        {
            client.endpoint().poll();
            stage.node.endpoint().poll();
            status = DeviceStage.tryAsk(client, stage.link(client), EchoDriver.ECHO, 7, "early", reply);
        }

        assertEquals("early", stage.complete(reply).text());
        assertEquals(1, drivers.size());
    }

    @Test
    void shouldSayAHandlersRefusalByCode()
    {
        awaitUp();

        final Reply illegal = stage.answer(client, EchoDriver.ILLEGAL, 0, "abc");
        stage.assertCode(DeviceCode.BAD_REQUEST, illegal);
        assertEquals("length=3 is odd", illegal.text());
        final Reply full = stage.answer(client, EchoDriver.FULL, 0, "");
        stage.assertCode(DeviceCode.NO_ROOM, full);
        assertEquals("device has no memory for the request: full on purpose", full.text());
        final Reply lease = stage.answer(client, "device.reserve", 0, "");
        assertEquals("lease=0 ms is outside 1 to 3600000", lease.text());
        assertEquals(DeviceInfo.State.UP, stage.runner.state());
    }

    @Test
    void shouldRefuseWhatHasTooLongAnAnswer()
    {
        awaitUp();

        final Reply reply = stage.answer(client, EchoDriver.LONG, (16 << 20) + 1, "");

        stage.assertCode(DeviceCode.NO_ROOM, reply);
        assertTrue(reply.text().startsWith("answer cannot be sent: ") && reply.text().contains("length-max"),
            reply.text());
        assertEquals(DeviceInfo.State.UP, stage.runner.state());
    }

    @Test
    void shouldNotDescribeMemoryThatWasFreed()
    {
        awaitUp();
        driver().region.close();

        final String description = stage.answer(client, "device.describe", 0, "").text();

        assertFalse(description.contains("4096"), description);
    }

    @Test
    void shouldAnswerThatTheDriverFailedUntilItIsReset()
    {
        awaitUp();
        final EchoDriver first = driver();
        final Reply kept = stage.ask(client, EchoDriver.LATER, 0, "kept");
        stage.await(() -> first.waiting.size() == 1);
        first.region.buffer().putLong(0, 4711);

        stage.assertCode(DeviceCode.FAILED, stage.answer(client, EchoDriver.FAIL, 0, ""));

        stage.assertCode(DeviceCode.FAILED, kept);
        assertEquals("device has failed: failed on purpose", kept.text());
        assertTrue(first.isClosed);
        stage.assertCode(DeviceCode.FAILED, stage.answer(client, EchoDriver.ECHO, 0, "a"));
        assertEquals(DeviceInfo.State.FAILED, client.devices(NodeInfo.Device.OTHER).get(0).state());
        assertEquals(4711, readFar(first.region));
        assertTrue(stage.answer(client, "device.status", 0, "").text().contains("failed on purpose"));
        stage.assertCode(DeviceCode.OK, stage.answer(client, "device.reset", 0, ""));
        assertNotSame(first, driver());
        assertEquals("again", stage.answer(client, EchoDriver.ECHO, 0, "again").text());
        assertEquals(0, first.region.buffer().capacity(), "the first driver's memory is freed");
        assertEquals(DeviceInfo.State.UP, client.devices(NodeInfo.Device.OTHER).get(0).state());
    }

    private long readFar(final MemoryRegion region)
    {
        final MemoryRegion target = client.endpoint().memory().register(8);
        final RemoteMemory.Read read = client.endpoint().memory().newRead();
        stage.await(() -> client.endpoint().memory().link(stage.runner.device().id())
            .read(region.remote(), 0, target, 0, 8, read).isAccepted());
        stage.await(read::isComplete);
        return target.buffer().getLong(0);
    }

    @Test
    void shouldRefuseItsKeptRequestsWhenItIsReset()
    {
        awaitUp();
        final Reply kept = stage.ask(client, EchoDriver.LATER, 0, "kept");
        stage.await(() -> driver().waiting.size() == 1);

        stage.assertCode(DeviceCode.OK, stage.answer(client, "device.reset", 0, ""));

        stage.assertCode(DeviceCode.FAILED, kept);
        assertEquals("device was reset", kept.text());
    }

    @Test
    void shouldFailWithADriverThatFailsAtWork()
    {
        awaitUp();
        driver().isFailing = true;

        stage.await(() -> stage.runner.state() == DeviceInfo.State.FAILED);

        assertEquals("failed at work", stage.runner.failure());
        assertTrue(driver().isClosed);
    }

    @Test
    void shouldFailWithADriverThatDoesNotOpen()
    {
        stage.close();
        for (final Map.Entry<String, String> each : Map.of("true", "broken on purpose",
            "maybe", "option broken=maybe is not true or false").entrySet())
        {
            options.put("broken", each.getKey());
            stage = new DeviceStage(directory, DeviceStage.spec(1), this::makeDriver, options);
            client = stage.client("client");
            stage.await(() -> stage.runner.state() == DeviceInfo.State.FAILED);
            assertEquals(each.getValue(), stage.runner.failure());
            stage.assertCode(DeviceCode.FAILED, stage.answer(client, "device.reset", 0, ""));
            stage.close();
        }
        stage = new DeviceStage(directory, DeviceStage.spec(1), this::makeDriver, Map.of("brokn", "true"));
        stage.await(() -> stage.runner.state() == DeviceInfo.State.FAILED);
        assertEquals("option brokn is unknown: the driver knows broken", stage.runner.failure());
    }

    @Test
    void shouldHoldUpSendersOfAChannelWhoseQueueIsFull()
    {
        awaitUp();
        final List<Reply> replies = new ArrayList<>();
        final Link link = stage.link(client);
        int refusedCount = 0;
        while (refusedCount < 1_000 && replies.size() < 1_000)
        {
            final Reply reply = client.endpoint().newReply();
            if (DeviceStage.tryAsk(client, link, EchoDriver.LATER, replies.size(), "x", reply).isAccepted())
            {
                replies.add(reply);
                refusedCount = 0;
            }
            refusedCount++;
            stage.steps(1);
        }

        assertEquals(DeviceRunner.QUEUE_LENGTH, driver().waiting.size());
        assertEquals(DeviceRunner.QUEUE_LENGTH + DeviceStage.SLOT_COUNT, replies.size());
        final Link other = client.endpoint().link(stage.runner.device().id().onChannel(
            stage.runner.device().id().channel() + 1));
        final String status = stage.complete(stage.ask(client, other, "device.status", 0, "")).text();
        assertTrue(status.contains("waiting=" + DeviceRunner.QUEUE_LENGTH), status);
        driver().isAnswering = true;
        for (int i = 0; i < replies.size(); i++)
        {
            assertEquals(i, stage.complete(replies.get(i)).argument(1));
        }
    }

    @Test
    void shouldGiveUpAnswersToASenderThatDoesNotPoll()
    {
        awaitUp();
        final Grim silent = stage.client("silent");
        for (int i = 0; i < 3 * DeviceStage.SLOT_COUNT; i++)
        {
            stage.ask(silent, EchoDriver.LATER, i, "");
        }
        stage.await(() -> driver().waiting.size() == 3 * DeviceStage.SLOT_COUNT);
        stage.stop(silent);
        driver().isAnswering = true;
        stage.steps(1_000);

        final int before = driver().waiting.size();
        assertTrue(before > 0 && before < 3 * DeviceStage.SLOT_COUNT, () -> "waiting=" + before);
        assertEquals("b", stage.answer(client, EchoDriver.LATER, 0, "b").text());
        stage.nowNs += TimeUnit.SECONDS.toNanos(6);
        stage.await(() -> driver().waiting.isEmpty());

        final String status = stage.answer(client, "device.status", 0, "").text();
        assertTrue(status.contains("lost=" + before) && status.contains("waiting=0"), status);
        silent.close();
    }

    @Test
    void shouldServeTheHolderOfItsReservationOnly()
    {
        awaitUp();
        final Grim other = stage.client("other");
        final int number = stage.answer(client, "device.reserve", 10_000, "").argument(1);
        stage.nowNs += TimeUnit.SECONDS.toNanos(4);

        final Reply busy = stage.answer(other, EchoDriver.ECHO, 0, "");
        stage.assertCode(DeviceCode.BUSY, busy);
        assertEquals(6_000, busy.argument(1));
        stage.assertCode(DeviceCode.BUSY, stage.answer(other, "device.reserve", 1_000, ""));
        stage.assertCode(DeviceCode.BUSY, stage.answer(other, "device.reset", 0, ""));
        stage.assertCode(DeviceCode.BAD_REQUEST, stage.answer(other, "device.release", number, ""));
        stage.assertCode(DeviceCode.OK, stage.answer(other, "device.status", 0, ""));
        stage.assertCode(DeviceCode.OK, stage.answer(client, EchoDriver.ECHO, 0, ""));
        assertEquals(number, stage.answer(client, "device.reserve", 10_000, "").argument(1), "renewed");
        stage.assertCode(DeviceCode.OK, stage.answer(client, "device.release", number, ""));
        stage.assertCode(DeviceCode.OK, stage.answer(other, EchoDriver.ECHO, 0, ""));
        assertNotEquals(number, stage.answer(client, "device.reserve", 1_000, "").argument(1));
        stage.nowNs += TimeUnit.SECONDS.toNanos(1);
        stage.assertCode(DeviceCode.OK, stage.answer(other, EchoDriver.ECHO, 0, ""));
    }

    @Test
    void shouldEndTheReservationWithItsNode()
    {
        awaitUp();
        final Grim holder = stage.client("holder");
        stage.assertCode(DeviceCode.OK, stage.answer(holder, "device.reserve", 3_600_000, ""));
        stage.assertCode(DeviceCode.BUSY, stage.answer(client, EchoDriver.ECHO, 0, ""));

        stage.stop(holder);
        holder.close();
        stage.await(() -> driver().gone.contains("holder"));

        stage.assertCode(DeviceCode.OK, stage.answer(client, EchoDriver.ECHO, 0, ""));
    }

    @Test
    void shouldRefuseAMessageThatIsNoRequestByAMessage()
    {
        awaitUp();
        final List<String> refusals = new ArrayList<>();
        client.handlers().register("device.refused", message -> refusals.add(message.argument(0) + " " +
            message.argument(1) + " " + message.argument(2) + " " + message.text()));
        final Grim holder = stage.client("holder");
        stage.answer(holder, "device.reserve", 500, "");
        stage.await(() -> client.handlers().id(EchoDriver.ECHO).isKnown());

        stage.await(() -> stage.link(client).send(client.handlers().id(EchoDriver.ECHO), "one").isAccepted());
        stage.await(() -> !refusals.isEmpty());

        assertEquals(List.of(DeviceCode.BUSY.number() + " 500 " + client.handlers().id(EchoDriver.ECHO).number() +
            " device is reserved by " + holder.endpoint().id() + " for 500 ms more"), refusals);
    }

    @Test
    void shouldRefuseItsKeptRequestsWhenItIsClosed()
    {
        awaitUp();
        final Reply kept = stage.ask(client, EchoDriver.LATER, 0, "kept");
        stage.await(() -> driver().waiting.size() == 1);

        stage.runner.close();

        client.endpoint().poll();
        assertEquals("device was closed", kept.await().text());
        assertTrue(driver().isClosed);
        assertEquals(List.of(), client.devices(NodeInfo.Device.OTHER));
    }

    @Test
    void shouldFindDriversByKindAndServeOnAThread() throws Exception
    {
        stage.close();
        final Grim node = stage.join("threads");
        final UnsafeBuffer payload = new UnsafeBuffer("over there".getBytes(UTF_8));
        final GrimException none = assertThrows(GrimException.class, () ->
            DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.FPGA), Map.of()));
        assertEquals("device kind=fpga has no driver on the class path", none.getMessage());
        try (DeviceRunner runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.OTHER), Map.of()))
        {
            runner.start();
            node.start();
            final DeviceClient device = new DeviceClient(node, runner.device().id(), Duration.ofMinutes(1));
            final Reply reply = device.call(device.handler(EchoDriver.ECHO), 5, 0, 0, payload, 0, payload.capacity());
            assertEquals("5 over there", reply.argument(1) + " " + reply.text());
            final int number = device.reserve(Duration.ofMinutes(10));
            device.release(number);
            assertEquals(DeviceCode.BAD_REQUEST,
                assertThrows(DeviceException.class, () -> device.release(number)).code());
            device.reset();
            assertTrue(device.status().contains("state=up") && device.describe().contains("echo"));
            assertFalse(runner.device().info().endpoint().device() == 0);
        }
        node.close();
    }
}
