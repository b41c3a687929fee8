// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import org.agrona.concurrent.AtomicBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ReservedMemoryTest
{
    private static final int LENGTH = 64 << 20;         // Given back to the system at once, not to a pool.

    @Test
    void shouldStayForAsLongAsAViewCanBeReached()
    {
        final ReservedMemory memory = new ReservedMemory(LENGTH);
        final AtomicBuffer view = Buffers.wrap(memory.address(), LENGTH);
        memory.keepFor(view);
        view.putLong(LENGTH - Long.BYTES, 42);

        memory.close();
        memory.close();
        System.gc();

        assertEquals(42, view.getLong(LENGTH - Long.BYTES));
    }
}
