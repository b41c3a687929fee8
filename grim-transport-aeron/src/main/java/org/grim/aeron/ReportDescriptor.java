// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.aeron.observe.Party;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * A receiver's report about one hop: the number of consumed messages. Little endian; offsets in bytes. The receiver of
 * the hop writes, its sender reads.
 * <pre>
 *   0  magic (u32)                       4  number of the hop (u32)
 *   8  its source: node (u32)           12  its source: incarnation (u32)
 *  16  its destination: node (u32)      20  its destination: incarnation (u32)
 *  24  consumed messages (i64); of a receiver that leaves, which consumes no more: -1 - consumed messages
 * </pre>
 * <p>Thread: any; no state.
 */
final class ReportDescriptor
{
    static final int MAGIC_OFFSET = 0;
    static final int NUMBER_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;
    static final int SOURCE_NODE_OFFSET = NUMBER_OFFSET + SIZE_OF_INT;
    static final int SOURCE_INCARNATION_OFFSET = SOURCE_NODE_OFFSET + SIZE_OF_INT;
    static final int NODE_OFFSET = SOURCE_INCARNATION_OFFSET + SIZE_OF_INT;
    static final int INCARNATION_OFFSET = NODE_OFFSET + SIZE_OF_INT;
    static final int CONSUMED_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;
    static final int LENGTH = CONSUMED_OFFSET + SIZE_OF_LONG;

    private static final int MAGIC = 0x31505247;        // "GRP1"

    private ReportDescriptor()
    {
    }

    static void write(
        final MutableDirectBuffer buffer, final int number, final Party source, final Party destination,
        final long consumed)
    {
        buffer.putInt(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        buffer.putInt(NUMBER_OFFSET, number, LITTLE_ENDIAN);
        buffer.putInt(SOURCE_NODE_OFFSET, source.node(), LITTLE_ENDIAN);
        buffer.putInt(SOURCE_INCARNATION_OFFSET, source.incarnation(), LITTLE_ENDIAN);
        buffer.putInt(NODE_OFFSET, destination.node(), LITTLE_ENDIAN);
        buffer.putInt(INCARNATION_OFFSET, destination.incarnation(), LITTLE_ENDIAN);
        buffer.putLong(CONSUMED_OFFSET, consumed, LITTLE_ENDIAN);
    }

    /** Whether these bytes are a report for this very incarnation of this node. Call it before anything else. */
    static boolean isValid(final DirectBuffer buffer, final int offset, final int length, final Party self)
    {
        return length == LENGTH && buffer.getInt(offset + MAGIC_OFFSET, LITTLE_ENDIAN) == MAGIC &&
            buffer.getInt(offset + SOURCE_NODE_OFFSET, LITTLE_ENDIAN) == self.node() &&
            buffer.getInt(offset + SOURCE_INCARNATION_OFFSET, LITTLE_ENDIAN) == self.incarnation();
    }

    static int number(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + NUMBER_OFFSET, LITTLE_ENDIAN);
    }

    static int node(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + NODE_OFFSET, LITTLE_ENDIAN);
    }

    static int incarnation(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + INCARNATION_OFFSET, LITTLE_ENDIAN);
    }

    static long consumedCount(final DirectBuffer buffer, final int offset)
    {
        final long consumed = buffer.getLong(offset + CONSUMED_OFFSET, LITTLE_ENDIAN);
        return isLast(buffer, offset) ? last(consumed) : consumed;
    }

    static boolean isLast(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + CONSUMED_OFFSET, LITTLE_ENDIAN) < 0;
    }

    /** The word for consumed messages that stay as many; and back. */
    static long last(final long consumed)
    {
        return -1 - consumed;
    }
}
