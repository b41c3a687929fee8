// SPDX-License-Identifier: Apache-2.0
package org.grim.fragment;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * What the built-in messages of {@link org.grim.wire.LargeMessageIds} carry. Big endian. The sender of each writes, its
 * receiver reads.
 * <pre>
 *                arguments 0 .. 3                        payload
 *  BEGIN         the application's                       handler, total length, transfer, 0
 *  BODY, FINAL   transfer, position, 0, 0                bytes of the message
 *  GRANT         transfer, verdict, 0, 0                 none
 *  ABORT         transfer, 0, 0, 0                       none
 *  IN_PLACE      the application's                       handler, total length, block, sequence, incarnation
 *  NOT_IN_PLACE  sequence, 0, 0, 0                       none
 *
 *  BEGIN's payload             IN_PLACE's payload
 *  +--------------+ 0          +---------------+ 0
 *  | handler      |            | handler       |
 *  +--------------+ 4          +---------------+ 4
 *  | total length |            | total length  |
 *  +--------------+ 8          +---------------+ 8
 *  | transfer     |            | block address |
 *  +--------------+ 12         +---------------+ 16
 *  | 0            |            | sequence      |
 *  +--------------+ 16         +---------------+ 20
 *                              | incarnation   |
 *                              +---------------+ 24
 * </pre>
 */
public final class FragmentDescriptor
{
    /** Argument that names the transfer. */
    public static final int TRANSFER_ARGUMENT = 0;
    /** Argument of BODY and FINAL: position of their first byte in the message. */
    public static final int POSITION_ARGUMENT = 1;
    /** Argument of GRANT: what the receiver says. */
    public static final int VERDICT_ARGUMENT = 1;
    /** The receiver takes the message. */
    public static final int VERDICT_GRANTED = 1;
    /** The receiver cannot take it. */
    public static final int VERDICT_REFUSED = 2;

    /** Bytes of the payload of BEGIN. */
    public static final int BEGIN_LENGTH = SIZE_OF_INT * 4;
    /** Bytes of the payload of IN_PLACE. */
    public static final int IN_PLACE_LENGTH = SIZE_OF_INT * 4 + SIZE_OF_LONG;

    static final int HANDLER_OFFSET = 0;                                            // u32, 0 to 65,535
    static final int TOTAL_LENGTH_OFFSET = HANDLER_OFFSET + SIZE_OF_INT;            // s32, bytes
    static final int TRANSFER_OFFSET = TOTAL_LENGTH_OFFSET + SIZE_OF_INT;           // u32
    static final int BEGIN_ZERO_OFFSET = TRANSFER_OFFSET + SIZE_OF_INT;             // u32

    static final int BLOCK_ADDRESS_OFFSET = TOTAL_LENGTH_OFFSET + SIZE_OF_INT;      // u64, virtual address
    static final int SEQUENCE_OFFSET = BLOCK_ADDRESS_OFFSET + SIZE_OF_LONG;         // u32
    static final int INCARNATION_OFFSET = SEQUENCE_OFFSET + SIZE_OF_INT;            // u32, of the sender's node

    private FragmentDescriptor()
    {
    }
}
