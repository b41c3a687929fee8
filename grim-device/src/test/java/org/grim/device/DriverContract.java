// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.FrameReceiver;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.death.ShmDirectory;
import org.grim.device.storage.StorageClient;
import org.grim.device.storage.StorageClient.Mode;
import org.grim.device.storage.StoredFile;
import org.grim.device.video.CaptureDriver;
import org.grim.device.video.DisplayDriver;
import org.grim.device.video.VideoFrame;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Promises of each driver over each transport: it sends as its device, refuses by codes, moves bytes by messages and by
 * remote memory, does so again after a reset, and ends each request when it ends.
 */
abstract class DriverContract
{
    static final String NODE = "devices";
    static final String NOTE = "contract.note";
    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BOARD = "board";
    private static final String REFUSED = "device.refused";
    private static final int NO_SUCH = 7;
    /** More than any transport sends in one piece. */
    private static final int LENGTH = 100_001;
    private static final int FRAME_LENGTH = VideoFrame.HEADER_LENGTH + DriverMain.WIDTH * DriverMain.HEIGHT;

    @TempDir
    private Path files;
    private final Path clusters = ShmDirectory.create();
    private final Map<NodeInfo.Device, DeviceClient> devices = new LinkedHashMap<>();
    private final List<String> messages = new ArrayList<>();
    private Grim board;
    private Grim client;
    private Streams streams;

    /** Path from the client to the devices. */
    enum Hop
    {
        /** Within one node. */
        NULL,
        SHMEM,
        OWN_BOARDS,
        /** Of a third node, which a thread of this JVM polls. */
        SHARED_BOARD,
        AERON
    }

    /** Opens the devices, on the client's node if the hop is null. */
    abstract void serve(Hop hop, Grim clientNode);

    /** Ends the devices. */
    abstract void end();

    /** Ends their node, if there still is one. */
    abstract void leave();

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(streams);
        end();
        leave();
        CloseHelper.closeAll(client, board);
        ShmDirectory.delete(clusters);
    }

    final Path files()
    {
        return files;
    }

    final Path clusters()
    {
        return clusters;
    }

    static GrimConfig config(final Path directory, final Hop hop, final String name)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().directory(directory).nodeName(name)
            .set("grim.channels.count", 9).set("grim.liveness.interval", "1ms")
            .set("grim.handlers.resolve-timeout", "60s");
        switch (hop)
        {
            case NULL -> builder.transports("null");
            case SHMEM -> builder.transports("shmem");
            case AERON -> builder.transports("aeron").set("grim.aeron.silence-timeout", "60s")
                .set("grim.aeron.connect-timeout", "10s").set("grim.aeron.linger", "20ms");
            case OWN_BOARDS -> onBoards(builder);
            case SHARED_BOARD -> onBoards(builder).set("grim.myrinet.board", BOARD);
        }
        return builder.build();
    }

    private static GrimConfig.Builder onBoards(final GrimConfig.Builder builder)
    {
        return builder.transports("myrinet").set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.deadline", "60s").set("grim.myrinet.linger", "20ms");
    }

    private GrimConfig boardConfig()
    {
        return onBoards(GrimConfig.builder().directory(clusters).nodeName(BOARD).set("grim.channels.count", 9))
            .set("grim.myrinet.contexts", 3).set("grim.myrinet.board-channels", 27)
            .set("grim.myrinet.sram-length", "16MiB").build();
    }

    final void serveAll(final Hop hop) throws IOException
    {
        if (hop == Hop.SHARED_BOARD)
        {
            board = Grim.enable(boardConfig());
            board.startPolling();
        }
        client = Grim.enable(config(clusters, hop, "client"));
        client.handlers().register(REFUSED, message -> messages.add(message.source() + " " + message.argument(0)));
        client.handlers().register(NOTE, message -> messages.add(message.source() + " " + message.text()));
        client.start();                         // A bridge refuses messages for names that it does not find.
        serve(hop, client);
        streams = Streams.open(client);
        streams.onItems("items", (sequence, buffer, offset, length) -> messages.add("item " + buffer.getInt(offset)));
        for (final NodeInfo.Device kind : DriverMain.KINDS)
        {
            devices.put(kind, DeviceClient.await(client, kind, PATIENCE));
        }
    }

    final void keepsItsPromises() throws IOException
    {
        for (final Map.Entry<NodeInfo.Device, DeviceClient> each : devices.entrySet())
        {
            final DeviceClient device = each.getValue();
            final Config description = ConfigFactory.parseString(device.describe());
            assertEquals(each.getKey().label(), description.getString("kind"));
            assertEquals(device.device().toString(), description.getString("endpoint"));
            refuses(each.getKey(), device);
            works(each.getKey(), device);
            final int reservation = device.reserve(Duration.ofMinutes(1));
            device.reset();
            device.release(reservation);
            works(each.getKey(), device);
        }
        endsEachRequest();
    }

    private static String handlerThatRefuses(final NodeInfo.Device kind)
    {
        return switch (kind)
        {
            case STORAGE -> "store.sync";
            case BRIDGE -> "bridge.send";
            case VIDEO_CAPTURE -> CaptureDriver.STOP;
            case VIDEO_DISPLAY -> "display.present";
            default -> "frame.status";
        };
    }

    /** A request gets the code; a message that is none gets it by a message of the device. */
    private void refuses(final NodeInfo.Device kind, final DeviceClient device)
    {
        final HandlerId handler = device.handler(handlerThatRefuses(kind));
        final DeviceException refusal =
            assertThrows(DeviceException.class, () -> device.call(handler, NO_SUCH, 0, 0, null, 0, 0));
        messages.clear();
        final Link link = client.endpoint().link(device.device());

        await(() -> link.send(handler, NO_SUCH, 0, 0, 0) == SendStatus.SENT);
        await(() -> !messages.isEmpty());

        assertEquals(List.of(device.device() + " " + refusal.code().number()), messages);
        assertEquals(kind == NodeInfo.Device.VIDEO_DISPLAY ? DeviceCode.BAD_REQUEST : DeviceCode.NOT_FOUND,
            refusal.code());
    }

    private void works(final NodeInfo.Device kind, final DeviceClient device) throws IOException
    {
        messages.clear();
        switch (kind)
        {
            case STORAGE -> stores(new StorageClient(device), Mode.CREATE, Mode.WINDOW);
            case BRIDGE -> bridges(device);
            case VIDEO_CAPTURE -> captures(device);
            case VIDEO_DISPLAY -> displays(device);
            default -> computes(device);
        }
    }

    private void stores(final StorageClient store, final Mode... modes)
    {
        final UnsafeBuffer bytes = random(LENGTH);
        final MemoryRegion memory = client.endpoint().memory().register(LENGTH);
        for (final Mode mode : modes)
        {
            final UnsafeBuffer read = new UnsafeBuffer(new byte[LENGTH]);
            memory.buffer().setMemory(0, LENGTH, (byte)0);
            try (StoredFile file = store.open("file", Mode.READ, Mode.WRITE, Mode.CREATE, Mode.TRUNCATE, mode))
            {
                file.write(0, bytes, 0, LENGTH);
                assertEquals(LENGTH, file.read(0, read, 0, LENGTH));
                assertEquals(LENGTH, file.read(0, memory, 0, LENGTH));
            }
            assertEquals(bytes, read, mode::name);
            assertEquals(bytes, new UnsafeBuffer(memory.buffer(), 0, LENGTH), mode::name);
        }
        memory.close();
    }

    private static UnsafeBuffer random(final int length)
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }

    /** A program outside says hello, and sends a message to the client. */
    private void bridges(final DeviceClient device) throws IOException
    {
        final int port = ConfigFactory.parseString(device.describe()).getInt("limits.port");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port))
        {
            socket.getOutputStream().write(frame(1, "", "", ""));
            socket.getOutputStream().write(frame(3, "client", NOTE, "from outside"));
            await(() -> !messages.isEmpty());
        }
        assertEquals(List.of(device.device() + " from outside"), messages);
    }

    private static byte[] frame(final int kind, final String destination, final String handler, final String data)
    {
        final byte[] payload = (destination + handler + data).getBytes(UTF_8);
        return ByteBuffer.allocate(36 + payload.length).putInt(32 + payload.length).putInt(kind).putInt(0)
            .putShort((short)destination.length()).putShort((short)handler.length()).putInt(0)
            .position(36).put(payload).array();
    }

    private void captures(final DeviceClient device)
    {
        final byte[] first = grab(device, new byte[0]).byteArray();
        final MemoryRegion memory = client.endpoint().memory().register(FRAME_LENGTH);
        final FrameReceiver receiver = client.endpoint().memory().receiveFrames(2, FRAME_LENGTH);
        final VideoFrame frame = new VideoFrame();

        assertEquals(0, frame.wrap(new UnsafeBuffer(first), 0, first.length).number());
        grab(device, bytes(memory.remote()));
        assertEquals(1, frame.wrap(memory.buffer(), 0, FRAME_LENGTH).number());
        final UnsafeBuffer window = new UnsafeBuffer(bytes(receiver.remote()));
        final int stream = device.call(device.handler(CaptureDriver.START), 0, 0, FRAME_LENGTH, window, 0,
            window.capacity()).argument(1);
        for (int i = 2; i < 6; i++)
        {
            await(receiver::next);
            assertEquals(i, frame.wrap(receiver.buffer(), receiver.offset(), receiver.length()).number());
            receiver.release();
        }
        device.call(device.handler(CaptureDriver.STOP), stream, 0, 0, null, 0, 0);
        receiver.close();
        memory.close();
    }

    private static UnsafeBuffer grab(final DeviceClient device, final byte[] target)
    {
        final Reply reply = device.call(
            device.handler("capture.grab"), 0, 0, 0, new UnsafeBuffer(target), 0, target.length);
        assertEquals(FRAME_LENGTH, reply.argument(1));
        final byte[] bytes = new byte[reply.length()];
        reply.buffer().getBytes(0, bytes);
        return new UnsafeBuffer(bytes);
    }

    private static byte[] bytes(final RemoteRegion region)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        region.writeTo(bytes, 0);
        return bytes.byteArray();
    }

    /** Shows a frame of the capture, and what is written into a frame buffer. */
    private void displays(final DeviceClient device)
    {
        final UnsafeBuffer frame = grab(devices.get(NodeInfo.Device.VIDEO_CAPTURE), new byte[0]);
        final VideoFrame view = new VideoFrame().wrap(frame, 0, frame.capacity());

        device.call(device.handler("display.frame"), 0, 0, 0, frame, 0, frame.capacity());
        assertEquals(view.sourceKey() + " " + view.number() + " " + Long.toHexString(view.checksum()),
            device.call(device.handler(DisplayDriver.FRAMES), 0, 0, 0, null, 0, 0).text());
        final Reply buffers = device.call(device.handler("display.buffers"), 0, 0, 0, null, 0, 0);
        final RemoteRegion buffer = RemoteRegion.readFrom(buffers.buffer(), 0, buffers.length());
        final UnsafeBuffer pixels = random((int)buffer.length());
        assertEquals(SendStatus.SENT, client.endpoint().memory().link(device.device()).writeBlocking(
            buffer, 0, pixels, 0, pixels.capacity(), null, 0, client.endpoint().idleStrategy()));
        device.call(device.handler("display.present"), 0, 0, 0, null, 0, 0);
        assertTrue(device.call(device.handler(DisplayDriver.STATUS), 0, 0, 0, null, 0, 0).text()
            .contains("pictures=2\nrefused=0"));
    }

    private void computes(final DeviceClient device)
    {
        final UnsafeBuffer item = new UnsafeBuffer(new byte[Integer.BYTES]);
        final List<String> expected = new ArrayList<>();
        try (Connection connection = streams.open(ConnectionSpec.of("items", streams.id(),
            Stage.of(device.device(), "alu").operation(2).constant(3),
            Stage.of(device.device(), "alu").operation(4).constant(2)), PATIENCE))
        {
            for (int i = 0; i < 20; i++)
            {
                item.putInt(0, i);
                await(() -> connection.inject(item, 0, Integer.BYTES) == SendStatus.SENT);
                expected.add("item " + (i + 3) * 2);
            }
            await(() -> connection.accounts().delivered() == expected.size());
        }
        assertEquals(expected, messages);
    }

    /** Requests come while the devices end: each has an outcome, and none waits for its time-out. */
    private void endsEachRequest()
    {
        final Map<Reply, NodeInfo.Device> replies = new LinkedHashMap<>();
        final Map<NodeInfo.Device, Link> links = new LinkedHashMap<>();
        devices.forEach((kind, device) -> links.put(kind, client.endpoint().link(device.device())));
        int round = 0;
        while (!links.isEmpty())
        {
            if (round == 20)
            {
                end();
            }
            round++;
            for (final NodeInfo.Device kind : List.copyOf(links.keySet()))
            {
                final Reply reply = client.endpoint().newReply();
                final SendStatus status = links.get(kind).request(
                    client.handlers().id(handlerThatRefuses(kind)), NO_SUCH, 0, 0, null, 0, 0, PATIENCE, reply);
                if (status.isAccepted())
                {
                    replies.put(reply, kind);
                }
                if (status == SendStatus.PEER_GONE)
                {
                    links.remove(kind);
                }
            }
            client.endpoint().poll();
        }
        await(() -> replies.keySet().stream().allMatch(Reply::isComplete));
        replies.forEach((reply, kind) -> assertTrue(reply.outcome() == Reply.Outcome.ANSWERED ||
            reply.outcome() == Reply.Outcome.PEER_GONE, () -> kind + " " + reply.outcome()));
        DriverMain.KINDS.forEach(kind -> await(() -> client.devices(kind).isEmpty()));
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), () -> "waited in vain: " + messages);
            if (client.endpoint().poll() + streams.poll() == 0)
            {
                Thread.onSpinWait();
            }
        }
    }
}
