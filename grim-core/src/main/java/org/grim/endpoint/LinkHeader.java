// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import org.grim.EndpointId;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * The header words that all messages of one link have in common.
 * <p>Thread: any; immutable.
 */
public final class LinkHeader
{
    private final int typeWord;
    private final int routeWord;
    private final int destinationAddress;

    LinkHeader(final EndpointId source, final int sourceChannel, final EndpointId destination)
    {
        typeWord = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, source.address());
        routeWord = MessageHeader.routeWord(sourceChannel, destination.channel());
        destinationAddress = destination.address();
    }

    /**
     * Returns word 1 of a message.
     *
     * @param length bytes of the payload.
     * @return type, source and what the length in words counts too much.
     */
    public int wordOne(final int length)
    {
        return typeWord | MessageHeader.correction(length);
    }

    /**
     * Returns words 2 and 3 of a message.
     *
     * @param handler to run there.
     * @param length  bytes of the payload.
     * @return length in words, destination, channels and handler.
     */
    public long extentWords(final int handler, final int length)
    {
        return MessageHeader.extentWords(destinationAddress, routeWord | handler, length);
    }

    /**
     * Writes the header of a message into claimed room.
     *
     * @param claim       that describes the room.
     * @param handler     to run there.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param length      bytes of the payload.
     */
    public void write(
        final HopClaim claim, final int handler, final long arguments01, final long arguments23, final int length)
    {
        MessageHeader.write(claim.buffer(), claim.headerOffset(), wordOne(length), extentWords(handler, length),
            arguments01, arguments23);
    }
}
