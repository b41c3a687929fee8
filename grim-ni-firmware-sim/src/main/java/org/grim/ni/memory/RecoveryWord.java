// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ni.board.HostEngine;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/** A word of the board's memory that takes one from host memory, by DMA. Thread: the board's stepper. */
final class RecoveryWord
{
    private final AtomicBuffer buffer;
    private final int index;

    RecoveryWord(final AtomicBuffer buffer, final int index)
    {
        this.buffer = buffer;
        this.index = index;
    }

    void read(final HostEngine engine, final long address)
    {
        engine.read(address, buffer, index, SIZE_OF_INT);
    }

    int value()
    {
        return buffer.getInt(index, BIG_ENDIAN);
    }
}
