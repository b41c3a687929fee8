// SPDX-License-Identifier: Apache-2.0
package org.grim.device.bridge;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The bridge on a thread of its own; the test's thread polls a node of the cluster, and has programs outside. */
final class BridgeTest
{
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);
    private static final String TOKEN = "sesame";
    private static final List<String> ALLOWED = List.of("price", "note", "device.status");
    private static final String PROGRAM = """
        import socket, struct, sys

        def frame(kind, number, destination, handler, data, a0=0):
            names = destination.encode() + handler.encode()
            body = struct.pack('>iiHHiiiii', kind, number, len(destination), len(handler), 0, a0, 0, 0, 0)
            return struct.pack('>i', len(body + names + data)) + body + names + data

        def exactly(count):
            data = b''
            while len(data) < count:
                part = connection.recv(count - len(data))
                assert part, 'the bridge has closed'
                data += part
            return data

        def receive():
            body = exactly(struct.unpack('>i', exactly(4))[0])
            kind, number, names, source, a0, a1, a2, a3 = struct.unpack('>iiiiiiii', body[:32])
            return kind, number, a0, body[32:].decode()

        connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
        connection.sendall(frame(1, 0, '', '', b'sesame'))
        kind, me, a0, data = receive()
        assert kind == 2, data
        connection.sendall(frame(4, 77, 'shop', 'price', b'tea', 5))
        print(*receive())
        connection.sendall(frame(3, 78, 'shop', 'note', b'from outside', me))
        print(*receive())
        connection.sendall(frame(4, 79, 'shop', 'secret', b''))
        print(*receive())
        connection.sendall(frame(4, 80, 'nowhere', 'price', b''))
        print(*receive())
        connection.sendall(frame(4, 81, 'device:bridge', 'device.status', b''))
        print(receive()[:3])
        """;

    @TempDir
    private Path directory;
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private Grim node;
    private Grim shop;
    private DeviceRunner runner;
    private DeviceClient bridge;
    private int port;

    @BeforeEach
    void open() throws IOException
    {
        node = join("bridge");
        node.startPolling();
        shop = join("shop");
        shop.handlers().register("price", message -> message.reply(
            message.argument(0) + 1, 0, 0, message.buffer(), message.offset(), message.length()));
        shop.handlers().register("note", message -> notes.add(message.argument(0) + " " + message.text()));
        shop.handlers().register("secret", message -> notes.add("secret"));
        serve(Map.of("allow", String.join(",", ALLOWED), "token-file",
            Files.writeString(directory.resolve("token"), TOKEN + "\n").toString()));
        shop.start();
        bridge = DeviceClient.await(shop, NodeInfo.Device.BRIDGE, Duration.ofMinutes(2));
        final String description = bridge.describe();
        port = Integer.parseInt(description.replaceAll("(?s).*port=([0-9]+).*", "$1"));
        await(() -> bridge.status().contains("up") && ALLOWED.stream().allMatch(name ->
            node.handlers().id(name).isKnown()));                   // It refuses messages for others.
    }

    @AfterEach
    void close()
    {
        runner.close();
        shop.close();
        node.close();
    }

    private Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(directory.resolve("clusters")).nodeName(name)
            .transports("shmem").set("grim.queue.slot-count", 64)
            .set("grim.handlers.resolve-timeout", "60s").build());
    }

    private void serve(final Map<String, String> options)
    {
        runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.BRIDGE), options);
        runner.start();
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "waited in vain");
            if (shop.endpoint().poll() == 0)
            {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    private static byte[] frame(
        final int kind, final int id, final int a0, final String handler, final byte[] data)
    {
        return new BridgeFrame(kind, id, 0, new int[] {a0, 0, 0, 0}, "shop", handler, data).bytes();
    }

    /** A program that has shown the token. */
    private Socket connect() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(frame(BridgeFrame.HELLO, 0, 0, "", TOKEN.getBytes(UTF_8)));
        assertEquals(BridgeFrame.WELCOME, read(socket).kind);
        return socket;
    }

    private static BridgeFrame read(final Socket socket) throws IOException
    {
        return BridgeFrame.read(new DataInputStream(socket.getInputStream()), 1 << 20);
    }

    private int send(final int connection, final String text)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        return bridge.call(bridge.handler("bridge.send"), connection, 11, 12, new UnsafeBuffer(bytes), 0, bytes.length)
            .argument(0);
    }

    @Test
    void shouldCarryMessagesOfAPythonProgram() throws Exception
    {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no python3");
        final Path script = Files.writeString(directory.resolve("program.py"), PROGRAM);
        final Path output = directory.resolve("output");
        final Process program = new ProcessBuilder("/usr/bin/python3", script.toString(), Integer.toString(port))
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();

        await(() -> !notes.isEmpty() || !program.isAlive());
        final int connection =
            notes.isEmpty() ? 0 : Integer.parseInt(notes.get(0).substring(0, notes.get(0).indexOf(' ')));
        assertEquals(List.of(connection + " from outside"), notes, Files.readString(output));
        assertTrue(bridge.call(bridge.handler("bridge.connections"), 0, 0, 0, null, 0, 0).text()
            .startsWith(connection + " /127.0.0.1:"));
        assertEquals(DeviceCode.OK.number(), send(connection, "from inside"));
        await(() -> !program.isAlive());

        assertEquals("""
            5 77 6 tea
            7 0 11 from inside
            6 79 0 handler=secret is not allowed
            6 80 0 node name=nowhere is unknown: live nodes=[bridge, shop]
            (5, 81, 0)
            """, Files.readString(output));
        await(() -> bridge.call(bridge.handler("bridge.connections"), 0, 0, 0, null, 0, 0).length() == 0);
        assertEquals(DeviceCode.NOT_FOUND,
            assertThrows(DeviceException.class, () -> send(connection, "too late")).code());
    }

    @Test
    void shouldEndConnectionsWithoutTheTokenOrWithoutFrames() throws IOException
    {
        final byte[] noFrame = ByteBuffer.allocate(4).putInt(0, 31).array();
        final byte[] tooLong = ByteBuffer.allocate(4).putInt(0, Integer.MAX_VALUE).array();
        final byte[] wrong = frame(BridgeFrame.HELLO, 0, 0, "", "simsalabim".getBytes(UTF_8));
        final byte[] noHello = frame(BridgeFrame.SEND, 0, 0, "note", new byte[1]);
        for (final byte[] bytes : List.of(noFrame, tooLong, wrong, noHello))
        {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port))
            {
                socket.getOutputStream().write(bytes);
                assertEquals(BridgeFrame.REFUSED, read(socket).kind);
                assertNull(read(socket));
            }
        }
        try (Socket socket = connect())
        {
            final byte[] names = frame(BridgeFrame.SEND, 0, 0, "note", new byte[1]);
            names[12] = 1;                              // The destination is 256 bytes longer than it is.
            socket.getOutputStream().write(names);
            final BridgeFrame refusal = read(socket);
            assertEquals("frame of length=41 is shorter than its names", new String(refusal.data, UTF_8));
            assertNull(read(socket));
        }
        assertEquals(List.of(), notes);
    }

    @Test
    void shouldHoldUpAProgramWhoseDestinationDoesNotPoll() throws Exception
    {
        final int count = 2_000;
        try (Socket socket = connect();
            Socket other = connect())
        {
            final Thread program = new Thread(() -> sendNotes(socket, count), "outside");
            program.start();
            other.getOutputStream().write(new BridgeFrame(BridgeFrame.REQUEST, 5, 0, new int[4], "device:bridge",
                "device.status", new byte[0]).bytes());
            assertEquals(5, read(other).id, "another connection goes on while the shop does not poll");
            await(() -> notes.size() == count);
            program.join();
        }

        for (int i = 0; i < count; i++)
        {
            assertTrue(notes.get(i).startsWith(i + " "), notes.get(i));
        }
    }

    private static void sendNotes(final Socket socket, final int count)
    {
        try
        {
            for (int i = 0; i < count; i++)
            {
                socket.getOutputStream().write(frame(BridgeFrame.SEND, i, i, "note", new byte[3_000]));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldSayThatAProgramDoesNotRead() throws IOException
    {
        try (Socket socket = connect())
        {
            final String lines = bridge.call(bridge.handler("bridge.connections"), 0, 0, 0, null, 0, 0).text();
            final int connection = Integer.parseInt(lines.substring(0, lines.indexOf(' ')));
            final String text = "x".repeat(50_000);
            final DeviceException full = assertThrows(DeviceException.class, () ->
            {
                for (int i = 0; i < 10_000; i++)
                {
                    send(connection, text);
                }
            });
            assertEquals(DeviceCode.NO_ROOM, full.code());
            assertEquals(BridgeFrame.MESSAGE, read(socket).kind);
        }
    }

    @Test
    void shouldListenElsewhereOnlyWithAToken()
    {
        runner.close();
        serve(Map.of("allow", "price", "bind", "0.0.0.0"));

        await(() -> runner.state() == DeviceInfo.State.FAILED);

        assertEquals("bind=0.0.0.0 is no address of loopback: it needs a token-file", runner.failure());
    }
}
