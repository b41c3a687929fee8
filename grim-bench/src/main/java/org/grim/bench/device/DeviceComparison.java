// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.bench.groups.GroupRow;
import org.grim.device.DeviceClient;
import org.grim.device.storage.StorageClient;
import org.grim.device.storage.StoredFile;

/**
 * Devices beside what does the same without them: a request to a device beside one to a host endpoint, a store beside
 * {@link FileChannel}, a bridge beside a bare socket.
 * <p>Thread: one. Owns: the processes and all files.
 */
public final class DeviceComparison implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HOST = "host";
    private static final String OWN = "own";
    private static final String STORE = "store";
    private static final String BRIDGE = "bridge";
    private static final String HOST_ENDPOINT = "host endpoint";
    private static final String FILE_CHANNEL = "FileChannel";
    private static final int MESSAGE_LENGTH = 32;
    private static final int BLOCK_LENGTH = 1 << 16;
    private static final int BLOCK_COUNT = 16;
    private static final int FILE_LENGTH = BLOCK_COUNT * BLOCK_LENGTH;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Sides sides;
    private final UnsafeBuffer block = new UnsafeBuffer(new byte[BLOCK_LENGTH]);
    private long blockIndex;

    /**
     * Starts the processes.
     *
     * @param base directory for files; null for shared memory.
     * @throws IOException if a file cannot be made.
     */
    public DeviceComparison(final Path base) throws IOException
    {
        sides = new Sides(base);
        boolean isStarted = false;
        try
        {
            sides.grim.start();
            final Path root = Files.createDirectory(sides.path().resolve("root"));
            sides.start(HOST, NodeInfo.Device.OTHER, Map.of(), true);
            sides.start(OWN, NodeInfo.Device.OTHER, Map.of(), false);
            sides.start(STORE, NodeInfo.Device.STORAGE, Map.of("root", root.toString()), false);
            sides.start(BRIDGE, NodeInfo.Device.BRIDGE, Map.of("allow", DeviceSide.ECHO), false);
            sides.await();
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                CloseHelper.quietClose(this);
            }
        }
    }

    /**
     * Measures all pairs.
     *
     * @param rounds     that count.
     * @param durationNs of each operation in a round.
     * @return a row for each pair.
     * @throws IOException if a file or a connection fails.
     */
    public List<GroupRow> measure(final int rounds, final long durationNs) throws IOException
    {
        final DeviceClient host = client(sides.grim.locate(HOST));
        final DeviceClient inProcess = client(sides.device(HOST));
        final DeviceClient own = client(sides.device(OWN));
        final List<Turns.Pair> pairs = new ArrayList<>();
        pairs.add(new Turns.Pair("request, device in the process", MESSAGE_LENGTH, count -> ask(inProcess, count),
            HOST_ENDPOINT, count -> ask(host, count)));
        pairs.add(new Turns.Pair("request, device in its own", MESSAGE_LENGTH, count -> ask(own, count),
            HOST_ENDPOINT, count -> ask(host, count)));
        addStore(pairs);
        addBridge(pairs);
        return Turns.measure(pairs, rounds, durationNs);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(opened);
        sides.close();
    }

    private DeviceClient client(final EndpointId device)
    {
        return new DeviceClient(sides.grim, device, PATIENCE);
    }

    private void ask(final DeviceClient client, final int count)
    {
        final HandlerId echo = client.handler(DeviceSide.ECHO);
        for (int i = 0; i < count; i++)
        {
            client.call(echo, i, 0, 0, block, 0, MESSAGE_LENGTH);
        }
    }

    private void addStore(final List<Turns.Pair> pairs) throws IOException
    {
        final StoredFile stored = new StorageClient(client(sides.device(STORE))).open("stored",
            StorageClient.Mode.READ, StorageClient.Mode.WRITE, StorageClient.Mode.CREATE, StorageClient.Mode.WINDOW);
        opened.add(stored);
        final FileChannel file = FileChannel.open(sides.path().resolve("root/file"), StandardOpenOption.CREATE,
            StandardOpenOption.READ, StandardOpenOption.WRITE);
        opened.add(file);
        final ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK_LENGTH);
        final UnsafeBuffer whole = new UnsafeBuffer(new byte[FILE_LENGTH]);
        final MemoryRegion region = sides.grim.endpoint().memory().register(FILE_LENGTH, MemoryRegion.Rights.WRITE);
        opened.add(region);
        stored.write(0, whole, 0, FILE_LENGTH);
        writeAll(file, bytes);
        pairs.add(new Turns.Pair("store, write", BLOCK_LENGTH, repeated(() ->
            stored.write(next(), whole, 0, BLOCK_LENGTH)), FILE_CHANNEL, repeated(() -> write(file, bytes, next()))));
        pairs.add(new Turns.Pair("store, read", BLOCK_LENGTH, repeated(() ->
            stored.read(next(), region, 0, BLOCK_LENGTH)), FILE_CHANNEL, repeated(() -> read(file, bytes, next()))));
        pairs.add(new Turns.Pair("store, write in parts", FILE_LENGTH, repeated(() ->
            stored.write(0, whole, 0, FILE_LENGTH)), FILE_CHANNEL, repeated(() -> writeAll(file, bytes))));
        pairs.add(new Turns.Pair("store, read in parts", FILE_LENGTH, repeated(() ->
            stored.read(0, region, 0, FILE_LENGTH)), FILE_CHANNEL, repeated(() -> readAll(file, bytes))));
    }

    private static Turns.Operation repeated(final Runnable operation)
    {
        return count ->
        {
            for (int i = 0; i < count; i++)
            {
                operation.run();
            }
        };
    }

    private static void writeAll(final FileChannel file, final ByteBuffer bytes)
    {
        for (int i = 0; i < BLOCK_COUNT; i++)
        {
            write(file, bytes, i * (long)BLOCK_LENGTH);
        }
    }

    private static void readAll(final FileChannel file, final ByteBuffer bytes)
    {
        for (int i = 0; i < BLOCK_COUNT; i++)
        {
            read(file, bytes, i * (long)BLOCK_LENGTH);
        }
    }

    private long next()
    {
        blockIndex = (blockIndex + 1) % BLOCK_COUNT;
        return blockIndex * BLOCK_LENGTH;
    }

    private static void write(final FileChannel file, final ByteBuffer bytes, final long position)
    {
        try
        {
            requireWhole(file.write(bytes.clear(), position));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void read(final FileChannel file, final ByteBuffer bytes, final long position)
    {
        try
        {
            requireWhole(file.read(bytes.clear(), position));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void requireWhole(final int length) throws IOException
    {
        if (length != BLOCK_LENGTH)
        {
            throw new IOException("bytes=" + length + " of " + BLOCK_LENGTH);
        }
    }

    private void addBridge(final List<Turns.Pair> pairs) throws IOException
    {
        final Matcher port =
            Pattern.compile("\\bport\"?\\s*[=:]\\s*([0-9]+)").matcher(client(sides.device(BRIDGE)).describe());
        if (!port.find())
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, "the bridge says no port");
        }
        final BridgeSocket bridged = new BridgeSocket(Integer.parseInt(port.group(1)));
        opened.add(bridged);
        bridged.greet();
        final BridgeSocket bare = new BridgeSocket(
            Integer.parseInt(Files.readString(DeviceSide.portFile(sides.path(), HOST))));
        opened.add(bare);
        pairs.add(new Turns.Pair("bridge, request", MESSAGE_LENGTH, count ->
            bridged.request(HOST, MESSAGE_LENGTH, count), "bare socket", count ->
            bare.echo(HOST, MESSAGE_LENGTH, count)));
    }
}
