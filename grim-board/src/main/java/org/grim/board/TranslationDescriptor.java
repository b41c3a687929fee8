// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * How addresses of one context are translated: what its host writes in SRAM, and the request that the firmware brings
 * to host memory. Big endian; offsets in bytes from the first byte of the context's descriptor, of the request, or of
 * the static entry.
 * <pre>
 *  context   0 request address (64) | region length (64) | enabled (32)                 host, once
 *           64 page count (32) | unused (32) | page word x 18 (64) | answer id (32)      host, per answer
 *              page word: physical address of the first byte, a multiple of 4,096; in its low bits the page's rights
 *  request   0 first virtual page address (64) | page count (32) | request id (32)      firmware, by one DMA
 *  static    0 last generation (16) | rights (4) | context (12) | generation, 0 while empty (32)         host
 *            8 virtual start (64) | length (64) | physical start (64)                                    host
 * </pre>
 */
public final class TranslationDescriptor
{
    /** Bytes of a page. */
    public static final int PAGE_LENGTH = 4096;
    /** Bits of a page word or static entry that say what peers may do: {@link org.grim.MemoryRegion.Rights#bits()}. */
    public static final int RIGHTS_MASK = 3;
    /** Most pages of one request: 17 that the largest message can touch, and one more. */
    public static final int PAGE_COUNT_MAX = 18;
    /** First virtual page address in a request: u64, firmware writes, host reads. */
    public static final int REQUEST_VIRTUAL_OFFSET = 0;
    /** Page count in a request: u32, firmware writes, host reads. */
    public static final int REQUEST_COUNT_OFFSET = REQUEST_VIRTUAL_OFFSET + SIZE_OF_LONG;
    /** Id in a request: u32, firmware writes last, host reads. 0 means no request. */
    public static final int REQUEST_ID_OFFSET = REQUEST_COUNT_OFFSET + SIZE_OF_INT;
    /** Bytes of a request. */
    public static final int REQUEST_LENGTH = REQUEST_ID_OFFSET + SIZE_OF_INT;

    static final int REQUEST_ADDRESS_OFFSET = 0;                                          // u64 physical, host
    static final int REGION_LENGTH_OFFSET = REQUEST_ADDRESS_OFFSET + SIZE_OF_LONG;        // u64 bytes, host
    static final int ENABLED_OFFSET = REGION_LENGTH_OFFSET + SIZE_OF_LONG;                // u32, host last
    static final int PAGE_COUNT_OFFSET = CACHE_LINE_LENGTH;                               // u32, host; firmware reads
    static final int PAGES_OFFSET = PAGE_COUNT_OFFSET + SIZE_OF_LONG;                     // u64 page word x 18, host
    static final int ANSWER_ID_OFFSET = PAGES_OFFSET + PAGE_COUNT_MAX * SIZE_OF_LONG;     // u32, host last

    static final int STATIC_CONTEXT_OFFSET = 0;                                           // u16 + u4 + u12, host
    static final int STATIC_GENERATION_OFFSET = STATIC_CONTEXT_OFFSET + SIZE_OF_INT;      // u32, host last; 0 = empty
    static final int STATIC_VIRTUAL_OFFSET = STATIC_GENERATION_OFFSET + SIZE_OF_INT;      // u64, host
    static final int STATIC_LENGTH_OFFSET = STATIC_VIRTUAL_OFFSET + SIZE_OF_LONG;         // u64 bytes, host
    static final int STATIC_PHYSICAL_OFFSET = STATIC_LENGTH_OFFSET + SIZE_OF_LONG;        // u64 physical, host

    static final int STATIC_GENERATION_SHIFT = 16;
    static final int STATIC_RIGHTS_SHIFT = 12;
    static final int STATIC_CONTEXT_MASK = (1 << STATIC_RIGHTS_SHIFT) - 1;

    private TranslationDescriptor()
    {
    }
}
