// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.grim.wire.MessageHeader;

import com.typesafe.config.Config;

/**
 * How long messages may be, and how much memory those above the MTU may take. Immutable; checked when made.
 *
 * @param lengthMax        most payload bytes of a message.
 * @param reassemblyLength bytes that one endpoint keeps for messages that arrive in parts.
 * @param outboxLength     bytes that one endpoint keeps for messages that are read in place.
 * @param inPlaceMin       least payload bytes of a message that is read in place.
 */
record MessageLimits(int lengthMax, long reassemblyLength, long outboxLength, int inPlaceMin)
{
    MessageLimits
    {
        requireInRange("length-max", lengthMax, MessageHeader.PAYLOAD_LENGTH_MAX, Integer.MAX_VALUE);
        requireInRange("reassembly-length", reassemblyLength, lengthMax, 1L << 40);
        requireInRange("outbox-length", outboxLength, 0, 1L << 40);
        requireInRange("in-place-min", inPlaceMin, 1, Integer.MAX_VALUE);
    }

    /** Reads what stands below {@code grim}. */
    static MessageLimits of(final Config config)
    {
        final long lengthMax = config.getBytes("message.length-max");
        final long inPlaceMin = config.getBytes("message.in-place-min");
        requireInRange("length-max", lengthMax, MessageHeader.PAYLOAD_LENGTH_MAX, Integer.MAX_VALUE);
        requireInRange("in-place-min", inPlaceMin, 1, Integer.MAX_VALUE);
        return new MessageLimits((int)lengthMax, config.getBytes("message.reassembly-length"),
            config.getBytes("message.outbox-length"), (int)inPlaceMin);
    }

    private static void requireInRange(final String what, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException("grim.message." + what + "=" + value + " bytes is outside " + min +
                " to " + max);
        }
    }
}
