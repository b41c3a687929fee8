// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over a context's descriptor: who owns it, where it takes translation requests, and its answer to the last
 * one. What the firmware reads here was written by a host and is to be checked.
 * <p>Thread: the context's host writes, the firmware reads. Owns nothing.
 */
public final class ContextRegisters
{
    /** Owner of a context that is nobody's. */
    public static final long OWNER_NONE = 0;
    /** The owner asks for nothing. */
    public static final int REQUEST_NONE = 0;
    /** The owner asks for channels, and to have its region reached. */
    public static final int REQUEST_ATTACH = 1;
    /** The owner gives its channels back. */
    public static final int REQUEST_DETACH = 2;
    /** No region is attached, no channel given. */
    public static final int STATE_FREE = 0;
    /** Region and channels are the owner's. */
    public static final int STATE_ATTACHED = 1;
    /** The owner got nothing, see {@link AttachRefusal}. */
    public static final int STATE_REFUSED = 2;
    /** What is under way is settled; then the context is free. */
    public static final int STATE_DRAINING = 3;

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
     * Says which part of the region peers may reach by physical address. By the owner, before it takes channels into
     * use.
     *
     * @param start  first byte of it in the region.
     * @param length bytes.
     */
    public void registered(final long start, final long length)
    {
        BigEndian.putLong(sram, offset + ContextDescriptor.REGISTERED_START_OFFSET, start);
        // Partner: registeredLengthAcquire(): who sees the length sees the start.
        BigEndian.putLongRelease(sram, offset + ContextDescriptor.REGISTERED_LENGTH_OFFSET, length);
    }

    /** {@return bytes of the region that peers may reach by physical address, unchecked; 0 before they were told} */
    public long registeredLengthAcquire()
    {
        return BigEndian.getLongAcquire(sram, offset + ContextDescriptor.REGISTERED_LENGTH_OFFSET);
    }

    /** {@return first byte of that part in the region, unchecked; after its length was read} */
    public long registeredStart()
    {
        return BigEndian.getLong(sram, offset + ContextDescriptor.REGISTERED_START_OFFSET);
    }

    /**
     * Asks the firmware to forget what it knows of the context's virtual addresses. By the owner, which has cleared the
     * static entries that are to be forgotten, and rings the doorbell of one of its channels afterwards.
     *
     * @param count how often it has asked, this time included.
     */
    public void forgetRelease(final int count)
    {
        // Partner: forgetCountAcquire(): who sees the count sees the static entries cleared.
        BigEndian.putIntRelease(sram, offset + ContextDescriptor.FORGET_COUNT_OFFSET, count);
    }

    /** {@return how often the owner has asked to forget; any value} */
    public int forgetCountAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ContextDescriptor.FORGET_COUNT_OFFSET);
    }

    /**
     * Everything was forgotten that the owner had asked for until then. By the firmware, when it can write no byte any
     * more by what it knew.
     *
     * @param count that the owner had reached.
     */
    public void forgottenRelease(final int count)
    {
        // Partner: forgottenCountAcquire(): the owner uses the pages again, and no earlier write comes after that.
        BigEndian.putIntRelease(sram, offset + ContextDescriptor.FORGOTTEN_COUNT_OFFSET, count);
    }

    /** {@return the count whose requests were carried out} */
    public int forgottenCountAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ContextDescriptor.FORGOTTEN_COUNT_OFFSET);
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
     * @return its physical address with its rights in the low bits, unchecked.
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
     * @param address physical, of its first byte, with its rights in the low bits.
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

    /**
     * Takes the context if it is nobody's.
     *
     * @param owner node (upper half) and incarnation (lower half), not {@link #OWNER_NONE}.
     * @return false if it has an owner.
     */
    public boolean tryOwn(final long owner)
    {
        // Acquire and release in one: sees what the firmware cleared before its release of OWNER_NONE.
        return sram.compareAndSetLong(
            offset + ContextDescriptor.OWNER_OFFSET, BigEndian.order(OWNER_NONE), BigEndian.order(owner));
    }

    /** {@return node and incarnation that own the context; {@link #OWNER_NONE} for nobody} */
    public long ownerAcquire()
    {
        return BigEndian.getLongAcquire(sram, offset + ContextDescriptor.OWNER_OFFSET);
    }

    /**
     * Asks for channels. By the owner.
     *
     * @param channelCount     channels in a row.
     * @param regionGeneration names the file with the owner's region.
     */
    public void requestAttach(final int channelCount, final int regionGeneration)
    {
        BigEndian.putInt(sram, offset + ContextDescriptor.CHANNEL_COUNT_OFFSET, channelCount);
        BigEndian.putInt(sram, offset + ContextDescriptor.REGION_GENERATION_OFFSET, regionGeneration);
        request(REQUEST_ATTACH);
    }

    /** Gives the channels back, which are disabled. By the owner. */
    public void requestDetach()
    {
        request(REQUEST_DETACH);
    }

    /** {@return what the owner asks for: one of the REQUEST constants, or any value} */
    public int requestAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ContextDescriptor.REQUEST_OFFSET);
    }

    /** {@return channels that the owner asks for, unchecked} */
    public int channelCount()
    {
        return BigEndian.getInt(sram, offset + ContextDescriptor.CHANNEL_COUNT_OFFSET);
    }

    /** {@return which file holds the owner's region, unchecked} */
    public int regionGeneration()
    {
        return BigEndian.getInt(sram, offset + ContextDescriptor.REGION_GENERATION_OFFSET);
    }

    /** {@return how the context stands: one of the STATE constants} */
    public int stateAcquire()
    {
        return BigEndian.getIntAcquire(sram, offset + ContextDescriptor.STATE_OFFSET);   // partner: stateRelease()
    }

    /** {@return code of the {@link AttachRefusal}; after {@link #STATE_REFUSED} was seen} */
    public int reason()
    {
        return BigEndian.getInt(sram, offset + ContextDescriptor.REASON_OFFSET);
    }

    /** {@return the first of the owner's channels; after {@link #STATE_ATTACHED} was seen} */
    public int firstChannel()
    {
        return BigEndian.getInt(sram, offset + ContextDescriptor.FIRST_CHANNEL_OFFSET);
    }

    /**
     * The owner has its channels. By the firmware.
     *
     * @param firstChannel the first of them.
     */
    public void attached(final int firstChannel)
    {
        BigEndian.putInt(sram, offset + ContextDescriptor.FIRST_CHANNEL_OFFSET, firstChannel);
        stateRelease(STATE_ATTACHED);
    }

    /**
     * The owner gets nothing. By the firmware.
     *
     * @param refusal why.
     */
    public void refused(final AttachRefusal refusal)
    {
        BigEndian.putInt(sram, offset + ContextDescriptor.REASON_OFFSET, refusal.code());
        stateRelease(STATE_REFUSED);
    }

    /** The owner has left, or died; what it had under way is being settled. By the firmware. */
    public void draining()
    {
        stateRelease(STATE_DRAINING);
    }

    /** The context is as new, and nobody's. By the firmware, when nothing of the owner is left. */
    public void free()
    {
        sram.setMemory(offset, ContextDescriptor.OWNER_OFFSET, (byte)0);
        final int requestsEnd = ContextDescriptor.OWNER_OFFSET + SIZE_OF_LONG;
        sram.setMemory(offset + requestsEnd, BoardDescriptor.CONTEXT_LENGTH - requestsEnd, (byte)0);
        BigEndian.putLongRelease(sram, offset + ContextDescriptor.OWNER_OFFSET, OWNER_NONE);     // partner: tryOwn()
    }

    private void request(final int request)
    {
        BigEndian.putIntRelease(sram, offset + ContextDescriptor.REQUEST_OFFSET, request);  // partner: requestAcquire()
    }

    private void stateRelease(final int state)
    {
        BigEndian.putIntRelease(sram, offset + ContextDescriptor.STATE_OFFSET, state);      // partner: stateAcquire()
    }

    private int pageIndex(final int index)
    {
        return offset + TranslationDescriptor.PAGES_OFFSET + index * SIZE_OF_LONG;
    }
}
