// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Registers of one context in SRAM: its owner, the place of its translation requests, and its answer to the last one.
 * Big endian. Words of hosts and words of the firmware lie in different lines; the firmware writes the host's words
 * only to clear them when their owner has gone.
 * <pre>
 *    0   request address (64) | region length (64) | enabled (32) | unused (32)          host, once
 *   24   owner (64) | channel count (32) | region generation (32) | request (32)         host
 *   48   registered start (64) | registered length (64)                                  host, once
 *   64   page count (32) | unused (32) | page word x 18 (64) | answer id (32)            host, per answer
 *           page word: physical address of the first byte, a multiple of 4,096; in its low bits the page's rights
 *  220   forget count (32)                                                               host, per region freed
 *  256   state (32) | reason (32) | first channel (32) | forgotten count (32)            firmware
 * </pre>
 */
public final class ContextRegisters extends RegisterBlock<ContextRegisters>
{
    /** Owner of a context that is nobody's. */
    public static final long OWNER_NONE = 0;
    /** The owner asks for nothing. */
    public static final int REQUEST_NONE = 0;
    /** The owner asks for channels, and to have its region reached. */
    public static final int REQUEST_ATTACH = 1;
    /** The owner gives its channels, which are disabled, back. */
    public static final int REQUEST_DETACH = 2;
    /** No region is attached, no channel given. */
    public static final int STATE_FREE = 0;
    /** Region and channels are the owner's. */
    public static final int STATE_ATTACHED = 1;
    /** The owner got nothing, see {@link AttachRefusal}. */
    public static final int STATE_REFUSED = 2;
    /** Messages under way of the owner, which left or died, are settled; then the context is free. */
    public static final int STATE_DRAINING = 3;

    /** Where translation requests go: physical address. Host, {@link #enable}. */
    public static final DoubleWord<ContextRegisters> REQUEST_ADDRESS = new DoubleWord<>(0);
    /** Bytes of the context's region. Host, {@link #enable}. */
    public static final DoubleWord<ContextRegisters> REGION_LENGTH = new DoubleWord<>(REQUEST_ADDRESS.end());
    /** Node (upper half) and incarnation (lower half) that own the context; {@link #OWNER_NONE}. {@link #tryOwn}. */
    public static final DoubleWord<ContextRegisters> OWNER = new DoubleWord<>(REGION_LENGTH.end() + SIZE_OF_LONG);
    /** Channels in a row that the owner asks for. Host, {@link #requestAttach}. */
    public static final Word<ContextRegisters> CHANNEL_COUNT = new Word<>(OWNER.end());
    /** Names the file with the owner's region. Host, {@link #requestAttach}. */
    public static final Word<ContextRegisters> REGION_GENERATION = new Word<>(CHANNEL_COUNT.end());
    /** Request of the owner: one of the REQUEST constants. Host, release. */
    public static final Word<ContextRegisters> REQUEST = new Word<>(REGION_GENERATION.end());
    /** First byte in the region of the part that peers may reach by physical address. Host, {@link #registered}. */
    public static final DoubleWord<ContextRegisters> REGISTERED_START =
        new DoubleWord<>(REQUEST.offset() + SIZE_OF_LONG);
    /** Bytes of that part; 0 before the owner has set it. Host, {@link #registered}. */
    public static final DoubleWord<ContextRegisters> REGISTERED_LENGTH = new DoubleWord<>(REGISTERED_START.end());

    /** Pages of the answer; 0 means that there is no such region. Host, {@link #answerRelease}. */
    public static final Word<ContextRegisters> PAGE_COUNT = new Word<>(CACHE_LINE_LENGTH);
    /** {@link TranslationDescriptor#PAGE_COUNT_MAX} page words of the answer. Host. */
    public static final DoubleWord<ContextRegisters> PAGES = new DoubleWord<>(PAGE_COUNT.offset() + SIZE_OF_LONG);
    /** Request that the answer belongs to. Host, {@link #answerRelease}. */
    public static final Word<ContextRegisters> ANSWER_ID =
        new Word<>(PAGES.offset() + TranslationDescriptor.PAGE_COUNT_MAX * SIZE_OF_LONG);
    /**
     * Count of the owner's requests to forget translations of the context's virtual addresses. Host, release, after it
     * has cleared the static entries; rings the doorbell of one of its channels afterwards.
     */
    public static final Word<ContextRegisters> FORGET_COUNT = new Word<>(ANSWER_ID.end());

    /** State of the context: one of the STATE constants. Firmware, release. */
    public static final Word<ContextRegisters> STATE = new Word<>(CACHE_LINE_LENGTH * 4);
    /** Code of the {@link AttachRefusal}; after {@link #STATE_REFUSED} was seen. Firmware. */
    public static final Word<ContextRegisters> REASON = new Word<>(STATE.end());
    /** The first of the owner's channels; after {@link #STATE_ATTACHED} was seen. Firmware. */
    public static final Word<ContextRegisters> FIRST_CHANNEL = new Word<>(REASON.end());
    /**
     * The {@link #FORGET_COUNT} that was carried out. Firmware, release, when it can write no byte any more by what it
     * knew: the owner uses the pages again, and no earlier write comes after that.
     */
    public static final Word<ContextRegisters> FORGOTTEN_COUNT = new Word<>(FIRST_CHANNEL.end());

    static final Word<ContextRegisters> ENABLED = new Word<>(REGION_LENGTH.end());      // 1 while requests are answered

    /** Looks at a context's registers. */
    public ContextRegisters(final AtomicBuffer sram, final BoardGeometry geometry, final int context)
    {
        super(sram, geometry.contextOffset(context));
    }

    /**
     * Says where requests go, and that they will be answered.
     *
     * @param requestAddress physical, of {@link TranslationDescriptor#REQUEST_LENGTH} bytes in the context's region.
     * @param regionLength   bytes of the region.
     */
    public void enable(final long requestAddress, final long regionLength)
    {
        put(REQUEST_ADDRESS, requestAddress);
        put(REGION_LENGTH, regionLength);
        putRelease(ENABLED, 1);
    }

    /** No request will be answered any more. */
    public void disable()
    {
        putRelease(ENABLED, 0);
    }

    /** {@return whether requests will be answered} */
    public boolean isEnabledAcquire()
    {
        return getAcquire(ENABLED) != 0;
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
        put(REGISTERED_START, start);
        putRelease(REGISTERED_LENGTH, length);          // A reader that sees the length sees the start.
    }

    /**
     * Completes an answer, whose {@link #PAGES} were written before.
     *
     * @param requestId that it belongs to.
     * @param pageCount how many pages were given, 0 if there is no such region.
     */
    public void answerRelease(final int requestId, final int pageCount)
    {
        put(PAGE_COUNT, pageCount);
        putRelease(ANSWER_ID, requestId);
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
            offset + OWNER.offset(), BigEndian.order(OWNER_NONE), BigEndian.order(owner));
    }

    /**
     * Asks for channels. By the owner.
     *
     * @param channelCount     channels in a row.
     * @param regionGeneration names the file with the owner's region.
     */
    public void requestAttach(final int channelCount, final int regionGeneration)
    {
        put(CHANNEL_COUNT, channelCount).put(REGION_GENERATION, regionGeneration).putRelease(REQUEST, REQUEST_ATTACH);
    }

    /** The owner has its channels. By the firmware. */
    public void attached(final int firstChannel)
    {
        put(FIRST_CHANNEL, firstChannel).putRelease(STATE, STATE_ATTACHED);
    }

    /** The owner gets nothing. By the firmware. */
    public void refused(final AttachRefusal refusal)
    {
        put(REASON, refusal.code()).putRelease(STATE, STATE_REFUSED);
    }

    /** The context is as new, and nobody's. By the firmware, when nothing of the owner is left. */
    public void free()
    {
        sram.setMemory(offset, OWNER.offset(), (byte)0);
        sram.setMemory(offset + OWNER.end(), BoardDescriptor.CONTEXT_LENGTH - OWNER.end(), (byte)0);
        putRelease(OWNER, OWNER_NONE);                  // partner: tryOwn()
    }

    @Override
    ContextRegisters self()
    {
        return this;
    }
}
