// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * The pauses of a measuring thread between two looks, or a yield on one core: a line that is read without a pause
 * comes back late to its writer. Now and then it asks whether the wait still makes sense, and it ends with an error
 * what lasts too long.
 * <p>Thread: one. Allocates nothing.
 */
public final class BoundedSpin
{
    /** Environment variable with the pauses between two looks, 0 to 100. The processes of a run inherit it. */
    public static final String PAUSES_VARIABLE = "GRIM_BENCH_PAUSES";

    private static final int PAUSE_COUNT_DEFAULT = 2;
    private static final Pattern PAUSE_COUNT = Pattern.compile("100|[1-9]?[0-9]");
    private static final int CHECK_MASK = (1 << 16) - 1;
    private static final int CHECK_MASK_YIELDING = (1 << 6) - 1;

    private final boolean isYielding;
    private final int pauseCount;
    private final int checkMask;
    private final long timeoutNs;
    private final String what;
    private final Runnable check;
    private int count;
    private long startNs;
    private boolean isStarted;

    /**
     * Makes a spin.
     *
     * @param isYielding whether the thread that we wait for needs our core.
     * @param timeoutMs  longest wait between two calls of {@link #reset()}.
     * @param what       is waited for, for the error's text.
     * @param check      throws if the wait makes no sense any more.
     * @throws IllegalArgumentException if the environment's {@link #PAUSES_VARIABLE} is no number, or out of range.
     */
    public BoundedSpin(final boolean isYielding, final long timeoutMs, final String what, final Runnable check)
    {
        this.isYielding = isYielding;
        pauseCount = pauseCount(System.getenv(PAUSES_VARIABLE));
        this.what = what;
        this.check = check;
        checkMask = isYielding ? CHECK_MASK_YIELDING : CHECK_MASK;
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    /** Ends a wait: what was waited for has come. */
    public void reset()
    {
        count = 0;
        isStarted = false;
    }

    /**
     * Passes a moment.
     *
     * @throws GrimException if the wait lasts too long, or what the check throws.
     */
    @SuppressWarnings("ThreadPriorityCheck")        // One core: the other process runs only if we let it.
    public void spin()
    {
        if (isYielding)
        {
            Thread.yield();
        }
        else
        {
            for (int i = 0; i < pauseCount; i++)
            {
                Thread.onSpinWait();
            }
        }
        count++;
        if ((count & checkMask) == 0)
        {
            check();
        }
    }

    /** {@return the pauses between two looks; part of a sentence} */
    public String description()
    {
        return isYielding ? "a yield between two looks" : "pauses between two looks: " + pauseCount;
    }

    static int pauseCount(final String text)
    {
        if (text == null)
        {
            return PAUSE_COUNT_DEFAULT;
        }
        if (!PAUSE_COUNT.matcher(text).matches())
        {
            throw new IllegalArgumentException(PAUSES_VARIABLE + "=" + text + " is no number of 0 to 100");
        }
        return Integer.parseInt(text);
    }

    private void check()
    {
        check.run();
        final long nowNs = System.nanoTime();
        if (!isStarted)
        {
            isStarted = true;
            startNs = nowNs;
        }
        else if (nowNs - startNs > timeoutNs)
        {
            throw new GrimException(TIMED_OUT,
                what + " did not come: waited=" + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        }
    }
}
