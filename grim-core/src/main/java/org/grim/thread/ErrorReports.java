// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of a node's errors that no caller sees. Each error is passed to the application's error handler; each cause
 * is logged once per origin. No call throws, also not when the application's error handler does, or when the heap is
 * full: the thread that reports goes on.
 * <p>Thread: any.
 * <p>Bounds: {@value #CAUSE_COUNT_MAX} causes are remembered; others are not logged.
 */
public final class ErrorReports implements ErrorHandler
{
    static final int CAUSE_COUNT_MAX = 256;

    private static final Logger LOGGER = LoggerFactory.getLogger("org.grim.Grim");
    private static final int CHAIN_LENGTH_MAX = 8;      // An exception may be its own cause.
    private static final String HANDLER = "the application's error handler";

    private final ErrorHandler application;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();
    private final AtomicLong unreportedCount = new AtomicLong();
    private volatile ErrorHandler record = error ->
    {
    };

    /** Reports to an application. */
    public ErrorReports(final ErrorHandler application)
    {
        this.application = application;
    }

    /**
     * Records each error where tools read it, too.
     *
     * @param newRecord error log of the node's counters.
     */
    public void recordIn(final ErrorHandler newRecord)
    {
        record = newRecord;
    }

    /** Reports an error of the library's own work on this thread. */
    @Override
    public void onError(final Throwable error)
    {
        report(error, "", () -> "an error in thread=" + Thread.currentThread().getName());
    }

    /**
     * Reports an error.
     *
     * @param error  that occurred.
     * @param origin of it: errors of the same cause and another origin are logged, too.
     * @param text   for the log, made when the error is logged.
     */
    public void report(final Throwable error, final Object origin, final Supplier<String> text)
    {
        logOnce(error, origin, text);
        pass(error, record, "the node's error log");
        pass(error, application, HANDLER);
    }

    private void pass(final Throwable error, final ErrorHandler handler, final String name)
    {
        try
        {
            handler.onError(error);
        }
        catch (final Throwable ex)          // Code of the application: the thread that reports must go on.
        {
            onFailure(ex, name);
        }
    }

    private void onFailure(final Throwable failure, final String name)
    {
        try
        {
            logOnce(failure, name, () -> name + " failed");
        }
        catch (final Throwable ex)          // Even the text's maker takes memory.
        {
            unreportedCount.incrementAndGet();
        }
    }

    private void logOnce(final Throwable error, final Object origin, final Supplier<String> text)
    {
        try
        {
            final String cause = origin + causeOf(error);
            if (causes.size() < CAUSE_COUNT_MAX && !causes.contains(cause))
            {
                final long unreported = unreportedCount.get();
                LOGGER.error("{}; it is logged once per cause{}", text.get(),
                    unreported == 0 ? "" : ", errors that could not be logged=" + unreported, error);
                unreportedCount.addAndGet(-unreported);
                causes.add(cause);
            }
        }
        catch (final Throwable ex)          // The heap is full, or the logger fails: the next line counts it.
        {
            unreportedCount.incrementAndGet();
        }
    }

    /** The classes and places of an error and its causes; not the texts, which may hold numbers. */
    private static String causeOf(final Throwable error)
    {
        final StringBuilder text = new StringBuilder();
        Throwable next = error;
        for (int i = 0; i < CHAIN_LENGTH_MAX && next != null; i++)
        {
            final StackTraceElement[] frames = next.getStackTrace();
            text.append(' ').append(next.getClass().getName()).append(frames.length == 0 ? "" : frames[0].toString());
            next = next.getCause();
        }
        return text.toString();
    }
}
