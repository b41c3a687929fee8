// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.grim.HostileInput;

/**
 * A file that was a good one before somebody overwrote it: words anywhere, the length, or everything.
 * <p>Thread: one.
 */
public final class HostileFile
{
    private final Path path;
    private final byte[] good;

    /** Writes to a path what was a good file's content. */
    public HostileFile(final Path path, final byte[] good)
    {
        this.path = path;
        this.good = good.clone();
    }

    /** Takes the content of a file that is a good one now. */
    public static HostileFile of(final Path path)
    {
        try
        {
            return new HostileFile(path, Files.readAllBytes(path));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Writes the file as the fuzzer says, in place: whoever has it mapped sees it. Only a mapped one keeps its length. */
    public void write(final HostileInput input, final boolean isMapped)
    {
        byte[] content = good.clone();
        final int way = input.nextBelow(8);
        if (way == 0 && !isMapped)
        {
            content = input.nextBytes(good.length);
        }
        else
        {
            if (way == 1 && !isMapped)
            {
                content = Arrays.copyOf(good, (int)Math.abs(input.nextPosition() % (good.length * 2L)));
            }
            input.scribble(Buffers.wrap(content));
        }
        try
        {
            Files.write(path, content);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
