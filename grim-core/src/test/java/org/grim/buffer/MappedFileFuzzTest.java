// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.HostileInput;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A file of any length and bytes is a segment of the kind that was asked for, or refused. */
final class MappedFileFuzzTest
{
    private static final long MAGIC = SegmentHeader.magic("GRIMDIRY");
    private static final int LENGTH = 256;
    private static final int LENGTH_MIN = 128;

    @TempDir
    private static Path directory;

    @FuzzTest
    void shouldMapOnlyWhatTheHeaderSays(final byte[] bytes)
    {
        final Path path = directory.resolve("file");
        final byte[] good = new byte[LENGTH];
        SegmentHeader.complete(Buffers.wrap(good), MAGIC);
        final HostileInput input = new HostileInput(bytes);
        final boolean isWritten = input.nextBelow(2) == 0;
        new HostileFile(path, good, 0, 8, 16).write(input, false);
        try (MappedFile file = MappedFile.open(path, MAGIC, LENGTH_MIN, isWritten))
        {
            assertTrue(file.buffer().capacity() >= LENGTH_MIN);
            assertEquals(MAGIC, file.buffer().getLong(0));
            assertEquals(SegmentHeader.LAYOUT_VERSION, file.buffer().getInt(8));
            assertEquals(file.buffer().capacity(), file.buffer().getLong(16));
        }
        catch (final GrimException ex)
        {
            assertTrue(ex.getMessage().contains(path.toString()), ex.getMessage());
        }
    }
}
