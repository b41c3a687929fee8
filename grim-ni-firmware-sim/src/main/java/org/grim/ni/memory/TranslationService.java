// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.TranslationDescriptor;
import org.grim.buffer.Buffers;
import org.grim.ni.board.InterruptLine;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.grim.board.ContextRegisters.ANSWER_ID;
import static org.grim.board.ContextRegisters.PAGES;
import static org.grim.board.ContextRegisters.PAGE_COUNT;
import static org.grim.board.ContextRegisters.REQUEST_ADDRESS;

/**
 * Asks hosts for translations that the cache misses: one request at a time for the whole board, on behalf of one
 * message. Its pages stay pinned until that message has been executed or a time limit has passed; only then may another
 * message ask. So of two messages whose pages evict each other, one is always executed next.
 * <p>A message that is refused for lack of a translation is recognised by {@link #isDenied} when it comes again. A host
 * that never answers, or a message that never comes again, costs the others the time limit.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class TranslationService
{
    private enum State
    {
        /** Any message may ask. */
        IDLE,
        /** The request is being written to host memory. */
        WRITING,
        /** The host has it, and an interrupt. */
        ASKED,
        /** The pages are pinned for the message that asked. */
        HELD,
        /** The message that asked must be refused. */
        DENIED
    }

    /** Epoch in the upper bits of a request's id, so that an answer to an earlier firmware's request is not taken. */
    private static final int EPOCH_SHIFT = 20;
    private static final long NO_ADDRESS = -1;
    private static final int COUNTER_MASK = (1 << EPOCH_SHIFT) - 1;

    private final HostAccess host;
    private final TranslationCache cache;
    private final InterruptLine interruptLine;
    private final ContextRegisters[] contexts;
    private final AtomicBuffer request = Buffers.allocate(Buffers.CACHE_LINE_LENGTH);
    private final long[] pages = new long[TranslationDescriptor.PAGE_COUNT_MAX];
    private final RemoteOperation asker = new RemoteOperation();
    private final int epochBits;
    private final long limitNs;
    private State state = State.IDLE;
    private long deadlineNs;
    private int requestCounter;
    private int requestId;
    private long firstPage;
    private int pageCount;
    private long requestCount;
    private long badAnswerCount;
    private long timeoutCount;
    private long deniedCount;

    /**
     * A service that has asked for nothing.
     *
     * @param sram          of the board, with its epoch.
     * @param geometry      of it.
     * @param host          that is asked.
     * @param cache         that takes the answers.
     * @param interruptLine to raise.
     * @param limitNs       how long an answer may take, and how long its pages stay pinned.
     */
    public TranslationService(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final TranslationCache cache,
        final InterruptLine interruptLine, final long limitNs)
    {
        this.host = host;
        this.cache = cache;
        this.interruptLine = interruptLine;
        this.limitNs = limitNs;
        epochBits = BoardDescriptor.epoch(sram) << EPOCH_SHIFT;
        contexts = new ContextRegisters[geometry.contextCount()];
        for (int i = 0; i < contexts.length; i++)
        {
            contexts[i] = new ContextRegisters(sram, geometry, i);
        }
    }

    /** Goes on with what is under way. Returns 1 if something happened, otherwise 0. */
    public int poll(final long nowNs)
    {
        return switch (state)
        {
            case IDLE -> 0;
            case WRITING -> host.engine().isIdle() ? asked(nowNs) : 0;
            case ASKED -> answered(nowNs);
            case HELD, DENIED -> expire(nowNs, 0);
        };
    }

    /**
     * When {@link #poll} has something to do although no host has answered. Returns {@link Long#MAX_VALUE} if nothing
     * is under way.
     */
    public long nextDeadlineNs()
    {
        return state == State.IDLE || state == State.WRITING ? Long.MAX_VALUE : deadlineNs;
    }

    /** Requests that were brought to hosts. */
    public long requestCount()
    {
        return requestCount;
    }

    /** Answers that could not be true. */
    public long badAnswerCount()
    {
        return badAnswerCount;
    }

    /**
     * Requests to which the host said that the pages are not registered, or something that could not be true. Returns
     * the count.
     */
    public long deniedCount()
    {
        return deniedCount;
    }

    /** Requests that no host answered in time. */
    public long timeoutCount()
    {
        return timeoutCount;
    }

    /** {@return whether a request is being brought to a host; true while host memory may be written} */
    public boolean isWriting()
    {
        return state == State.WRITING;
    }

    /**
     * Forgets what a context has answered, and that one of its messages has asked: an answer that is still to come is
     * not taken.
     *
     * @param context whose host has gone, or frees memory; no request is being written, and no message executed.
     */
    public void forget(final int context)
    {
        if (state != State.IDLE && asker.context() == context)
        {
            transition(State.IDLE);
        }
        cache.forget(context);
    }

    /** Asks for the pages that a message needs, unless another message's turn is not over. */
    void ask(final RemoteOperation operation, final long newFirstPage, final int newPageCount)
    {
        final boolean isTurn = state == State.IDLE || (state == State.HELD && asker.isLike(operation));
        final long address = requestAddress(operation.context());
        if (!isTurn || address == NO_ADDRESS || host.engine().room() == 0)
        {
            return;
        }
        asker.copy(operation);
        firstPage = newFirstPage;
        pageCount = newPageCount;
        requestCounter = requestCounter % COUNTER_MASK + 1;
        requestId = epochBits | requestCounter;
        request.putLong(TranslationDescriptor.REQUEST_VIRTUAL_OFFSET, firstPage, BIG_ENDIAN);
        request.putInt(TranslationDescriptor.REQUEST_COUNT_OFFSET, pageCount, BIG_ENDIAN);
        // The record's buffer is free: no request is begun before the engine has brought the last one.
        host.engine().writeWithTail(
            address, request, 0, TranslationDescriptor.REQUEST_ID_OFFSET, requestId);
        requestCount++;
        transition(State.WRITING);
    }

    /** Whether a message has asked in vain, or its context answers no requests. */
    boolean isDenied(final RemoteOperation operation)
    {
        return requestAddress(operation.context()) == NO_ADDRESS ||
            (state == State.DENIED && asker.isLike(operation));
    }

    /** A message is over, executed or refused: if it had asked, others may. */
    void executed(final RemoteOperation operation)
    {
        if ((state == State.HELD || state == State.DENIED) && asker.isLike(operation))
        {
            transition(State.IDLE);
        }
    }

    private int asked(final long nowNs)
    {
        deadlineNs = nowNs + limitNs;
        transition(State.ASKED);
        interruptLine.raise(asker.context());
        return 1;
    }

    private int answered(final long nowNs)
    {
        // Partner: the host writes the id last.
        if (contexts[asker.context()].getAcquire(ANSWER_ID) != requestId)
        {
            return expire(nowNs, 1);
        }
        deadlineNs = nowNs + limitNs;
        final boolean isGood = takePages();
        deniedCount += isGood ? 0 : 1;
        transition(isGood ? State.HELD : State.DENIED);
        return 1;
    }

    private int expire(final long nowNs, final int timeouts)
    {
        if (deadlineNs - nowNs > 0)
        {
            return 0;
        }
        timeoutCount += timeouts;
        transition(State.IDLE);
        return 1;
    }

    private void transition(final State next)
    {
        if (next == State.IDLE)
        {
            cache.unpinAll();
        }
        state = next;
    }

    /** Takes the answer if all of it is valid. Returns false if the message must be refused. */
    private boolean takePages()
    {
        final int context = asker.context();
        final int count = contexts[context].get(PAGE_COUNT);
        if (count == 0)
        {
            return false;
        }
        if (count != pageCount)
        {
            badAnswerCount++;
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            pages[i] = contexts[context].get(PAGES, i);
            final long rights = pages[i] & TranslationDescriptor.RIGHTS_MASK;
            final long page = pages[i] - rights;
            if (rights == 0 || (page & (TranslationDescriptor.PAGE_LENGTH - 1)) != 0 ||
                !host.memory().isReachable(context, page, TranslationDescriptor.PAGE_LENGTH))
            {
                badAnswerCount++;
                return false;
            }
        }
        for (int i = 0; i < count; i++)
        {
            cache.fillPinned(context, firstPage + (long)i * TranslationDescriptor.PAGE_LENGTH, pages[i]);
        }
        return true;
    }

    /** Where a context takes requests; what its host wrote is checked each time. */
    private long requestAddress(final int context)
    {
        if (context >= contexts.length || !contexts[context].isEnabledAcquire())
        {
            return NO_ADDRESS;
        }
        final long address = contexts[context].get(REQUEST_ADDRESS);
        return address % Integer.BYTES == 0 &&
            host.memory().isReachable(context, address, TranslationDescriptor.REQUEST_LENGTH) ? address : NO_ADDRESS;
    }
}
