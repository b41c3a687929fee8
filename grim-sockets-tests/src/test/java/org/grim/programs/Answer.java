// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Answers of the HTTP servers: a POST with its body when that is there (the JDK's client reads an answer when it has
 * sent all); a GET with its path or, for one path, with a long body.
 */
public final class Answer
{
    public static final String LONG_PATH = "/long";
    /** The answer to this GET comes when the server's shutdown hooks have run for a while. */
    public static final String SLOW_PATH = "/slow";
    /** The answer to this GET is the number of slow ones that have begun. */
    public static final String BEGUN_PATH = "/begun";
    public static final String SLOW_ANSWER = "slow";

    private static final int LONG_LENGTH = 4 << 20;
    private static final long SLOW_MS = 1_000;

    private Answer()
    {
    }

    /** To a GET. */
    public static byte[] to(final String path)
    {
        return switch (path)
        {
            case LONG_PATH -> bytes(LONG_LENGTH);
            case SLOW_PATH -> Shutdown.answerInIt().getBytes(UTF_8);
            case BEGUN_PATH -> Shutdown.BEGUN_COUNT.toString().getBytes(UTF_8);
            default -> ("hello " + path).getBytes(UTF_8);
        };
    }

    /** No two neighbouring blocks of it are the same. */
    public static byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i * 31 + (i >> 8) * 7 + (i >> 16));
        }
        return bytes;
    }

    /** Says where they differ. */
    public static void check(final byte[] expected, final byte[] actual)
    {
        final int index = Arrays.mismatch(expected, actual);
        if (index >= 0)
        {
            throw new IllegalStateException(
                actual.length + " bytes for " + expected.length + ", the first that differs is " + index);
        }
    }

    private static final class Shutdown
    {
        static final AtomicInteger BEGUN_COUNT = new AtomicInteger();

        private static final CountDownLatch HAS_BEGUN = new CountDownLatch(1);

        static
        {
            Runtime.getRuntime().addShutdownHook(new Thread(HAS_BEGUN::countDown, "shutdown-begins"));
        }

        private Shutdown()
        {
        }

        static String answerInIt()
        {
            BEGUN_COUNT.incrementAndGet();
            try
            {
                HAS_BEGUN.await();
                Thread.sleep(SLOW_MS);
            }
            catch (final InterruptedException ex)
            {
                throw new IllegalStateException("interrupted while a request is under way", ex);
            }
            return SLOW_ANSWER;
        }
    }
}
