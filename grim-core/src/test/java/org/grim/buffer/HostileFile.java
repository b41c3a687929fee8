// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.HostileInput;

/**
 * A file that was valid before it was overwritten: words anywhere, the length, or everything.
 * <p>Thread: one.
 */
public final class HostileFile
{
    private final Path path;
    private final byte[] good;
    private final int[] fields;

    /** Writes to a path what was a good file's content; most often, the words at the given places are overwritten. */
    public HostileFile(final Path path, final byte[] good, final int... fields)
    {
        this.path = path;
        this.good = good.clone();
        this.fields = fields.clone();
    }

    /** Takes the content of a file that is a good one now. */
    public static HostileFile of(final Path path, final int... fields)
    {
        try
        {
            return new HostileFile(path, Files.readAllBytes(path), fields);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Takes a cluster's directory: its counter, its keeper, its labels, the words of its nodes' records, the first
     * handler, and the requests that are used first: the number's, and the last two.
     */
    public static HostileFile ofDirectory(final Path path, final int nodeCount)
    {
        final int handlers = 256 + nodeCount * 512;
        final int requests = handlers + 256 * 1024;
        return of(path, Stream.of(IntStream.of(64, 68, 128, 136, 192, 200),
            places(256, 512, nodeCount, 0, 4, 16, 64, 72, 76, 128, 192, 256, 320, 384, 416), places(handlers, 4, 2, 0),
            places(requests, 62 * 512, 2, 0, 4, 256, 260, 264, 268),
            places(requests + 63 * 512, 512, 1, 0, 4, 256, 260, 264, 268)).flatMapToInt(Function.identity())
            .toArray());
    }

    /** Takes a counters file: the state, type, key and label of each counter, and the lengths of the first errors. */
    public static HostileFile ofCounters(final Path path)
    {
        final HostileFile file = of(path);
        final int count = Buffers.wrap(file.good).getInt(64);
        final int metaData = 128 + count * 128;
        final int errors = metaData + count * 512;
        return of(path, IntStream.concat(IntStream.of(64, errors, errors + 8),
            places(metaData, 512, count, 0, 4, 16, 128, 128, 128)).toArray());
    }

    private static IntStream places(final int first, final int stride, final int count, final int... offsets)
    {
        return IntStream.range(0, count * offsets.length)
            .map(i -> first + i / offsets.length * stride + offsets[i % offsets.length]);
    }

    /**
     * Writes the file as the fuzzer says, in place: a process that has it mapped sees it, and finds its length
     * unchanged.
     */
    public void write(final HostileInput input, final boolean isMapped)
    {
        byte[] content = good.clone();
        final int choice = input.nextBelow(8);
        if (choice == 0 && !isMapped)
        {
            content = input.nextBytes(good.length);
        }
        else
        {
            if (choice == 1 && !isMapped)
            {
                content = Arrays.copyOf(good, (int)Math.abs(input.nextPosition() % (good.length * 2L)));
            }
            input.scribble(Buffers.wrap(content), fields);
        }
        try (FileChannel channel =
            FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(content));        // Not truncated before: that would drop pages in use.
            channel.truncate(content.length);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
