// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.concurrent.CompletableFuture;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.RemoteLink.AtomicOperation.FETCH_AND;
import static org.grim.RemoteLink.AtomicOperation.FETCH_OR;
import static org.grim.RemoteLink.AtomicOperation.FETCH_XOR;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Threads that change bits of one word at the same time. */
final class AtomicWordTest
{
    private static final int WORD_INDEX = 8;
    private static final int COUNT = 300_000;

    private final AtomicBuffer memory = Buffers.allocate(24);

    /** Each thread finds its own bit as it left it. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void shouldLoseNoBitOfAnotherThread(final int length)
    {
        final int last = length * Byte.SIZE - 1;
        final CompletableFuture<Void> other = CompletableFuture.runAsync(
            () -> change(length, 1L << last), task -> new Thread(task, "other").start());

        change(length, 1);
        other.join();

        assertEquals(0, memory.getLong(WORD_INDEX));
        assertEquals(0, memory.getLong(WORD_INDEX - 8));
        assertEquals(0, memory.getLong(WORD_INDEX + 8));
    }

    private void change(final int length, final long bit)
    {
        for (int i = 0; i < COUNT; i++)
        {
            assertEquals(0, execute(FETCH_OR, length, bit) & bit);
            assertEquals(bit, execute(FETCH_XOR, length, bit) & bit);
            assertEquals(0, execute(FETCH_XOR, length, bit) & bit);
            assertEquals(bit, execute(FETCH_AND, length, ~bit) & bit);
        }
    }

    private long execute(final AtomicOperation operation, final int length, final long operand)
    {
        return AtomicWord.execute(operation, memory, WORD_INDEX, length, operand, 0);
    }
}
