// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Records of items: what is written is read, bounds hold, and files that are none are refused. */
final class ItemRecordingTest
{
    private static final long TIME_NS = 1_700_000_000_123_456_789L;
    private static final int DEVICE = 0x1234;
    private static final long ROOM = 1 << 20;
    private static final int NOT_A0 = ItemFormat.a0(0, 1, false);

    @TempDir
    private Path directory;

    private Path file()
    {
        return directory.resolve("items.pcap");
    }

    private static StreamItem item(final String kernel, final int sequence, final byte... payload)
    {
        final StreamItem item = new StreamItem();
        item.set(new KernelReference(kernel, HandlerId.of(300), null, 0), NOT_A0, sequence, 7,
            new UnsafeBuffer(payload), 0, payload.length);
        return item;
    }

    private List<String> read()
    {
        final List<String> items = new ArrayList<>();
        try (ItemRecording recording = new ItemRecording(file()))
        {
            for (RecordedItem item = recording.next(); item != null; item = recording.next())
            {
                final byte[] payload = new byte[item.length()];
                item.payload().getBytes(0, payload);
                items.add(item.number() + " " + item.kernel() + " " + item.sequence() + " " +
                    Arrays.toString(payload));
                assertEquals(TIME_NS, item.timeNs());
                assertEquals(DEVICE, item.device());
                assertEquals(NOT_A0, item.a0());
                assertEquals(7, item.constant());
            }
            assertNull(recording.next());
        }
        return items;
    }

    private void record(final long lengthMax, final long queuedLengthMax, final StreamItem... items) throws IOException
    {
        try (ItemRecorder recorder = new ItemRecorder(file(), DEVICE, lengthMax, queuedLengthMax))
        {
            for (final StreamItem item : items)
            {
                recorder.record(item, TIME_NS);
            }
        }
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        record(ROOM, ROOM, item("gray", 5, (byte)1, (byte)2), item("größe", -1), item("gray", 6, (byte)-1));

        assertEquals(List.of("0 gray 5 [1, 2]", "1 größe -1 []", "2 gray 6 [-1]"), read());
    }

    @Test
    void shouldBoundTheFileAndSaySo() throws IOException
    {
        try (ItemRecorder recorder = new ItemRecorder(file(), DEVICE, 140, ROOM))
        {
            for (int i = 0; i < 5; i++)
            {
                recorder.record(item("k", i, (byte)i), TIME_NS);
            }
            assertTrue(recorder.state().endsWith(": full, items 2 of 5, bytes 108"), recorder.state());
        }

        assertEquals(108, Files.size(file()));
        assertEquals(List.of("0 k 0 [0]", "1 k 1 [1]"), read());
    }

    @Test
    void shouldLeaveOutItemsThatFindNoRoomInTheQueue() throws IOException
    {
        record(ROOM, 60, item("k", 1, new byte[100]), item("k", 2, (byte)2));

        assertEquals(List.of("1 k 2 [2]"), read());
    }

    @Test
    void shouldRunItemsByKernelsAlone() throws IOException
    {
        record(ROOM, ROOM, item("alu", 1, new byte[] {1, 0, 0, 0}), item("alu", 2, new byte[3]));

        try (ItemRecording recording = new ItemRecording(file()); KernelReplay replay = new KernelReplay(null))
        {
            replay.load("alu");
            final KernelReplay.Outcome first = replay.run("alu", recording.next());
            assertEquals(4, first.length());
            assertEquals(~1, replay.result().getInt(0));
            final KernelReplay.Outcome second = replay.run("alu", recording.next());
            assertEquals(0, second.length());
            assertTrue(second.failure().contains("length=3 is no multiple of 4"), second.failure());
            assertThrows(IllegalArgumentException.class, () -> replay.load("nowhere"));
        }
    }

    @Test
    void shouldRefuseAFileThatEndsWithinAnItem() throws IOException
    {
        record(ROOM, ROOM, item("k", 1, (byte)1), item("k", 2, (byte)2));
        final byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length < whole.length; length++)
        {
            Files.write(file(), Arrays.copyOf(whole, length));
            if (length == 24 || length == 24 + (whole.length - 24) / 2)
            {
                assertEquals(length == 24 ? 0 : 1, read().size());      // Between two items.
            }
            else
            {
                final GrimException refusal = assertThrows(GrimException.class, this::read);
                assertEquals(GrimException.Reason.BAD_DATA, refusal.reason());
                assertTrue(refusal.getMessage().contains(length < 24 ? "is no pcap file" : "ends within item " +
                    (length < 24 + (whole.length - 24) / 2 ? 0 : 1)), refusal.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseForeignBytesWithoutTakingMemoryForThem() throws IOException
    {
        record(ROOM, ROOM, item("k", 1, (byte)1));
        final byte[] good = Files.readAllBytes(file());
        assertRefused(good, 23, (byte)147, "link type=147, expected 148");
        assertRefused(good, 0, (byte)0, "is no pcap file");
        assertRefused(good, 5, (byte)3, "pcap version=3");
        assertRefused(good, 32, (byte)0x3F, "has a wrong item 0: length=1056964634");
        assertRefused(good, 40, (byte)2, "version=2");
        assertRefused(good, 41, (byte)200, "name of length=200");
        assertRefused(good, 64, (byte)0x1B, "has a wrong item 0: its kernel's name has a control character");
        final Random random = new Random(38);
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] bytes = good.clone();
            for (int j = 0; j < 3; j++)
            {
                bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            }
            Files.write(file(), bytes);
            readAny();
        }
    }

    /** Reads to the end, or to a refusal. */
    private void readAny()
    {
        try (ItemRecording recording = new ItemRecording(file()))
        {
            for (RecordedItem item = recording.next(); item != null; item = recording.next())
            {
                assertTrue(item.length() <= 1, () -> "more than was written");
            }
        }
        catch (final GrimException ex)
        {
            assertEquals(GrimException.Reason.BAD_DATA, ex.reason(), ex.getMessage());
        }
    }

    private void assertRefused(final byte[] good, final int index, final byte value, final String text)
        throws IOException
    {
        final byte[] bytes = good.clone();
        bytes[index] = value;
        Files.write(file(), bytes);
        final GrimException refusal = assertThrows(GrimException.class, this::read);
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }
}
