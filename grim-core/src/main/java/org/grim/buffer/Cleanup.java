// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.agrona.LangUtil;

/** Steps that run although others fail: ends of links and files, and what a failure left open. Any thread; no state. */
public final class Cleanup
{
    private Cleanup()
    {
    }

    /**
     * Runs a step after a failure. An exception of the step does not replace the failure: it is suppressed in it.
     *
     * @param failure that the caller throws afterwards.
     * @param step    that gives back what was taken before it.
     */
    public static void after(final Throwable failure, final AutoCloseable step)
    {
        try
        {
            step.close();
        }
        catch (final Exception | Error ex)
        {
            suppress(failure, ex);
        }
    }

    /**
     * Ends all items of a list, also if some of them fail. The list may become shorter meanwhile.
     *
     * @param items to end; exceptions after the first one are suppressed in it.
     * @param end   of one item; its exception is thrown when all have ended.
     * @param <T>   type of the items.
     */
    public static <T> void all(final List<? extends T> items, final Consumer<? super T> end)
    {
        Throwable failure = null;
        for (final T item : new ArrayList<>(items))
        {
            try
            {
                end.accept(item);
            }
            catch (final RuntimeException | Error ex)
            {
                failure = suppress(failure, ex);
            }
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
    }

    /** The first failure; one error of the JVM may be thrown again and again. */
    private static Throwable suppress(final Throwable failure, final Throwable later)
    {
        if (failure == null)
        {
            return later;
        }
        if (failure != later)
        {
            failure.addSuppressed(later);
        }
        return failure;
    }
}
