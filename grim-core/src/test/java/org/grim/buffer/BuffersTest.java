// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests what copying in words writes, and what a thread sees of it that looks meanwhile. */
final class BuffersTest
{
    private static final int LENGTH_MAX = 40;
    private static final int COPY_COUNT = 200_000;

    private final AtomicBuffer source = Buffers.allocate(64);
    private final AtomicBuffer target = Buffers.allocate(64);
    private volatile boolean isDone;

    @Test
    void shouldCopyTheBytesAndNoOthers()
    {
        for (int length = 0; length <= LENGTH_MAX; length++)
        {
            for (int at = 0; at < Long.BYTES; at++)
            {
                assertCopied(at, length, false);
                assertCopied(at, length, true);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldShowAnAlignedIntAsItWasOrAsItWillBe(final boolean isByAddress) throws InterruptedException
    {
        final Thread writer = new Thread(() -> copyByTurns(isByAddress), "writer");
        writer.start();
        int otherCount = 0;
        while (!isDone)
        {
            final int seen = target.getIntVolatile(8);
            otherCount += seen == 0 || seen == -1 ? 0 : 1;
        }
        writer.join();
        assertEquals(0, otherCount);
    }

    private void copyByTurns(final boolean isByAddress)
    {
        for (int i = 0; i < COPY_COUNT; i++)
        {
            source.putIntVolatile(0, -(i & 1));
            copy(isByAddress, 8, Integer.BYTES);
        }
        isDone = true;
    }

    private void assertCopied(final int at, final int length, final boolean isByAddress)
    {
        target.setMemory(0, target.capacity(), (byte)-1);
        for (int i = 0; i < source.capacity(); i++)
        {
            source.putByte(i, (byte)(i + length));
        }

        copy(isByAddress, at, length);

        for (int i = 0; i < target.capacity(); i++)
        {
            final boolean isInside = i >= at && i < at + length;
            assertEquals(isInside ? (byte)(i - at + length) : -1, target.getByte(i), "at=" + at + " length=" + length);
        }
    }

    private void copy(final boolean isByAddress, final int at, final int length)
    {
        if (isByAddress)
        {
            Buffers.copyWords(target.addressOffset() + at, source, 0, length);
        }
        else
        {
            Buffers.copyWords(target, at, source, 0, length);
        }
    }
}
