// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TurnBlockTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldNotEndATurnBeforeMembersWithoutItHaveSeenIt()
    {
        final Path file = directory.resolve("turns");
        try (TurnBlock command = TurnBlock.create(file, 2); TurnBlock working = TurnBlock.open(file);
            TurnBlock idle = TurnBlock.open(file))
        {
            command.begin(TurnBlock.GRIM, 3, 1 << 20, 7);
            assertTrue(working.hasNext());
            assertEquals(3, working.what());
            assertEquals(1 << 20, working.length());
            assertEquals(7, working.count());
            working.done(TurnBlock.GRIM, 0, 123);
            assertFalse(working.hasNext());
            assertFalse(command.isDone(1));

            assertTrue(idle.hasNext());
            assertEquals(TurnBlock.GRIM, idle.side());
            idle.seen(TurnBlock.OPEN_MPI, 0);

            assertTrue(command.isDone(1));
            assertFalse(command.isDone(2));
            assertEquals(123, command.await(1, () -> { }, "none"));
            command.end();
            assertTrue(working.hasNext() && working.isEnd());
        }
    }
}
