// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;

import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;

/**
 * Hosts that free registered memory have the board forget its translations, and use the pages for something else only
 * when it has. A request is carried out between two operations, with no transfer under way: so nothing that was located
 * by a forgotten translation is written after the host was notified. Answers to questions from before are not taken any
 * more.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class ForgetRequests
{
    private final ContextRegisters[] contexts;
    private final int[] forgottenCounts;    // The registers are copies: others can write there.
    private final boolean[] isPending;
    private final TranslationService translations;
    private int pendingCount;
    private long servedCount;

    /** The translations are empty: what hosts asked an earlier firmware to forget is forgotten. */
    public ForgetRequests(
        final AtomicBuffer sram, final BoardGeometry geometry, final TranslationService translations)
    {
        this.translations = translations;
        contexts = new ContextRegisters[geometry.contextCount()];
        Arrays.setAll(contexts, context -> new ContextRegisters(sram, geometry, context));
        forgottenCounts = new int[contexts.length];
        isPending = new boolean[contexts.length];
        for (int context = 0; context < contexts.length; context++)
        {
            forgottenCounts[context] = contexts[context].getAcquire(FORGET_COUNT);
            contexts[context].putRelease(FORGOTTEN_COUNT, forgottenCounts[context]);
        }
    }

    /**
     * A context may have asked.
     *
     * @param context any number.
     */
    public void look(final int context)
    {
        if (context >= 0 && context < contexts.length && !isPending[context] &&
            contexts[context].getAcquire(FORGET_COUNT) != forgottenCounts[context])
        {
            isPending[context] = true;
            pendingCount++;
        }
    }

    /** Each context may have asked. */
    public void lookAtAll()
    {
        for (int context = 0; context < contexts.length; context++)
        {
            look(context);
        }
    }

    /**
     * Carries out what was asked, unless something is under way.
     *
     * @param isServing whether an operation is being executed, or its transfers.
     * @return how many contexts were served.
     */
    public int poll(final boolean isServing)
    {
        if (pendingCount == 0 || isServing || translations.isWriting())
        {
            return 0;
        }
        final int count = pendingCount;
        for (int context = 0; context < contexts.length; context++)
        {
            if (isPending[context])
            {
                serve(context);
            }
        }
        return count;
    }

    /** The context is as new. */
    public void reset(final int context)
    {
        if (isPending[context])
        {
            isPending[context] = false;
            pendingCount--;
        }
        forgottenCounts[context] = 0;
    }

    /** Requests that were carried out. */
    public long servedCount()
    {
        return servedCount;
    }

    private void serve(final int context)
    {
        // Read before anything is forgotten: what is freed later is asked for by a higher count.
        final int count = contexts[context].getAcquire(FORGET_COUNT);
        translations.forget(context);
        isPending[context] = false;
        pendingCount--;
        forgottenCounts[context] = count;
        servedCount++;
        contexts[context].putRelease(FORGOTTEN_COUNT, count);
    }
}
