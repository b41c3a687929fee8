// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A rogue: maps a file of another process and writes at random into it, mostly where the queues are. */
public final class ScribblerMain
{
    private ScribblerMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments file, seed, milliseconds.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[2]));
        try (FileChannel channel =
            FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
            final int head = Math.min(memory.capacity(), 16 * 1024);
            while (System.nanoTime() - deadlineNs < 0)
            {
                for (int i = 0; i < 64; i++)
                {
                    final int index = random.nextInt(random.nextBoolean() ? head : memory.capacity()) & ~7;
                    final long value = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextLong();
                    memory.putLong(index, random.nextInt(8) == 0 ? 0 : value);
                }
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
