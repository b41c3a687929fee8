// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.HostileInput;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** A directory of any bytes makes nobody store beside directory and arenas, nor fail. */
final class MemoryDirectoryFuzzTest
{
    private static final int STEP_COUNT_MAX = 200;

    @FuzzTest
    void shouldStoreOnlyIntoDirectoryAndArenas(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        final HostileMemory memory = new HostileMemory();
        for (int i = 0; i < STEP_COUNT_MAX && input.hasMore(); i++)
        {
            memory.step(input);
        }
        memory.finish();
    }
}
