// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.grim.buffer.Buffers;

/**
 * A message that its sender keeps for the receiver to read in place. Native byte order: both are on one host. All that
 * the sender needs to know about the block it keeps to itself; the receiver can spoil nothing but the messages.
 * <pre>
 *  +-----------+ 0, a cache line
 *  | done word |   receiver
 *  +-----------+ PAYLOAD_OFFSET
 *  | payload   |   sender
 *  +-----------+
 * </pre>
 */
public final class BlockDescriptor
{
    /** The receiver writes the sequence of the block's use here, with release, when its handler has returned. */
    public static final int DONE_OFFSET = 0;                                        // u32, receiver; sender: acquire
    /** First byte of the message. */
    public static final int PAYLOAD_OFFSET = DONE_OFFSET + Buffers.CACHE_LINE_LENGTH;
    /** Value of the done word until then; no sequence is equal to it. */
    public static final int NOT_DONE = 0;

    private BlockDescriptor()
    {
    }
}
