// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class WorkThreadTest
{
    private static final List<Throwable> FAILURES = List.of(
        new IllegalStateException("plain"), new OutOfMemoryError("full for a moment"), new StackOverflowError(),
        new NoClassDefFoundError("x/Y"), new InterruptedException());

    private final List<Throwable> errors = new ArrayList<>();

    @Test
    void shouldGoOnAfterAStepThatFailedAndReleaseAtTheEnd() throws Exception
    {
        final FailingWork work = new FailingWork(false);
        final Thread thread = WorkThread.of("worker", work, errors::add);

        thread.start();
        thread.join();

        assertTrue(thread.isDaemon());
        assertEquals(FAILURES, errors);
        assertEquals(0, work.released.getCount());
    }

    @Test
    void shouldReportWhenTheReleaseFails() throws Exception
    {
        final Thread thread = WorkThread.of("worker", new FailingWork(true), errors::add);

        thread.start();
        thread.join();

        assertEquals(FAILURES.size() + 1, errors.size());
    }

    @Test
    void shouldGoOnWhenTheErrorHandlerThrows() throws Exception
    {
        final FailingWork work = new FailingWork(false);
        final Thread thread = WorkThread.of("worker", work, new ErrorReports(ex ->
        {
            throw new IllegalStateException("of the error handler");
        }));

        thread.start();

        assertTrue(work.released.await(60, TimeUnit.SECONDS));
        thread.join();
        assertFalse(thread.isAlive());
    }

    /** As where the heap is full: a report takes memory, too. */
    @Test
    void shouldGoOnWhenAnErrorCannotBeReported() throws Exception
    {
        final FailingWork work = new FailingWork(true);
        final Thread thread = WorkThread.of("worker", work, ex ->
        {
            errors.add(ex);
            throw new OutOfMemoryError("full for a moment");
        });

        thread.start();
        thread.join();

        assertEquals(FAILURES.size() + 1, errors.size());
    }

    @Test
    void shouldGoOnWhenItCannotTellWhetherItIsOver() throws Exception
    {
        final OutOfMemoryError full = new OutOfMemoryError("full for a moment");
        final FailingWork work = new FailingWork(false);
        final AtomicInteger lookCount = new AtomicInteger();
        final Thread thread = WorkThread.of("worker", new WorkThread.Work()
        {
            @Override
            public boolean isOver()
            {
                if (lookCount.incrementAndGet() == 1)
                {
                    throw full;
                }
                return work.isOver();
            }

            @Override
            public void step() throws Exception
            {
                work.step();
            }
        }, errors::add);

        thread.start();
        thread.join();

        assertEquals(full, errors.get(0));
        assertEquals(FAILURES, errors.subList(1, errors.size()));
    }

    /** Fails in each kind once, then is over. */
    private static final class FailingWork implements WorkThread.Work
    {
        private final CountDownLatch released = new CountDownLatch(1);
        private final boolean failsToRelease;
        private int stepCount;

        FailingWork(final boolean failsToRelease)
        {
            this.failsToRelease = failsToRelease;
        }

        @Override
        public boolean isOver()
        {
            return stepCount == FAILURES.size();
        }

        @Override
        public void step() throws Exception
        {
            final Throwable failure = FAILURES.get(stepCount++);
            if (failure instanceof final Error error)
            {
                throw error;
            }
            throw (Exception)failure;
        }

        @Override
        public void release()
        {
            released.countDown();
            if (failsToRelease)
            {
                throw new OutOfMemoryError("still full");
            }
        }
    }
}
