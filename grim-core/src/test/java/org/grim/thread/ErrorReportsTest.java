// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.util.ArrayList;
import java.util.List;

import org.grim.Logged;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ErrorReportsTest
{
    private final List<Throwable> passed = new ArrayList<>();

    @Test
    void shouldLogEachCauseOncePerOriginAndPassOnEachError()
    {
        final ErrorReports reports = new ErrorReports(passed::add);

        final String log = Logged.by(() ->
        {
            for (int i = 0; i < 5; i++)
            {
                final Throwable error = failure(i);
                reports.report(error, "one", () -> "handler=one failed");
                reports.report(error, "other", () -> "handler=other failed");
            }
        });

        assertEquals(1, Logged.count(log, "handler=one failed"), log);
        assertEquals(1, Logged.count(log, "handler=other failed"), log);
        assertEquals(10, passed.size());
    }

    @Test
    void shouldTellCausesApartThatTheSameExceptionWraps()
    {
        final ErrorReports reports = new ErrorReports(passed::add);

        final String log = Logged.by(() ->
        {
            reports.onError(wrapped(failure(0)));
            reports.onError(wrapped(new IllegalArgumentException("another cause")));
        });

        assertEquals(2, Logged.count(log, "an error in thread="), log);
    }

    @Test
    void shouldNotThrowWhenTheErrorHandlerDoesAndLogThatOnce()
    {
        final ErrorReports reports = new ErrorReports(ex ->
        {
            throw new IllegalStateException("of the error handler");
        });

        final String log = Logged.by(() ->
        {
            for (int i = 0; i < 3; i++)
            {
                reports.onError(failure(i));
            }
        });

        assertEquals(1, Logged.count(log, "the application's error handler failed"), log);
        assertTrue(log.contains("text 0"), log);
    }

    @Test
    void shouldNotThrowWhenTheTextCannotBeMadeAndSaySoLater()
    {
        final ErrorReports reports = new ErrorReports(passed::add);

        final String log = Logged.by(() ->
        {
            reports.report(failure(0), "one", () ->
            {
                throw new OutOfMemoryError("for a moment");
            });
            reports.report(failure(1), "one", () -> "handler=one failed");
        });

        assertTrue(log.contains("handler=one failed") && log.contains("could not be logged=1"), log);
        assertEquals(2, passed.size());
    }

    private static Throwable failure(final int number)
    {
        return new IllegalStateException("text " + number);
    }

    private static Throwable wrapped(final Throwable cause)
    {
        return new IllegalStateException(cause);
    }
}
