// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.TranslationDescriptor;
import org.grim.wire.BigEndian;

import static org.grim.board.ContextRegisters.ANSWER_ID;
import static org.grim.board.ContextRegisters.PAGES;

/**
 * The host's side of translation misses, for one context: reads the request that the board has brought, asks the page
 * table, and answers in SRAM.
 * <p>Thread: one per context; polls. Never allocates after construction.
 */
public final class TranslationResponder
{
    private final ContextRegisters registers;
    private final AtomicBuffer region;
    private final PageTable pages;
    private final int requestIndex;
    private int answeredId;

    /**
     * Takes up where an earlier responder of the context ended, and enables requests.
     *
     * @param registers      of the context.
     * @param region         of the context.
     * @param requestAddress physical, of the bytes in the region that take requests, a multiple of 8.
     * @param pages          that translates.
     */
    public TranslationResponder(
        final ContextRegisters registers, final AtomicBuffer region, final long requestAddress, final PageTable pages)
    {
        this.registers = registers;
        this.region = region;
        this.pages = pages;
        requestIndex =
            PhysicalAddress.index("request", requestAddress, region, TranslationDescriptor.REQUEST_LENGTH);
        answeredId = registers.getAcquire(ANSWER_ID);
        registers.enable(requestAddress, region.capacity());
    }

    /** Answers a request if there is a new one. Returns the number of requests answered, 0 or 1. */
    public int poll()
    {
        // Partner: the board writes the id last. A request that changes after this has another id, and the board takes
        // no answer to this one any more.
        final int id = BigEndian.getIntAcquire(region, requestIndex + TranslationDescriptor.REQUEST_ID_OFFSET);
        if (id == 0 || id == answeredId)
        {
            return 0;
        }
        final long virtualPage =
            BigEndian.getLong(region, requestIndex + TranslationDescriptor.REQUEST_VIRTUAL_OFFSET);
        final int count = BigEndian.getInt(region, requestIndex + TranslationDescriptor.REQUEST_COUNT_OFFSET);
        registers.answerRelease(id, translate(virtualPage, count) ? count : 0);
        answeredId = id;
        return 1;
    }

    private boolean translate(final long virtualPage, final int count)
    {
        if (count < 1 || count > TranslationDescriptor.PAGE_COUNT_MAX)
        {
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            final long physical = pages.physicalPage(virtualPage + (long)i * TranslationDescriptor.PAGE_LENGTH);
            if (physical == PageTable.NONE)
            {
                return false;
            }
            registers.put(PAGES, i, physical);
        }
        return true;
    }
}
