// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.transport.Settings;
import org.grim.wire.MessageHeader;

/**
 * Limits of the length of messages, and of the memory of those above the MTU. Immutable; checked when read.
 *
 * @param lengthMax        most payload bytes of a message.
 * @param reassemblyLength bytes that one endpoint keeps for messages that arrive in parts.
 * @param outboxLength     bytes that one endpoint keeps for messages that are read in place.
 * @param inPlaceMin       least payload bytes of a message that is read in place.
 */
public record MessageLimits(int lengthMax, long reassemblyLength, long outboxLength, int inPlaceMin)
{
    private static final long MEMORY_LENGTH_MAX = 1L << 40;

    /** Reads what stands below {@code grim}. */
    public static MessageLimits of(final Settings settings)
    {
        final long lengthMax =
            settings.bytes("message.length-max", MessageHeader.PAYLOAD_LENGTH_MAX, Integer.MAX_VALUE);
        final long reassemblyLength =
            settings.bytes("message.reassembly-length", MessageHeader.PAYLOAD_LENGTH_MAX, MEMORY_LENGTH_MAX);
        if (lengthMax > reassemblyLength)
        {
            throw new IllegalArgumentException("grim.message.length-max=" + lengthMax +
                " exceeds grim.message.reassembly-length=" + reassemblyLength +
                ", where such a message arrives: lower the one or raise the other");
        }
        return new MessageLimits((int)lengthMax, reassemblyLength,
            settings.bytes("message.outbox-length", 0, MEMORY_LENGTH_MAX),
            (int)settings.bytes("message.in-place-min", 1, Integer.MAX_VALUE));
    }
}
