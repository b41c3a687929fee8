// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.grim.wire.MessageHeader;

import static org.grim.transport.Key.Unit.BYTES;

/**
 * Limits of the length of messages, and of the memory for those above the MTU. Immutable; checked when made.
 *
 * @param lengthMax        most payload bytes of a message.
 * @param reassemblyLength bytes that one endpoint keeps for messages that arrive in parts.
 * @param outboxLength     bytes that one endpoint keeps for messages that are read in place.
 * @param inPlaceMin       least payload bytes of a message that is read in place.
 * @param keptLength       bytes that one endpoint has for messages that handlers keep.
 */
public record MessageLimits(
    @Key(value = "message.length-max", initial = "16MiB", unit = BYTES, min = MessageHeader.PAYLOAD_LENGTH_MAX,
        max = Integer.MAX_VALUE,
        text = "Maximum payload bytes of a message, at sender and receiver. Streams for handlers of streams may be " +
        "longer.")
    int lengthMax,
    @Key(value = "message.reassembly-length", initial = "32MiB", unit = BYTES, min = MessageHeader.PAYLOAD_LENGTH_MAX,
        max = 1L << 40,
        text = "Bytes that one endpoint keeps for messages that arrive in parts; at least `message.length-max`. " +
        "Memory is taken on use.")
    long reassemblyLength,
    @Key(value = "message.outbox-length", initial = "64MiB", unit = BYTES, max = 1L << 40,
        text = "Bytes of shared memory that one endpoint keeps for messages that peers on the same host read in " +
        "place. Taken on use, in files of at least 4 MiB. 0: all messages above the MTU go in parts.")
    long outboxLength,
    @Key(value = "message.in-place-min", initial = "65505", unit = BYTES, min = 1, max = Integer.MAX_VALUE,
        text = "Minimum payload bytes of a message that is read in place although it is not above the MTU.")
    int inPlaceMin,
    @Key(value = "message.kept-length", initial = "16MiB", unit = BYTES, max = 1 << 30,
        text = "Bytes that one endpoint has for messages that its handlers keep (`ActiveMessage.keep`); each takes " +
        "its payload, rounded up to 64 bytes, 64 at least. Memory is taken on use. 0: none can be kept.")
    int keptLength)
{
    /** Checks that the longest message can arrive. */
    public MessageLimits
    {
        if (lengthMax > reassemblyLength)
        {
            throw new IllegalArgumentException("grim.message.length-max=" + lengthMax +
                " exceeds grim.message.reassembly-length=" + reassemblyLength +
                ", where such a message arrives: lower the one or raise the other");
        }
    }

    /** Reads what stands below {@code grim}. */
    public static MessageLimits of(final Settings settings)
    {
        return Keys.read(settings, MessageLimits.class);
    }
}
