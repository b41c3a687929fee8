// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteLink;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRunner;
import org.grim.device.storage.StorageClient.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The store on a thread of its own; its client is the test's thread. */
final class StorageTest
{
    private static final int LENGTH = 2_500_000;
    private static final String WINDOW = "65536";

    @TempDir
    private Path clusters;
    @TempDir
    private Path root;
    private Grim node;
    private DeviceRunner runner;
    private Grim clientNode;
    private DeviceClient device;
    private StorageClient client;

    @BeforeEach
    void open()
    {
        node = join("store");
        node.startPolling();
        clientNode = join("client");
        serve(Map.of("root", root.toString(), "window", WINDOW));
    }

    @AfterEach
    void close()
    {
        clientNode.close();
        runner.close();
        node.close();
    }

    private Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(clusters).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).set("grim.liveness.interval", "1ms")
            .set("grim.handlers.resolve-timeout", "60s").build());
    }

    private void serve(final Map<String, String> options)
    {
        runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.STORAGE), options);
        runner.start();
        device = new DeviceClient(clientNode, runner.device().id(), Duration.ofMinutes(2));
        client = new StorageClient(device);
        assertTrue(device.status().contains("state=up"));
    }

    private static UnsafeBuffer random(final int length)
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }

    private static DeviceCode refusal(final Executable call)
    {
        return assertThrows(DeviceException.class, call).code();
    }

    private Reply readRaw(final StoredFile file, final int length, final UnsafeBuffer request, final int requestLength)
    {
        return device.call(device.handler(StoreFormat.READ), file.number(), length, 0, request, 0, requestLength);
    }

    @Test
    void shouldKeepWhatIsWrittenByMessagesAndByRemoteMemory() throws IOException
    {
        final UnsafeBuffer bytes = random(LENGTH);
        final MemoryRegion memory = clientNode.endpoint().memory().register(LENGTH);
        for (final Mode last : List.of(Mode.CREATE, Mode.WINDOW))
        {
            final UnsafeBuffer read = new UnsafeBuffer(new byte[LENGTH + 1]);
            memory.buffer().setMemory(0, LENGTH, (byte)0);
            try (StoredFile file = client.open("file", Mode.READ, Mode.WRITE, Mode.CREATE, Mode.TRUNCATE, last))
            {
                assertEquals(0, file.length());
                file.write(0, bytes, 0, LENGTH);
                file.sync();
                assertEquals(LENGTH, file.read(0, read, 0, LENGTH + 1));
                assertEquals(LENGTH - 7, file.read(7, memory, 0, LENGTH));
            }

            assertArrayEquals(bytes.byteArray(), Files.readAllBytes(root.resolve("file")), last::name);
            assertEquals(bytes, new UnsafeBuffer(read, 0, LENGTH), last::name);
            assertEquals(new UnsafeBuffer(bytes, 7, LENGTH - 7), new UnsafeBuffer(memory.buffer(), 0, LENGTH - 7));
        }
        try (StoredFile file = client.open("file", Mode.READ))
        {
            assertEquals(LENGTH, file.length());
            assertEquals(DeviceCode.ERROR, refusal(() -> file.write(0, bytes, 0, 1)));
        }
    }

    @Test
    void shouldSetTheWordOfAReadWhenAllBytesAreThere() throws IOException
    {
        Files.write(root.resolve("file"), new byte[]{1, 2, 3, 4, 5, 6, 7, 8});
        final MemoryRegion memory = clientNode.endpoint().memory().register(64);
        final UnsafeBuffer request = new UnsafeBuffer(new byte[StoreFormat.READ_LENGTH_MAX]);
        memory.remote().slice(0, 32).writeTo(request, StoreFormat.REGION_OFFSET);
        memory.remote().slice(32, 4).writeTo(request, StoreFormat.WORD_OFFSET);
        request.putInt(StoreFormat.VALUE_OFFSET, 4711, StoreFormat.ORDER);
        try (StoredFile file = client.open("file", Mode.READ))
        {
            final Reply part = readRaw(file, 9, request, request.capacity());
            assertEquals(DeviceCode.END.number() + " 8 0",
                part.argument(0) + " " + part.argument(1) + " " + part.length());
            assertEquals(8, memory.buffer().getByte(7));
            assertEquals(0, memory.buffer().getInt(32), "not all bytes were there");
            final Reply all = readRaw(file, 8, request, request.capacity());
            assertEquals(DeviceCode.OK.number() + " 8 0", all.argument(0) + " " + all.argument(1) + " " + all.length());
            assertEquals(4711, memory.buffer().getInt(32));
        }
    }

    @Test
    void shouldRefuseRequestsThatAreWrong() throws IOException
    {
        Files.write(root.resolve("file"), new byte[100]);
        final MemoryRegion memory = clientNode.endpoint().memory().register(64);
        final UnsafeBuffer request = new UnsafeBuffer(new byte[StoreFormat.READ_LENGTH_MAX]);
        try (StoredFile file = client.open("file", Mode.READ))
        {
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 7)), "no offset");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 0, request, 8)), "no length");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1 << 30, request, 8)), "too long");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 20)), "half a region");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 32)), "no region");
            new RemoteRegion(node.endpoint().id(), 0, 64, MemoryRegion.Rights.READ_WRITE, false)
                .writeTo(request, StoreFormat.REGION_OFFSET);
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 32)), "another's region");
            memory.remote().writeTo(request, StoreFormat.REGION_OFFSET);
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 65, request, 32)), "short region");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 56)), "no region of a word");
            memory.remote().slice(2, 4).writeTo(request, StoreFormat.WORD_OFFSET);
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 56)), "no value");
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 60)), "misaligned word");
            request.putLong(0, -1, StoreFormat.ORDER);
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> readRaw(file, 1, request, 8)), "negative offset");
        }
        assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> client.open("file")));
        assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> client.open("file", Mode.READ, Mode.CREATE)));
        assertEquals(DeviceCode.NOT_FOUND, refusal(() -> client.open("absent", Mode.READ)));
        assertTrue(device.status().contains("state=up"));
    }

    @Test
    void shouldRefusePathsThatLeadOutAndLinks(@TempDir final Path outside) throws Exception
    {
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectory(root.resolve("directory"));
        Files.createSymbolicLink(root.resolve("link"), outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("directory").resolve("out"), outside);
        assertEquals(0, new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start().waitFor());

        for (final String path : List.of("", ".", "..", "../secret", "/etc/passwd", "directory/../directory", "a//b",
            "link", "directory/out/secret", "directory/out", "directory", "pipe", "directory/", "a\0b",
            "a/".repeat(100) + "b", outside.resolve("secret").toString()))
        {
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> client.open(path, Mode.READ)), path);
            assertEquals(DeviceCode.BAD_REQUEST, refusal(() ->
                client.open(path, Mode.WRITE, Mode.CREATE, Mode.TRUNCATE)), path);
        }
        assertEquals(DeviceCode.ERROR, refusal(() -> client.open("x".repeat(300), Mode.READ)));
        assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> client.list("directory/out")));
        assertEquals("secret", Files.readString(outside.resolve("secret")));
        assertEquals(List.of("d 0 directory"), client.list(""));
        assertEquals(List.of(), client.list("directory"));
    }

    @Test
    void shouldListPageByPage() throws IOException
    {
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++)
        {
            final String name = "a file whose name is not short %05d".formatted(i);
            Files.write(root.resolve(name), new byte[i % 3]);
            expected.add("f " + i % 3 + " " + name);
        }

        assertEquals(expected, client.list(""));
    }

    @Test
    void shouldSayHowMuchWasThereOfAFileThatShrinks() throws IOException
    {
        Files.write(root.resolve("file"), new byte[200_000]);
        final UnsafeBuffer read = new UnsafeBuffer(new byte[200_000]);
        try (StoredFile file = client.open("file", Mode.READ))
        {
            assertEquals(200_000, file.read(0, read, 0, 200_000));
            Files.write(root.resolve("file"), new byte[70_000]);
            assertEquals(70_000, file.read(0, read, 0, 200_000));
            assertEquals(0, file.read(100_000, read, 0, 1));
        }
    }

    @Test
    void shouldSayThatTheDiskIsFull(@TempDir final Path disk) throws Exception
    {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256k", "grim-store", disk.toString()) == 0,
            "only root can mount a small disk");
        try
        {
            runner.close();
            serve(Map.of("root", disk.toString()));
            final UnsafeBuffer bytes = random(1 << 20);
            for (final Mode last : List.of(Mode.CREATE, Mode.WINDOW))
            {
                try (StoredFile file = client.open("file", Mode.READ, Mode.WRITE, Mode.CREATE, Mode.TRUNCATE, last))
                {
                    final DeviceException full =
                        assertThrows(DeviceException.class, () -> file.write(0, bytes, 0, bytes.capacity()));
                    assertEquals(DeviceCode.NO_ROOM, full.code(), full.getMessage());
                    assertTrue(full.getMessage().contains("No space left"), full.getMessage());
                    final UnsafeBuffer read = new UnsafeBuffer(new byte[1_000]);
                    assertEquals(1_000, file.read(0, read, 0, 1_000), "the store goes on");
                }
            }
        }
        finally
        {
            runner.close();
            assertEquals(0, run("umount", "-l", disk.toString()));
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Test
    void shouldServeTheEndpointThatOpenedAFileOnly() throws IOException
    {
        Files.write(root.resolve("file"), new byte[10]);
        final UnsafeBuffer request = new UnsafeBuffer(new byte[8]);
        try (Grim otherNode = join("other");
            StoredFile file = client.open("file", Mode.READ))
        {
            final DeviceClient other =
                new DeviceClient(otherNode, runner.device().id(), Duration.ofMinutes(2));
            assertEquals(DeviceCode.NOT_FOUND, refusal(() ->
                other.call(other.handler(StoreFormat.READ), file.number(), 1, 0, request, 0, 8)));
            assertEquals(1, readRaw(file, 1, request, 8).length());
        }
    }

    @Test
    void shouldCloseTheFilesOfANodeThatIsGone() throws IOException
    {
        Files.write(root.resolve("file"), new byte[10]);
        try (Grim otherNode = join("other"))
        {
            final StorageClient other = new StorageClient(
                new DeviceClient(otherNode, runner.device().id(), Duration.ofMinutes(2)));
            IntStream.range(0, 256).forEach(i -> other.open("file", Mode.READ));
            assertEquals(DeviceCode.NO_ROOM, refusal(() -> client.open("file", Mode.READ)));
        }

        final long startNs = System.nanoTime();
        boolean isOpen = false;
        while (!isOpen)
        {
            assertTrue(System.nanoTime() - startNs < Duration.ofMinutes(2).toNanos());
            isOpen = tryOpen();
        }
    }

    private boolean tryOpen()
    {
        try (StoredFile file = client.open("file", Mode.READ))
        {
            return file.length() == 10;
        }
        catch (final DeviceException ex)
        {
            assertEquals(DeviceCode.NO_ROOM, ex.code());
            return false;
        }
    }

    @Test
    void shouldFreeTheWindowOfAFileThatIsClosed()
    {
        final UnsafeBuffer bytes = random(100);
        final List<RemoteRefusal> refusals = new ArrayList<>();
        clientNode.endpoint().memory().onRefused((destination, address, length, reason) -> refusals.add(reason));
        final StoredFile file = client.open("file", Mode.WRITE, Mode.CREATE, Mode.WINDOW);
        final RemoteRegion window = file.window();
        assertEquals(Integer.parseInt(WINDOW), window.length());
        assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> device.call(device.handler(StoreFormat.WRITE), file.number(),
            1, Integer.parseInt(WINDOW), new UnsafeBuffer(new byte[8]), 0, 8)), "beyond its end");
        file.close();

        final RemoteLink link = clientNode.endpoint().memory().link(runner.device().id());
        while (link.write(window, 0, bytes, 0, 100) == SendStatus.BACK_PRESSURED)
        {
            clientNode.endpoint().poll();
        }
        final long startNs = System.nanoTime();
        while (refusals.isEmpty() && System.nanoTime() - startNs < Duration.ofMinutes(1).toNanos())
        {
            clientNode.endpoint().poll();
        }

        assertEquals(List.of(RemoteRefusal.FREED), refusals);
    }

    @Test
    void shouldForgetFilesAtAReset() throws IOException
    {
        Files.write(root.resolve("file"), new byte[10]);
        final StoredFile file = client.open("file", Mode.READ);

        device.reset();

        assertEquals(DeviceCode.NOT_FOUND, refusal(file::close));
        client.open("file", Mode.READ).close();
    }

    @Test
    void shouldRefuseWritesToAStoreThatIsReadOnly() throws IOException
    {
        Files.write(root.resolve("file"), new byte[10]);
        runner.close();
        serve(Map.of("root", root.toString(), "read-only", "true"));

        assertEquals(DeviceCode.BAD_REQUEST, refusal(() -> client.open("file", Mode.READ, Mode.WRITE)));
        client.open("file", Mode.READ).close();
        assertFalse(Files.exists(root.resolve("new")));
        assertTrue(device.describe().contains("read-only=true"), device.describe());
    }

    @Test
    void shouldNotOpenWithoutARoot()
    {
        runner.close();
        runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.STORAGE), Map.of("root", root + "/absent"));

        runner.doWork();

        assertTrue(runner.failure().contains("absent"), runner.failure());
    }
}
