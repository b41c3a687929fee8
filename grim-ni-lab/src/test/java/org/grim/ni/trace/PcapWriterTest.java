// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PcapWriterTest
{
    private static final String FILE_HEADER =
        "a1b23c4d" + "00020004" + "00000000" + "00000000" + "00010008" + "00000093";
    private static final int FILE_HEADER_LENGTH = 24;
    private static final int RECORD_LENGTH = 24;             // both headers
    private static final int MESSAGE_LENGTH_MAX = 65_536;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void shouldWriteTheFileHeaderEvenWhenNothingIsRecorded()
    {
        new PcapWriter(bytes, "memory").close();

        assertEquals(FILE_HEADER, written());
    }

    @Test
    void shouldWriteEveryFieldOfARecord()
    {
        final AtomicBuffer message = Buffers.allocate(4 + ControlMessage.LENGTH);
        new ControlMessage().wrap(message, 4).put(MessageType.NACK, 5, 7, 1, 0x0120);

        try (PcapWriter writer = new PcapWriter(bytes, "memory"))
        {
            writer.packet(3_000_000_007L, PacketEvent.RESENT, 0xFFFE, 0x0102, message, 4, ControlMessage.LENGTH);
        }

        assertEquals(FILE_HEADER +
            "00000003" + "00000007" + "00000010" + "00000010" +
            "fffe" + "0102" + "02" + "01" + "0000" +
            "06360507" + "24010120", written());
    }

    @Test
    void shouldKeepTheCodesOfEvents()
    {
        assertEquals("[SENT, RESENT, LOST, REPEATED, CORRUPTED, TRUNCATED, DELIVERED, REORDERED, DELAYED]",
            Arrays.toString(PacketEvent.values()));
        assertArrayEquals(new int[]{1, 2, 3, 4, 5, 6, 7, 8, 9},
            Arrays.stream(PacketEvent.values()).mapToInt(PacketEvent::code).toArray());
    }

    @Test
    void shouldWriteTheLongestMessageWholeAndCutALongerOne()
    {
        final AtomicBuffer message = Buffers.allocate(MESSAGE_LENGTH_MAX + 1);
        message.putByte(MESSAGE_LENGTH_MAX - 1, (byte)0x5A);

        try (PcapWriter writer = new PcapWriter(bytes, "memory"))
        {
            writer.packet(0, PacketEvent.SENT, 1, 2, message, 0, MESSAGE_LENGTH_MAX);
            writer.packet(0, PacketEvent.SENT, 1, 2, message, 0, MESSAGE_LENGTH_MAX + 1);
            writer.packet(0, PacketEvent.SENT, 1, 2, message, 0, 0);
        }

        final ByteBuffer file = ByteBuffer.wrap(bytes.toByteArray());
        final int second = FILE_HEADER_LENGTH + RECORD_LENGTH + MESSAGE_LENGTH_MAX;
        final int third = second + RECORD_LENGTH + MESSAGE_LENGTH_MAX;
        assertEquals(third + RECORD_LENGTH, file.capacity());
        assertLengths(file, FILE_HEADER_LENGTH, MESSAGE_LENGTH_MAX + 8, MESSAGE_LENGTH_MAX + 8);
        assertLengths(file, second, MESSAGE_LENGTH_MAX + 8, MESSAGE_LENGTH_MAX + 9);
        assertLengths(file, third, 8, 8);
        assertEquals(0x5A, file.get(second - 1));
        assertEquals(0x5A, file.get(third - 1));
    }

    @Test
    void shouldShowInTheFileWhatWasFlushed(@TempDir final Path directory) throws IOException
    {
        final Path path = directory.resolve("flushed.pcap");
        final AtomicBuffer message = Buffers.allocate(8);

        try (PcapWriter writer = new PcapWriter(path))
        {
            writer.packet(1, PacketEvent.SENT, 1, 2, message, 0, 8);
            writer.flush();

            assertEquals(FILE_HEADER_LENGTH + RECORD_LENGTH + 8, Files.size(path));
        }
        assertEquals(FILE_HEADER_LENGTH + RECORD_LENGTH + 8, Files.size(path));
    }

    @Test
    void shouldRefuseNumbersThatDoNotFitAndWriteNothing()
    {
        final AtomicBuffer message = Buffers.allocate(8);

        try (PcapWriter writer = new PcapWriter(bytes, "memory"))
        {
            assertRefused(writer, "time=-1 ", -1, 1, 1, message);
            assertRefused(writer, "time=4294967296000000000 ", 4_294_967_296_000_000_000L, 1, 1, message);
            assertRefused(writer, "source NI=65536 ", 0, 65_536, 1, message);
            assertRefused(writer, "destination NI=-1 ", 0, 1, -1, message);
            assertThrows(IndexOutOfBoundsException.class,
                () -> writer.packet(0, PacketEvent.SENT, 1, 1, message, 1, 8));
            assertThrows(NullPointerException.class, () -> writer.packet(0, null, 1, 1, message, 0, 8));
        }

        assertEquals(FILE_HEADER, written());
    }

    @Test
    void shouldTakeTheLastTimeThatFits()
    {
        try (PcapWriter writer = new PcapWriter(bytes, "memory"))
        {
            writer.packet(4_294_967_295_999_999_999L, PacketEvent.SENT, 1, 2, Buffers.allocate(8), 0, 8);
        }

        assertTrue(written().startsWith("ffffffff" + "3b9ac9ff", FILE_HEADER.length()), written());
    }

    @Test
    void shouldNamePathAndCauseWhenTheFileCannotBeMade(@TempDir final Path directory)
    {
        final Path path = directory.resolve("missing").resolve("trace.pcap");

        final GrimException failure = assertThrows(GrimException.class, () -> new PcapWriter(path));

        assertTrue(failure.getMessage().contains(path.toString()), failure.getMessage());
        assertTrue(failure.getMessage().contains("NoSuchFileException"), failure.getMessage());
    }

    @Test
    void shouldNamePathAndCauseOnceWhenTheDiskIsFull()
    {
        final FullStream stream = new FullStream();
        final PcapWriter writer = new PcapWriter(stream, "/full/trace.pcap");

        final GrimException failure = assertThrows(GrimException.class, writer::flush);

        assertTrue(failure.getMessage().contains("write to trace /full/trace.pcap"), failure.getMessage());
        assertTrue(failure.getMessage().contains("No space left"), failure.getMessage());
        assertSame(stream.cause, failure.getCause());
        assertEquals("not even closed", failure.getSuppressed()[0].getMessage());
        assertThrows(IllegalStateException.class, writer::flush);
        writer.close();
        assertEquals(1, stream.closeCount);
    }

    @Test
    void shouldRefusePacketsAfterClose()
    {
        final PcapWriter writer = new PcapWriter(bytes, "memory");
        writer.close();

        final IllegalStateException refusal = assertThrows(IllegalStateException.class,
            () -> writer.packet(0, PacketEvent.SENT, 1, 2, Buffers.allocate(8), 0, 8));

        assertEquals("trace memory is closed", refusal.getMessage());
        assertEquals(FILE_HEADER, written());
    }

    @Test
    void shouldAllocateNothingPerPacket()
    {
        final AtomicBuffer message = Buffers.allocate(1_000);
        final PcapWriter writer = new PcapWriter(OutputStream.nullOutputStream(), "nowhere");

        final long least = Allocation.of(() -> record(writer, message, 20_000));

        writer.close();
        assertEquals(0, least);
    }

    private static void record(final PcapWriter writer, final AtomicBuffer message, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            writer.packet(i, PacketEvent.DELIVERED, 1, 2, message, 0, message.capacity());
        }
    }

    private static void assertRefused(
        final PcapWriter writer, final String reason, final long timeNs, final int sourceNi, final int destinationNi,
        final AtomicBuffer message)
    {
        final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
            () -> writer.packet(timeNs, PacketEvent.SENT, sourceNi, destinationNi, message, 0, 8));
        assertTrue(refusal.getMessage().startsWith(reason), refusal.getMessage());
    }

    private static void assertLengths(final ByteBuffer file, final int at, final int captured, final int original)
    {
        assertEquals(captured, file.getInt(at + 8));
        assertEquals(original, file.getInt(at + 12));
    }

    private String written()
    {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static final class FullStream extends OutputStream
    {
        private final IOException cause = new IOException("No space left on device");
        private int closeCount;

        @Override
        public void write(final int oneByte) throws IOException
        {
            throw cause;
        }

        @Override
        public void close() throws IOException
        {
            closeCount++;
            throw new IOException("not even closed");
        }
    }
}
