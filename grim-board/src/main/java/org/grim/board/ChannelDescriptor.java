// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Registers of one logical channel in SRAM. Big endian; offsets in bytes from the channel's first byte; one writer per
 * line of 64 bytes.
 * <pre>
 *   0            4            8            12           16           20           24           28
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | enabled    | context    | weight     | owner      | arr. mode  | frame len. | frames     |
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (32) arrival address    | (40) pointer address    |                              host, set-up
 *  +------------+------------+------------+------------+------------+------------+------------+-64-
 *  | front      | next       | arr. back  | status     | undeliv.   | unknown    | refused    | delivered
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (96) pulled| pull ref.  |                                                        firmware -128-
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | back, filled (one word) | pull source 0           | pull source 1           | position 0 | position 1
 *  +------------+------------+------------+------------+------------+------------+------------+----
 *  | (160) length 0 | length 1 | pull count |                                       host's sender -192-
 *  | arr. front | bell       |                                                   host's receiver -256-
 *  +------------+------------+
 * </pre>
 * Positions run freely through all 32-bit values and are compared by subtraction. Those of the channel queue count
 * bytes; those of arrivals count frames with tail flags and bytes with a queue pointer.
 */
final class ChannelDescriptor
{
    static final int ENABLED_OFFSET = 0;                                             // u32, host last; firmware reads
    static final int CONTEXT_OFFSET = ENABLED_OFFSET + SIZE_OF_INT;                  // u32, host; firmware reads
    static final int WEIGHT_OFFSET = CONTEXT_OFFSET + SIZE_OF_INT;                   // u32, host; firmware reads
    static final int OWNER_ADDRESS_OFFSET = WEIGHT_OFFSET + SIZE_OF_INT;             // u32, host; firmware reads
    static final int ARRIVAL_MODE_OFFSET = OWNER_ADDRESS_OFFSET + SIZE_OF_INT;       // u32, host; both read
    static final int FRAME_LENGTH_OFFSET = ARRIVAL_MODE_OFFSET + SIZE_OF_INT;        // u32 bytes, host; both read
    static final int FRAME_COUNT_OFFSET = FRAME_LENGTH_OFFSET + SIZE_OF_INT;         // u32, host; both read
    static final int ARRIVAL_ADDRESS_OFFSET = FRAME_COUNT_OFFSET + SIZE_OF_LONG;     // u64 physical, host; both read
    static final int POINTER_ADDRESS_OFFSET = ARRIVAL_ADDRESS_OFFSET + SIZE_OF_LONG; // u64 physical, host; both read

    static final int FRONT_OFFSET = CACHE_LINE_LENGTH;                               // u32 bytes, firmware; host reads
    static final int NEXT_OFFSET = FRONT_OFFSET + SIZE_OF_INT;                       // u32 bytes, firmware only
    static final int ARRIVAL_BACK_OFFSET = NEXT_OFFSET + SIZE_OF_INT;                // u32, firmware only
    static final int STATUS_OFFSET = ARRIVAL_BACK_OFFSET + SIZE_OF_INT;              // u32, firmware; host reads
    static final int UNDELIVERED_OFFSET = STATUS_OFFSET + SIZE_OF_INT;               // u32, firmware; host reads
    static final int UNKNOWN_OFFSET = UNDELIVERED_OFFSET + SIZE_OF_INT;              // u32, firmware; host reads
    static final int REFUSED_OFFSET = UNKNOWN_OFFSET + SIZE_OF_INT;                  // u32, firmware; host reads
    static final int DELIVERED_OFFSET = REFUSED_OFFSET + SIZE_OF_INT;                // u32, firmware; host reads

    static final int PULLED_COUNT_OFFSET = DELIVERED_OFFSET + SIZE_OF_INT;           // u32, firmware; host reads
    static final int PULL_REFUSED_OFFSET = PULLED_COUNT_OFFSET + SIZE_OF_INT;        // u32, firmware; host reads

    static final int PULL_SLOT_COUNT = 2;
    static final int BACK_AND_FILLED_OFFSET = CACHE_LINE_LENGTH * 2;                 // u64, host sends; firmware reads
    static final int PULL_SOURCE_OFFSET = BACK_AND_FILLED_OFFSET + SIZE_OF_LONG;     // 2 x u64 physical, host sends
    static final int PULL_POSITION_OFFSET = PULL_SOURCE_OFFSET + PULL_SLOT_COUNT * SIZE_OF_LONG; // 2 x u32, host sends
    static final int PULL_LENGTH_OFFSET = PULL_POSITION_OFFSET + PULL_SLOT_COUNT * SIZE_OF_INT; // 2 x u32 bytes, same
    static final int PULL_COUNT_OFFSET = PULL_LENGTH_OFFSET + PULL_SLOT_COUNT * SIZE_OF_INT; // u32, host sends, last

    static final int ARRIVAL_FRONT_OFFSET = CACHE_LINE_LENGTH * 3; // u32, host receives; firmware reads
    static final int ASLEEP_BELL_OFFSET = ARRIVAL_FRONT_OFFSET + SIZE_OF_INT;        // u32, host receives; bell + 1
    static final int LENGTH = CACHE_LINE_LENGTH * 4;

    private ChannelDescriptor()
    {
    }
}
