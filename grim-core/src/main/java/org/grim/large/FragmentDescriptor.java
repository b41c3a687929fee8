// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Payloads of the built-in messages of {@link org.grim.wire.LargeMessageIds}. Big endian. The sender of each writes,
 * its receiver reads.
 * <pre>
 *                arguments 0 .. 3                        payload
 *  BEGIN         the application's                       handler, 0, total length, incarnation, number
 *  BODY, FINAL   incarnation, number, position           bytes of the message
 *  GRANT         incarnation, number, verdict, 0         none
 *  ABORT         incarnation, number, 0, 0               none
 *  IN_PLACE      the application's                       handler, total length, area, block, sequence, incarnation
 *  NOT_IN_PLACE  incarnation, sequence, 0, 0             none
 *
 *  BEGIN's payload             IN_PLACE's payload
 *  +--------------+ 0          +---------------+ 0
 *  | handler      |            | handler       |
 *  +--------------+ 4          +---------------+ 4
 *  | 0            |            | total length  |
 *  +--------------+ 8          +---------------+ 8
 *  | total length |            | area          |
 *  |              |            +---------------+ 12
 *  |              |            | block offset  |
 *  +--------------+ 16         +---------------+ 16
 *  | incarnation  |            | sequence      |
 *  +--------------+ 20         +---------------+ 20
 *  | number       |            | incarnation   |
 *  +--------------+ 24         +---------------+ 24
 * </pre>
 * Total length and position of a transfer have 64 bits: position is argument 2, the high word, and argument 3.
 * The incarnation is always that of the message's sender. A transfer is named by it and by the sender's number for the
 * transfer, in one 64-bit word, beside the endpoints and channels that the header names.
 */
public final class FragmentDescriptor
{
    /** Argument of BODY and FINAL, with the next one: position of their first byte in the message, 64 bits. */
    public static final int POSITION_ARGUMENT = 2;
    /** Argument of GRANT: what the receiver says. */
    public static final int VERDICT_ARGUMENT = 2;
    /** The receiver takes the message. */
    public static final int VERDICT_GRANTED = 1;
    /** The receiver cannot take it. */
    public static final int VERDICT_REFUSED = 2;
    /** The final part has come, and the message goes to no handler: its endpoint was closed, or a part was bad. */
    public static final int VERDICT_LOST = 3;

    /** Bytes of the payload of BEGIN. */
    public static final int BEGIN_LENGTH = SIZE_OF_INT * 2 + SIZE_OF_LONG * 2;
    /** Bytes of the payload of IN_PLACE. */
    public static final int IN_PLACE_LENGTH = SIZE_OF_INT * 6;

    static final int HANDLER_OFFSET = 0;                                            // u32, 0 to 65,535
    static final int RESERVED_OFFSET = HANDLER_OFFSET + SIZE_OF_INT;                // u32, 0
    static final int TOTAL_LENGTH_OFFSET = RESERVED_OFFSET + SIZE_OF_INT;           // s64, bytes
    static final int TRANSFER_OFFSET = TOTAL_LENGTH_OFFSET + SIZE_OF_LONG;          // u64, incarnation and number

    static final int IN_PLACE_TOTAL_LENGTH_OFFSET = HANDLER_OFFSET + SIZE_OF_INT;   // s32, bytes
    static final int AREA_OFFSET = IN_PLACE_TOTAL_LENGTH_OFFSET + SIZE_OF_INT;      // u32, of the sender's outbox
    static final int BLOCK_OFFSET = AREA_OFFSET + SIZE_OF_INT;                      // u32, bytes, in the area
    static final int SEQUENCE_OFFSET = BLOCK_OFFSET + SIZE_OF_INT;                  // u32
    static final int INCARNATION_OFFSET = SEQUENCE_OFFSET + SIZE_OF_INT;            // u32, of the sender's node

    private FragmentDescriptor()
    {
    }
}
