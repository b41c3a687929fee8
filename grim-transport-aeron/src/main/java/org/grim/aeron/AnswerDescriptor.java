// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.RemoteRefusal;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Answer of the target of remote-memory operations: a message of the format with arguments of its own. Big endian;
 * offsets in bytes from the header's first byte. The target writes, the initiator reads.
 * <pre>
 *   4  type: read reply, refused or ACK
 *  16  number of the operation (u64): all before it were executed, too
 *  24  0 (u32)                        28  code of the refusal (u32); 0 if it is none
 *  32  bytes of a read reply
 * </pre>
 * <p>Thread: any; no state.
 */
final class AnswerDescriptor
{
    static final int NUMBER_OFFSET = MessageHeader.ARGUMENTS_OFFSET;
    static final int REFUSAL_OFFSET = NUMBER_OFFSET + SIZE_OF_LONG + SIZE_OF_INT;

    private static final RemoteRefusal[] REFUSALS = RemoteRefusal.values();

    private AnswerDescriptor()
    {
    }

    /** Writes the header of an operation or an answer, but for word 0. */
    static void writeHeader(
        final MutableDirectBuffer buffer, final int offset, final MessageType type, final EndpointId source,
        final EndpointId destination, final int payloadLength, final long arguments01, final long arguments23)
    {
        MessageHeader.write(buffer, offset,
            MessageHeader.typeWord(type, source.address()) | MessageHeader.correction(payloadLength),
            MessageHeader.extentWords(destination.address(),
                MessageHeader.routeWord(source.channel(), destination.channel()), payloadLength),
            arguments01, arguments23);
    }

    static long number(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + NUMBER_OFFSET, BIG_ENDIAN);
    }

    /** {@return why the operation was refused; null if the code means nothing} */
    static RemoteRefusal refusal(final DirectBuffer buffer, final int offset)
    {
        final int code = buffer.getInt(offset + REFUSAL_OFFSET, BIG_ENDIAN);
        return code < 0 || code >= REFUSALS.length ? null : REFUSALS[code];
    }
}
