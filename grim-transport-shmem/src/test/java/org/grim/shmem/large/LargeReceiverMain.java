// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.Grim;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Takes long messages and checks them. Prints a line when it is ready, and one when the expected number has come: how
 * many were wrong, its resident memory in KiB before the first and the most after any, and what it still holds.
 */
public final class LargeReceiverMain
{
    private static final int SENDER_COUNT_MAX = 16;

    private final PrintStream out =
        new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, UTF_8);
    private final LargePayload payload = new LargePayload();
    private final int[] next = new int[SENDER_COUNT_MAX];
    private final boolean isReported;
    private int count;
    private int badCount;
    private long residentMax;

    private LargeReceiverMain(final boolean isReported)
    {
        this.isReported = isReported;
    }

    /**
     * Runs.
     *
     * @param arguments directory, messages, whether to tell of each message.
     */
    public static void main(final String[] arguments)
    {
        LargeSenderMain.endWithInput();
        new LargeReceiverMain(Boolean.parseBoolean(arguments[2])).run(Path.of(arguments[0]),
            Integer.parseInt(arguments[1]));
    }

    private void run(final Path directory, final int expectedCount)
    {
        try (Grim grim = Grim.enable(LargeConfig.of(directory, LargeConfig.RECEIVER, false).build()))
        {
            grim.handlers().register(LargeConfig.TAKE, this::onMessage);
            grim.start();
            final long residentBefore = resident();
            out.println("ready");
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            while (count < expectedCount)
            {
                idle.idle(grim.endpoint().poll());
            }
            for (int i = 0; i < 1_000; i++)
            {
                grim.endpoint().poll();
            }
            final long[] held = {-1};
            grim.counters().forEach((value, id, label) -> held[0] =
                "reassembly-length".equals(label) ? value : held[0]);
            out.println(badCount + " " + residentBefore + " " + residentMax + " " + held[0]);
            while (!Thread.currentThread().isInterrupted())
            {
                idle.idle(grim.endpoint().poll());
            }
        }
    }

    private void onMessage(final ActiveMessage message)
    {
        final int sender = message.argument(0);
        final boolean isGood = message.argument(1) == next[sender] &&
            message.argument(2) == payload.checksum(message.buffer(), message.offset(), message.length());
        next[sender]++;
        badCount += isGood ? 0 : 1;
        count++;
        if (isReported)
        {
            out.println(isGood ? Integer.toString(message.argument(1)) : "bad");
        }
        if (count % 10 == 0)
        {
            residentMax = Math.max(residentMax, resident());
        }
    }

    private static long resident()
    {
        try
        {
            return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
        }
        catch (final IOException ex)
        {
            throw new java.io.UncheckedIOException(ex);
        }
    }
}
