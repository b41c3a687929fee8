// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceDescription;
import org.grim.device.DeviceDriver;
import org.grim.device.DeviceRunner;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;

/**
 * A process beside the one that measures: a host endpoint that echoes and relays, and a device.
 * <p>Thread: main polls the host endpoint; the device has a thread of its own.
 */
final class DeviceSide
{
    static final String CLUSTER = "bench";
    static final String ECHO = "bench.echo";
    static final String RELAY = "bench.relay";
    static final String RELAYED = "bench.relayed";
    private static final int CHANNEL_COUNT = 6;
    private static final int ACCELERATOR_CHANNEL_COUNT = 3;

    private DeviceSide()
    {
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).clusterName(CLUSTER).nodeName(name).transports("shmem")
            .set("grim.channels.count", CHANNEL_COUNT).build();
    }

    /** File that has the port of a side's bare socket. */
    static Path portFile(final Path directory, final String name)
    {
        return directory.resolve(name + ".port");
    }

    /**
     * Serves until the first process ends, or says so by closing standard input.
     *
     * @param directory of the clusters.
     * @param name      of the node.
     * @param kind      of the device, by its label; that of OTHER echoes.
     * @param options   of its driver.
     * @param hasSocket whether a bare socket echoes, too.
     */
    record Task(Path directory, String name, String kind, Map<String, String> options, boolean hasSocket)
        implements ChildTask
    {
        @Override
        public void run() throws IOException
        {
            final ParentWatch watch = ParentWatch.start();
            final NodeInfo.Device device = NodeInfo.Device.ofLabel(kind);
            final DeviceSpec spec = DeviceSpec.of(device).onChannels(DeviceSpec.ANY_CHANNEL,
                device == NodeInfo.Device.ACCELERATOR ? ACCELERATOR_CHANNEL_COUNT : 1);
            try (Grim grim = Grim.enable(config(directory, name));
                EchoSocket socket = hasSocket ? new EchoSocket() : null;
                DeviceRunner runner = device == NodeInfo.Device.OTHER ?
                    DeviceRunner.open(grim, spec, (Supplier<DeviceDriver>)EchoDriver::new, options) :
                    DeviceRunner.open(grim, spec, options))
            {
                if (socket != null)
                {
                    Files.writeString(portFile(directory, name), Integer.toString(socket.port()));
                }
                runner.start();
                grim.handlers().register(ECHO, message -> message.reply(
                    DeviceCode.OK.number(), 0, 0, message.buffer(), message.offset(), message.length()));
                final Relay relay = new Relay(grim);
                grim.handlers().register(RELAY, relay::onMessage);
                grim.start();
                serve(grim, runner, watch);
            }
        }

        private static void serve(final Grim grim, final DeviceRunner runner, final ParentWatch watch)
        {
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            boolean isReady = false;
            while (!watch.isEnded())
            {
                idle.idle(grim.endpoint().poll());
                if (runner.state() == DeviceInfo.State.FAILED)
                {
                    throw new GrimException(GrimException.Reason.UNAVAILABLE, runner.failure());
                }
                if (!isReady && runner.state() == DeviceInfo.State.UP)
                {
                    isReady = true;
                    watch.announceReady();
                }
            }
        }
    }

    /** Copies what comes, and sends the copy on: a stage as one writes it without streams. */
    private static final class Relay
    {
        private static final int LENGTH_MAX = 1 << 16;

        private final Grim grim;
        private final HandlerId relayed;
        private final UnsafeBuffer copy = new UnsafeBuffer(new byte[LENGTH_MAX]);
        private EndpointId target;
        private Link link;

        Relay(final Grim grim)
        {
            this.grim = grim;
            relayed = grim.handlers().id(RELAYED);
        }

        void onMessage(final ActiveMessage message)
        {
            if (!message.source().equals(target))
            {
                target = message.source();
                link = grim.endpoint().link(target);
            }
            copy.putBytes(0, message.buffer(), message.offset(), message.length());
            if (!link.send(relayed, message.argument(0), 0, 0, 0, copy, 0, message.length()).isAccepted())
            {
                throw new IllegalStateException("relay has no room for message " + message.argument(0));
            }
        }
    }

    /** A device that answers with what it was sent. */
    private static final class EchoDriver implements DeviceDriver
    {
        @Override
        public NodeInfo.Device kind()
        {
            return NodeInfo.Device.OTHER;
        }

        @Override
        public DeviceDescription open(final DeviceContext context)
        {
            context.handle(ECHO, "any; answer: the same payload", request ->
                request.answer(0, 0, request.buffer(), request.offset(), request.length()));
            return new DeviceDescription("echo", "1", Map.of());
        }

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public void close()
        {
            // Holds nothing.
        }
    }
}
