// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * Header before each message on a wire that may lose, repeat or reorder. Big endian; the sending NI writes, the
 * receiving one reads.
 * <pre>
 * byte
 *   0   magic (24) | version (8)
 *   4   CRC-32C of all bytes from 8 on
 *   8   total length, envelope included
 *  12   source NI (16) | destination NI (16)
 *  16   packet number, from 1 in each epoch (64)
 *  24   epoch of the source NI (32) | reserved, 0 (32)
 *  32   message
 * </pre>
 */
final class Envelope
{
    static final int VERSION = 1;
    static final int MAGIC = 0x47524D00 | VERSION;                                   // "GRM" and the version

    static final int MAGIC_OFFSET = 0;                                               // u32
    static final int CHECKSUM_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;                   // u32
    static final int LENGTH_OFFSET = CHECKSUM_OFFSET + SIZE_OF_INT;                  // u32
    static final int SOURCE_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;                    // u16
    static final int DESTINATION_OFFSET = SOURCE_OFFSET + SIZE_OF_SHORT;             // u16
    static final int NUMBER_OFFSET = DESTINATION_OFFSET + SIZE_OF_SHORT;             // u64
    static final int EPOCH_OFFSET = NUMBER_OFFSET + SIZE_OF_LONG;                    // u32
    static final int RESERVED_OFFSET = EPOCH_OFFSET + SIZE_OF_INT;                   // u32
    static final int LENGTH = RESERVED_OFFSET + SIZE_OF_INT;

    private Envelope()
    {
    }
}
