// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over a context's descriptor: where it takes translation requests, and its answer to the last one. What the
 * firmware reads here was written by a host and is to be checked.
 * <p>Thread: the context's host writes, the firmware reads. Owns nothing.
 */
public final class ContextRegisters
{
    private final AtomicBuffer sram;
    private final int offset;

    /**
     * Looks at a descriptor.
     *
     * @param sram     of the board.
     * @param geometry of it.
     * @param context  index of the context.
     */
    public ContextRegisters(final AtomicBuffer sram, final BoardGeometry geometry, final int context)
    {
        this.sram = sram;
        offset = geometry.contextOffset(context);
    }

    /**
     * Says where requests go, and that they will be answered.
     *
     * @param requestAddress physical, of {@link TranslationDescriptor#REQUEST_LENGTH} bytes in the context's region.
     * @param regionLength   bytes of the region.
     */
    public void enable(final long requestAddress, final long regionLength)
    {
        BigEndian.putLong(sram, offset + TranslationDescriptor.REQUEST_ADDRESS_OFFSET, requestAddress);
        BigEndian.putLong(sram, offset + TranslationDescriptor.REGION_LENGTH_OFFSET, regionLength);
        BigEndian.putIntRelease(sram, offset + TranslationDescriptor.ENABLED_OFFSET, 1);    // partner: isEnabledAcquire
    }

    /** No request will be answered any more. */
    public void disable()
    {
        BigEndian.putIntRelease(sram, offset + TranslationDescriptor.ENABLED_OFFSET, 0);
    }

    /**
     * Whether requests will be answered.
     *
     * @return false before {@link #enable}.
     */
    public boolean isEnabledAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + TranslationDescriptor.ENABLED_OFFSET) != 0;
    }

    /**
     * Where requests go.
     *
     * @return a physical address, unchecked.
     */
    public long requestAddress()
    {
        return BigEndian.getLong(sram, offset + TranslationDescriptor.REQUEST_ADDRESS_OFFSET);
    }

    /**
     * Bytes of the context's region.
     *
     * @return the length, unchecked.
     */
    public long regionLength()
    {
        return BigEndian.getLong(sram, offset + TranslationDescriptor.REGION_LENGTH_OFFSET);
    }

    /**
     * Pages of the answer.
     *
     * @return the count, unchecked; 0 means that there is no such region.
     */
    public int pageCount()
    {
        return BigEndian.getInt(sram, offset + TranslationDescriptor.PAGE_COUNT_OFFSET);
    }

    /**
     * One page of the answer.
     *
     * @param index 0 to {@link TranslationDescriptor#PAGE_COUNT_MAX} - 1.
     * @return its physical address, unchecked.
     */
    public long page(final int index)
    {
        return BigEndian.getLong(sram, pageIndex(index));
    }

    /**
     * Request that the answer belongs to.
     *
     * @return the id; what was written before it can be read after it.
     */
    public int answerIdAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + TranslationDescriptor.ANSWER_ID_OFFSET);
    }

    /**
     * One page of the answer that is being made.
     *
     * @param index   0 to {@link TranslationDescriptor#PAGE_COUNT_MAX} - 1.
     * @param address physical, of its first byte.
     */
    public void page(final int index, final long address)
    {
        BigEndian.putLong(sram, pageIndex(index), address);
    }

    /**
     * Completes an answer.
     *
     * @param requestId that it belongs to.
     * @param pageCount how many pages were given, 0 if there is no such region.
     */
    public void answerRelease(final int requestId, final int pageCount)
    {
        BigEndian.putInt(sram, offset + TranslationDescriptor.PAGE_COUNT_OFFSET, pageCount);
        BigEndian.putIntRelease(sram, offset + TranslationDescriptor.ANSWER_ID_OFFSET, requestId);
    }

    private int pageIndex(final int index)
    {
        return offset + TranslationDescriptor.PAGES_OFFSET + index * SIZE_OF_LONG;
    }
}
