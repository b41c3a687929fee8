// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.SendStatus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A node with a device, and nodes that ask it, all stepped by the test's thread; the device's clock moves by hand. */
public final class DeviceStage implements AutoCloseable
{
    static final int SLOT_COUNT = 16;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    final Grim node;
    final DeviceRunner runner;
    long nowNs = 1L << 60;
    private final Path directory;
    private final List<Grim> clients = new ArrayList<>();

    /** Opens the device, and does not step it. */
    public DeviceStage(
        final Path directory, final DeviceSpec spec, final Supplier<? extends DeviceDriver> drivers,
        final Map<String, String> options)
    {
        this.directory = directory;
        node = join("device");
        runner = DeviceRunner.open(node, spec, drivers, options, () -> nowNs);
    }

    /** A further node. */
    public Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).set("grim.queue.slot-count", SLOT_COUNT)
            .set("grim.liveness.interval", "1ms").build());
    }

    /** A further node that is stepped with the others. */
    public Grim client(final String name)
    {
        final Grim client = join(name);
        clients.add(client);
        return client;
    }

    /** Runner of the device. */
    public DeviceRunner runner()
    {
        return runner;
    }

    /** A node is not stepped any more. */
    void stop(final Grim client)
    {
        clients.remove(client);
    }

    Link link(final Grim client)
    {
        return client.endpoint().link(runner.device().id());
    }

    /** Sends a request. */
    Reply ask(final Grim client, final String handler, final int a0, final String text)
    {
        return ask(client, link(client), handler, a0, text);
    }

    Reply ask(final Grim client, final Link link, final String handler, final int a0, final String text)
    {
        final Reply reply = client.endpoint().newReply();
        await(() -> tryAsk(client, link, handler, a0, text, reply).isAccepted());
        return reply;
    }

    static SendStatus tryAsk(
        final Grim client, final Link link, final String handler, final int a0, final String text, final Reply reply)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        return link.request(
            client.handlers().id(handler), a0, 0, 0, new UnsafeBuffer(bytes), 0, bytes.length, TIMEOUT, reply);
    }

    /** Sends a request, and waits for the answer. */
    Reply answer(final Grim client, final String handler, final int a0, final String text)
    {
        return complete(ask(client, handler, a0, text));
    }

    Reply complete(final Reply reply)
    {
        await(reply::isComplete);
        assertEquals(Reply.Outcome.ANSWERED, reply.outcome());
        return reply;
    }

    void assertCode(final DeviceCode code, final Reply reply)
    {
        assertEquals(code, DeviceCode.ofNumber(complete(reply).argument(0)), reply::text);
    }

    /** Steps all until something is so. */
    public void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < TIMEOUT.toNanos(), "waited in vain");
            step();
        }
    }

    /** Steps all some times. */
    void steps(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            step();
        }
    }

    private void step()
    {
        int workCount = node.endpoint().poll() + runner.doWork();
        for (final Grim client : clients)
        {
            workCount += client.endpoint().poll();
        }
        if (workCount == 0)
        {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
        }
    }

    static DeviceSpec spec(final int channelCount)
    {
        return DeviceSpec.of(NodeInfo.Device.OTHER).onChannels(DeviceSpec.ANY_CHANNEL, channelCount);
    }

    @Override
    public void close()
    {
        clients.forEach(Grim::close);
        runner.close();
        node.close();
    }
}
