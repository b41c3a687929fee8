// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * The pause of a measuring thread between two looks: none, or a yield on one core. Now and then it asks whether the
 * wait still makes sense, and it ends with an error what lasts too long.
 * <p>Thread: one. Allocates nothing.
 */
public final class BoundedSpin
{
    private static final int CHECK_MASK = (1 << 16) - 1;
    private static final int CHECK_MASK_YIELDING = (1 << 6) - 1;

    private final boolean isYielding;
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
     */
    public BoundedSpin(final boolean isYielding, final long timeoutMs, final String what, final Runnable check)
    {
        this.isYielding = isYielding;
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
        count++;
        if ((count & checkMask) == 0)
        {
            check();
        }
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
