// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class BoardGeometryTest
{
    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);

    @Test
    void shouldLaySectionsOneAfterAnother()
    {
        final BoardGeometry geometry = BoardFixture.geometry();

        assertArrayEquals(new int[]{256, 384, 896, 1152, 1472, 1792, 1824, 1984, 3008, 5056},
            new int[]{geometry.doorbellOffset(), geometry.channelOffset(0), geometry.channelOffset(2),
                geometry.contextOffset(0), geometry.contextOffset(1), geometry.staticEntryOffset(0),
                geometry.staticEntryOffset(1), geometry.queueOffset(0), geometry.queueOffset(1),
                geometry.reservedOffset()});
    }

    @Test
    void shouldReadWhatWasWritten()
    {
        BoardFixture.geometry().write(sram);
        BoardDescriptor.epoch(sram, 0x8000_0001);
        final BoardGeometry read = BoardGeometry.read(sram);

        assertArrayEquals(new int[]{9, 7, BoardFixture.SRAM_LENGTH, 3, 1024, 2, 5, 192},
            new int[]{read.lanaiModel(), read.niNumber(), read.sramLength(), read.channelCount(), read.queueLength(),
                read.contextCount(), read.staticEntryCount(), read.reservedLength()});
        assertEquals(0x8000_0001, BoardDescriptor.epoch(sram));
        assertEquals('G', sram.getByte(0));
    }

    @ParameterizedTest
    @CsvSource({
        "5, 7, 131072, 3, 1024, 2, 5, 192, LANai model=5", "9, 4096, 131072, 3, 1024, 2, 5, 192, NI number=4096",
        "9, -1, 131072, 3, 1024, 2, 5, 192, NI number=-1", "9, 7, 65535, 3, 1024, 2, 5, 192, SRAM length=65535",
        "9, 7, 67108865, 3, 1024, 2, 5, 192, SRAM length=67108865", "9, 7, 131072, 0, 1024, 2, 5, 192, channels=0",
        "9, 7, 131072, 257, 1024, 2, 5, 192, channels=257", "9, 7, 131072, 3, 1020, 2, 5, 192, queue length=1020",
        "9, 7, 131072, 3, 1536, 2, 5, 192, queue length=1536 is not a power of two",
        "9, 7, 131072, 3, 1024, 0, 5, 192, contexts=0", "9, 7, 131072, 3, 1024, 257, 5, 192, contexts=257",
        "9, 7, 131072, 3, 1024, 2, -1, 192, static entries=-1",
        "9, 7, 131072, 3, 1024, 2, 2147483647, 192, static entries=2147483647",
        "9, 7, 131072, 3, 1024, 2, 5, 190, reserved length=190",
        "9, 7, 131072, 3, 1024, 2, 5, -64, reserved length=-64",
        "9, 7, 131072, 3, 65536, 2, 5, 192, reserved bytes need 198784"})
    void shouldNameTheSizeThatIsBad(
        final int model, final int ni, final int length, final int channels, final int queue, final int contexts,
        final int entries, final int reserved, final String text)
    {
        final IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
            () -> new BoardGeometry(model, ni, length, channels, queue, contexts, entries, reserved));

        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void shouldTakeExactlyWhatFits()
    {
        final int reserved = 65_536 - 384 - 256 - 320 - 1024;

        assertEquals(65_536 - reserved, new BoardGeometry(4, 0, 65_536, 1, 1024, 1, 0, reserved).reservedOffset());
        assertThrows(IllegalArgumentException.class,
            () -> new BoardGeometry(4, 0, 65_536, 1, 1024, 1, 0, reserved + 64));
    }

    @Test
    void shouldRefuseAMemoryWithoutAWholeGoodHeader()
    {
        BoardFixture.geometry().write(sram);

        assertRefused("length=255", Buffers.wrap(sram, 0, 255));
        assertRefused("truncated: length=1024 bytes, its header says 131072", Buffers.wrap(sram, 0, 1024));
        sram.putInt(BoardDescriptor.CHANNEL_COUNT_OFFSET, -1);
        assertRefused("channels=-1 is outside 1 to 256", sram);
        BoardFixture.geometry().write(sram);
        sram.putInt(BoardDescriptor.VERSION_OFFSET, 0);
        assertRefused("layout version=0, this GRIM reads version=4", sram);
        sram.putLong(BoardDescriptor.MAGIC_OFFSET, 0);
        assertRefused("magic=0x0", sram);
    }

    @Test
    void shouldRefuseAnIndexOutsideItsSection()
    {
        final BoardGeometry geometry = BoardFixture.geometry();

        assertThrows(IllegalArgumentException.class, () -> geometry.channelOffset(3));
        assertThrows(IllegalArgumentException.class, () -> geometry.queueOffset(-1));
        assertThrows(IllegalArgumentException.class, () -> geometry.contextOffset(2));
        assertThrows(IllegalArgumentException.class, () -> geometry.staticEntryOffset(5));
        final AtomicBuffer small = Buffers.allocate(1024);
        assertThrows(IllegalArgumentException.class, () -> geometry.write(small));
    }

    private static void assertRefused(final String text, final AtomicBuffer memory)
    {
        final GrimException e = assertThrows(GrimException.class, () -> BoardGeometry.read(memory));
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }
}
