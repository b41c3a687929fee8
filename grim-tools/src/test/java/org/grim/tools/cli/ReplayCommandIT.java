// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.device.DeviceRunner;
import org.grim.device.accelerator.PageOperands;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A device records its items, and the command {@code replay} feeds them to kernels; all is in this process. */
@Tag("process")
@Timeout(300)
final class ReplayCommandIT extends CommandRun
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int COUNT = 50;
    private static final int ADD = 2;
    private static final int NOT = 1;

    @TempDir
    private Path directory;
    private final CRC32C sums = new CRC32C();

    private GrimConfig config(final String name)
    {
        return GrimConfig.builder().directory(directory.resolve("clusters")).nodeName(name).transports("shmem")
            .set("grim.channels.count", 6).build();
    }

    @Test
    void shouldFeedRecordedItemsToKernels() throws Exception
    {
        final Path file = directory.resolve("items.pcap");
        record(file);

        assertEquals(0, execute("replay", file.toString()), error::toString);
        final String crc = String.format(Locale.ROOT, "%08x", sums.getValue());
        assertTrue(output.toString().matches("(?s)kernel +items .*\nalu +51 +1 +203 +200 +[0-9a-f]{8} .*\n" +
            "alu-bytes +50 +0 +200 +200 +" + crc + " .*\nalu failed first: .*length=3 is no multiple of 4\n" +
            "alu: left out, as operands were in pages: 1\nitems in the record: 102, missing in it: 0\n"),
            () -> crc + "\n" + output);

        output.getBuffer().setLength(0);
        assertEquals(0, execute("replay", file.toString(), "--kernel", "alu-bytes", "--with", "alu", "--items"),
            error::toString);
        assertTrue(output.toString().startsWith("item 1 sequence 1 alu: 4 bytes to 4, CRC-32C "), output::toString);
        assertTrue(output.toString().contains("\nalu         50  ") || output.toString().contains("\nalu "),
            output::toString);
        assertRefused(1, "kernel=nowhere is not built in", "replay", file.toString(), "--with", "nowhere");
        assertRefused(1, "cannot read images of " + directory.resolve("none"), "replay", file.toString(), "--images",
            directory.resolve("none").toString());

        final byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        output.getBuffer().setLength(0);
        assertRefused(1, "ends within item 101", "replay", file.toString());
        assertTrue(output.toString().contains("items in the record: 101, "), output::toString);
        Files.write(file, new byte[100]);
        assertRefused(1, "is no pcap file", "replay", file.toString());
        Files.write(file, manyKernels(whole));
        assertRefused(1, "names more than 1024 kernels", "replay", file.toString());
        assertRefused(1, "cannot read record", "replay", directory.resolve("none").toString());
    }

    /** The record's header, and items of other kernels each, with operands in pages: none has to be there. */
    private static byte[] manyKernels(final byte[] record)
    {
        final int headerLength = 24;
        final int itemLength = 28;
        final byte[] name = new byte[4];
        final ByteBuffer bytes = ByteBuffer.allocate(headerLength + 2_000 * (16 + itemLength));
        bytes.put(record, 0, headerLength);
        for (int i = 0; i < 2_000; i++)
        {
            for (int j = 0; j < name.length; j++)
            {
                name[j] = (byte)('a' + ((i >> (4 * j)) & 15));
            }
            bytes.putLong(0).putInt(itemLength).putInt(itemLength);
            bytes.put((byte)1).put((byte)name.length).putShort((short)0).putInt(i).putInt(0).putInt(-1).putInt(i)
                .putInt(0).put(name);
        }
        return bytes.array();
    }

    /** Two stages on one device, so that items are recycled; then an item that fails, and one with a page. */
    private void record(final Path file) throws Exception
    {
        try (Grim device = Grim.enable(config("gpu")); Grim owner = Grim.enable(config("owner")))
        {
            device.startPolling();
            owner.startPolling();
            try (DeviceRunner runner = DeviceRunner.open(device,
                DeviceSpec.of(NodeInfo.Device.ACCELERATOR).onChannels(DeviceSpec.ANY_CHANNEL, 3),
                Map.of("record", file.toString())); Streams streams = Streams.open(owner))
            {
                runner.start();
                device.start();
                owner.start();
                streams.onItems("line", (sequence, buffer, offset, length) ->
                {
                    final byte[] result = new byte[length];
                    buffer.getBytes(offset, result);
                    sums.update(result);
                });
                streams.onItems("other", (sequence, buffer, offset, length) -> assertEquals(4, length));
                final long startNs = System.nanoTime();
                while (runner.state() != DeviceInfo.State.UP)
                {
                    assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), "the device is not up");
                    streams.idleStrategy().idle(streams.poll());
                }
                final Stage add = Stage.of(runner.device().id(), "alu").operation(ADD);
                final Connection line = streams.open(ConnectionSpec.of("line", streams.id(), add.constant(3),
                    Stage.of(runner.device().id(), "alu-bytes").operation(NOT)), PATIENCE);
                for (int i = 0; i < COUNT; i++)
                {
                    inject(streams, line, 4, i);
                }
                inject(streams, line, 3, 0);
                line.close();
                assertEquals(COUNT, line.accounts().delivered());
                final Connection paged = streams.open(ConnectionSpec.of("other", streams.id(),
                    add.pages(PageOperands.NONE.readB(0, 0))), PATIENCE);
                inject(streams, paged, 4, 1);
                paged.close();
                assertEquals(1, paged.accounts().delivered());
            }
        }
    }

    private static void inject(
        final Streams streams, final Connection connection, final int length, final int value)
    {
        final UnsafeBuffer item = new UnsafeBuffer(new byte[Integer.BYTES]);
        item.putInt(0, value);
        while (connection.inject(item, 0, length) == SendStatus.BACK_PRESSURED)
        {
            streams.idleStrategy().idle(streams.poll());
        }
    }
}
