// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Request of the firmware to a host for translations of a context's addresses, written to host memory. The answer
 * stands in {@link ContextRegisters}. Big endian; offsets in bytes from the request's first byte.
 * <pre>
 *  request   0 first virtual page address (64) | page count (32) | request id (32)      firmware, by one DMA
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

    private TranslationDescriptor()
    {
    }
}
