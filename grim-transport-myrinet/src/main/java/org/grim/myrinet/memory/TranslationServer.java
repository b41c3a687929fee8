// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.ErrorHandler;
import org.grim.GrimException;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.host.PageTable;
import org.grim.board.host.TranslationResponder;
import org.grim.myrinet.posix.Posix;
import org.grim.thread.WorkThread;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Answers the translation requests of one context: from a duty cycle, by {@link #poll()}, or on a thread of its own,
 * which sleeps at the interrupt word.
 * <p>Thread: {@link #poll()} by one, and by nobody else once {@link #start()} has been called; everything else by the
 * owner. The two sides meet in the page table, which orders them, and in the interrupt word.
 * <p>Owns: its thread. Neither the region nor the registers.
 */
public final class TranslationServer implements AutoCloseable, WorkThread.Work
{
    /** Longest sleep of the thread: bounds what a lost interrupt costs. */
    public static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long STOP_TIMEOUT_MS = 5_000;

    private final ContextRegisters registers;
    private final TranslationResponder responder;
    private final InterruptWord interrupt;
    private final ErrorHandler errorHandler;
    private final String threadName;
    private final AtomicLong answerCount = new AtomicLong();
    private volatile boolean isClosing;
    private int seenCount;
    private Thread thread;

    /**
     * Enables requests of the context.
     *
     * @param posix        that makes the thread sleep.
     * @param region       of the context.
     * @param context      of this process on the board.
     * @param registers    of the context.
     * @param pages        that answers come from.
     * @param errorHandler where errors of the thread go, which goes on; never throws.
     */
    public TranslationServer(
        final Posix posix, final DmaRegion region, final int context, final ContextRegisters registers,
        final PageTable pages, final ErrorHandler errorHandler)
    {
        this.registers = registers;
        this.errorHandler = errorHandler;
        interrupt = new InterruptWord(posix, region.buffer(), DmaLayout.INTERRUPT_OFFSET);
        threadName = "grim-translation-" + context;
        // Another value than the count: the first poll looks, interrupt or not.
        seenCount = interrupt.count() - 1;
        responder = new TranslationResponder(
            registers, region.buffer(), PhysicalAddress.of(context, DmaLayout.REQUEST_OFFSET), pages);
    }

    /**
     * Answers a request if an interrupt has been raised. Without one it costs a load. Returns the number of requests
     * answered, 0 or 1.
     */
    public int poll()
    {
        // Partner: the add in raise(), which follows the request. An interrupt that comes later shows in the next poll.
        final int count = interrupt.count();
        if (count == seenCount)
        {
            return 0;
        }
        seenCount = count;
        return answer();
    }

    /** Returns the interrupt word's value when {@link #poll()} last looked, in the machine's byte order. */
    public int seenCount()
    {
        return seenCount;
    }

    /**
     * Serves on a thread of its own from now on, a daemon.
     *
     * @throws IllegalStateException if it does already, or has been closed.
     */
    public void start()
    {
        if (thread != null || isClosing)
        {
            throw new IllegalStateException(threadName + " has been started or closed already");
        }
        thread = WorkThread.of(threadName, this, errorHandler);
        thread.start();
    }

    /** {@return interrupt line of the context, for the runner of the board's firmware in this process} */
    public InterruptWord interrupt()
    {
        return interrupt;
    }

    /** Requests answered so far. Returns the number; any thread may ask. */
    public long answerCount()
    {
        return answerCount.get();
    }

    /** {@return whether a thread serves} */
    public boolean isRunning()
    {
        return thread != null && thread.isAlive();
    }

    /**
     * Disables requests of the context and ends the thread, which takes no longer than an answer.
     *
     * @throws GrimException if the thread does not end in time.
     */
    @Override
    public void close()
    {
        registers.disable();
        if (!isClosing)
        {
            isClosing = true;
            interrupt.raise();
        }
        if (thread != null)
        {
            join();
        }
    }

    @Override
    public boolean isOver()
    {
        return isClosing;
    }

    @Override
    public void step()
    {
        if (poll() == 0 && !interrupt.await(seenCount, SLEEP_NS))
        {
            answer();
        }
    }

    private void join()
    {
        try
        {
            thread.join(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive())
        {
            throw new GrimException(TIMED_OUT,
                "thread " + threadName + " has not ended within " + STOP_TIMEOUT_MS + " ms");
        }
    }


    private int answer()
    {
        final int answered = responder.poll();
        if (answered > 0)
        {
            answerCount.lazySet(answerCount.get() + answered);
        }
        return answered;
    }
}
