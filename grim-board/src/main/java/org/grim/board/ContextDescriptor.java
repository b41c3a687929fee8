// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * How a node takes a context and gives it back. Big endian; offsets in bytes from the context's first byte. What hosts
 * write and what the firmware writes lie in different lines; the firmware writes the host's words only to clear them
 * when their owner has gone. The other fields are {@link TranslationDescriptor}'s.
 * <pre>
 *    0   translation: request address, region length, enabled (20 bytes), unused (4)
 *   24   owner (64) | channel count (32) | region generation (32) | request (32)        host
 *   48   registered start (64) | registered length (64)                                 host, once
 *   64   translation: answer                                                            host
 *  220   forget count (32)                                                              host, per region freed
 *  256   state (32) | reason (32) | first channel (32) | forgotten count (32)           firmware
 * </pre>
 */
final class ContextDescriptor
{
    static final int OWNER_OFFSET = TranslationDescriptor.ENABLED_OFFSET + SIZE_OF_LONG; // u64, hosts CAS from 0
    static final int CHANNEL_COUNT_OFFSET = OWNER_OFFSET + SIZE_OF_LONG;                 // u32, host; firmware reads
    static final int REGION_GENERATION_OFFSET = CHANNEL_COUNT_OFFSET + SIZE_OF_INT;      // u32, host; firmware reads
    static final int REQUEST_OFFSET = REGION_GENERATION_OFFSET + SIZE_OF_INT;            // u32, host last

    static final int REGISTERED_START_OFFSET = REQUEST_OFFSET + SIZE_OF_LONG;            // u64 bytes, host
    static final int REGISTERED_LENGTH_OFFSET = REGISTERED_START_OFFSET + SIZE_OF_LONG;  // u64 bytes, host last

    static final int FORGET_COUNT_OFFSET = TranslationDescriptor.ANSWER_ID_OFFSET + SIZE_OF_INT; // u32, host

    static final int STATE_OFFSET = CACHE_LINE_LENGTH * 4;                               // u32, firmware last
    static final int REASON_OFFSET = STATE_OFFSET + SIZE_OF_INT;                         // u32, firmware; host reads
    static final int FIRST_CHANNEL_OFFSET = REASON_OFFSET + SIZE_OF_INT;                 // u32, firmware; host reads

    static final int FORGOTTEN_COUNT_OFFSET = FIRST_CHANNEL_OFFSET + SIZE_OF_INT;        // u32, firmware; host reads

    private ContextDescriptor()
    {
    }
}
