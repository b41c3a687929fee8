// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

/** Sends long messages, numbered from 0, and then stays until its standard input ends. */
public final class LargeSenderMain
{
    private LargeSenderMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory, number of the sender, messages, whether they go in parts.
     */
    public static void main(final String[] arguments)
    {
        final int number = Integer.parseInt(arguments[1]);
        final int count = Integer.parseInt(arguments[2]);
        endWithInput();
        try (Grim grim = Grim.enable(LargeConfig.of(
            Path.of(arguments[0]), "sender-" + number, Boolean.parseBoolean(arguments[3])).build()))
        {
            final HandlerId take = grim.handlers().resolve(LargeConfig.TAKE);
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            final Random random = new Random(number);
            final AtomicBuffer buffer = Buffers.allocate(LargeConfig.LENGTH_MAX);
            final LargePayload payload = new LargePayload();
            for (int i = 0; i < count; i++)
            {
                final int length = LargeConfig.length(random, i);
                LargePayload.fill(buffer, length, number * 1_000_003L + i);
                final int checksum = payload.checksum(buffer, 0, length);
                final SendStatus status = grim.endpoint().link(grim.locate(LargeConfig.RECEIVER)).sendBlocking(take,
                    number, i, checksum, 0, buffer, 0, length, idle);
                if (status != SendStatus.SENT)
                {
                    throw new IllegalStateException("message=" + i + " status=" + status);
                }
            }
            while (!Thread.currentThread().isInterrupted())
            {
                idle.idle(grim.endpoint().poll());
            }
        }
    }

    static void endWithInput()
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (System.in.read() >= 0)
                {
                    Thread.onSpinWait();
                }
            }
            catch (final IOException ex)
            {
                throw new java.io.UncheckedIOException(ex);
            }
            finally
            {
                Runtime.getRuntime().halt(0);
            }
        }, "end");
        thread.setDaemon(true);
        thread.start();
    }
}
