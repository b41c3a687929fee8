// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

final class FrameDirectoryTest
{
    @Test
    void shouldHaveTheLayoutThatPeersRead()
    {
        assertArrayEquals(new int[] {0, 1, 2, 4, 8, 12, 16, 20, 24, 40, 44, 48, 56, 64, 16_384}, new int[] {
            FrameDirectory.STATE_OFFSET, FrameDirectory.FLAGS_OFFSET, FrameDirectory.STREAM_OFFSET,
            FrameDirectory.ATTEMPT_OFFSET, FrameDirectory.OWNER_OFFSET, FrameDirectory.INCARNATION_OFFSET,
            FrameDirectory.NEXT_ENDPOINT_OFFSET, FrameDirectory.NEXT_HANDLER_OFFSET, FrameDirectory.ARGUMENTS_OFFSET,
            FrameDirectory.USES_OFFSET, FrameDirectory.KERNEL_OFFSET, FrameDirectory.ITEMS_OFFSET,
            FrameDirectory.BYTES_OFFSET, FrameDirectory.ENTRY_LENGTH, FrameDirectory.LENGTH});
    }

    @Test
    void shouldBeginWithTheFirstSlot()
    {
        final FrameEntry entry = new FrameEntry(1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 10, 11, PageOperands.NONE);
        for (final int first : new int[] {ItemFormat.slot(0, 0), ItemFormat.slot(255, 255)})
        {
            final FrameDirectory directory =
                new FrameDirectory(new UnsafeBuffer(new byte[FrameDirectory.LENGTH]), first);
            assertEquals(first, directory.set(entry));
            assertEquals(ItemFormat.slot(ItemFormat.entry(first) + 1 & 255, ItemFormat.use(first)),
                directory.set(entry));
        }
    }

    @Test
    void shouldDistinguishTheUsesOfAnEntry()
    {
        final FrameDirectory directory = new FrameDirectory(new UnsafeBuffer(new byte[FrameDirectory.LENGTH]),
            ItemFormat.slot(0, 1));
        final FrameEntry entry = new FrameEntry(1, 2, 3, 4, FrameEntry.STOP, 5, 6, 7, 8, 9, 10, 11,
            PageOperands.NONE);
        final int first = directory.set(entry);
        for (int i = 1; i < ItemFormat.ENTRY_COUNT; i++)
        {
            assertEquals(i, directory.index(directory.set(entry)));
        }
        assertEquals(-1, directory.set(entry));

        directory.state(0, FrameDirectory.FREE);
        assertEquals(-1, directory.index(first));
        final int second = directory.set(entry);

        assertEquals(-1, directory.index(first));
        assertEquals(0, directory.index(second));
        assertEquals(5, directory.kernel(0));
        assertEquals(9, directory.nextConstant(0));
    }
}
