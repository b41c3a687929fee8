// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

final class PullRegistersTest
{
    private static final int CHANNEL = 2;

    private final AtomicBuffer sram = Buffers.allocate(BoardFixture.SRAM_LENGTH);
    private final BoardGeometry geometry = BoardFixture.geometry();
    private final PullRegisters pulls = new PullRegisters(sram, geometry, CHANNEL);

    @Test
    void shouldKeepTwoPullsApart()
    {
        pulls.askRelease(-1, 0x0102_0304_0506_0708L, 0x8000_0000, 16);
        pulls.askRelease(0, 2, 3, 20);

        assertEquals(1, pulls.countAcquire());
        assertEquals(0x0102_0304_0506_0708L, pulls.source(-1));
        assertArrayEquals(new int[]{0x8000_0000, 16}, new int[]{pulls.position(-1), pulls.length(-1)});
        assertEquals(2, pulls.source(0));
        assertArrayEquals(new int[]{3, 20}, new int[]{pulls.position(0), pulls.length(0)});
        assertEquals(1, sram.getByte(geometry.channelOffset(CHANNEL) + ChannelDescriptor.PULL_SOURCE_OFFSET + 8),
            "big endian");
    }

    @Test
    void shouldKeepWhatTheFirmwareHasDone()
    {
        pulls.addRefused();
        pulls.addRefused();
        pulls.pulledRelease(7);

        assertEquals(2, pulls.refusedAcquire());
        assertEquals(7, pulls.pulledAcquire());
        assertEquals(0, pulls.countAcquire(), "the host's own");
    }
}
