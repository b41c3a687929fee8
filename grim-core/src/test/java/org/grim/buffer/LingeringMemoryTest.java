// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.lang.ref.Reference;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class LingeringMemoryTest
{
    private static final int LENGTH = 1 << 20;
    private static final long TOO_LONG = 1L << 60;

    @TempDir
    private Path directory;

    @Test
    void shouldSayThatThisProcessHoldsTheSpaceWhileAViewKeepsItMapped()
    {
        final MappedFile file = MappedFile.create(directory.resolve("held"), LENGTH);
        final AtomicBuffer view = file.buffer();
        file.closeAndDelete();

        try
        {
            final GrimException full =
                assertThrows(GrimException.class, () -> MappedFile.create(directory.resolve("more"), TOO_LONG));

            assertEquals(NO_ROOM, full.reason());
            assertTrue(full.getMessage().contains("; this process itself holds "), full.getMessage());
            assertTrue(full.getMessage().contains(" bytes of files that it let go"), full.getMessage());
        }
        finally
        {
            Reference.reachabilityFence(view);
        }
    }

    @Test
    void shouldNameADirectoryThatIsMissing()
    {
        final Path gone = directory.resolve("gone");

        final GrimException missing =
            assertThrows(GrimException.class, () -> MappedFile.create(gone.resolve("file"), LENGTH));

        assertEquals("directory " + gone + " is missing", missing.getMessage());
    }
}
