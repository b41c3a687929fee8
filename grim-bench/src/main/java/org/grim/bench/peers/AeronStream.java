// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.tools.pair.MessageReceiver;

import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Both directions of one Aeron channel: a publication out, and the image of the other side's. With its defaults,
 * messages are offered and the subscription is polled; else they are claimed in place where they fit one fragment.
 */
final class AeronStream
{
    /** Most messages of a poll, between two steps of a driver without threads. */
    static final int POLL_LIMIT = 64;
    private static final int POLL_LIMIT_DEFAULT = 10;

    private final Publication publication;
    private final Subscription subscription;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler;
    private final FragmentHandler assembler;
    private final boolean isDefault;
    private final int claimLengthMax;
    private FragmentHandler current;
    private Image image;

    AeronStream(
        final Publication publication, final Subscription subscription, final boolean isDefault,
        final MessageReceiver receiver)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.isDefault = isDefault;
        claimLengthMax = isDefault ? -1 : publication.maxPayloadLength();
        handler = (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length);
        assembler = isDefault ? new FragmentAssembler(handler) : new ImageFragmentAssembler(handler, 1 << 17);
        current = assembler;
    }

    boolean isConnected()
    {
        if (image == null && subscription.imageCount() == 1)
        {
            image = subscription.imageAtIndex(0);
        }
        return image != null && publication.isConnected();
    }

    /** Messages that always come in one piece need no assembler. */
    void prepare(final int size)
    {
        current = size <= claimLengthMax ? handler : assembler;
    }

    boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final boolean isClaimed = length <= claimLengthMax;
        final long position =
            isClaimed ? publication.tryClaim(length, claim) : publication.offer(source, offset, length);
        if (position > 0)
        {
            if (isClaimed)
            {
                claim.putBytes(source, offset, length);
                claim.commit();
            }
            return true;
        }
        if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION)
        {
            throw new GrimException(BAD_DATA, "Aeron refused a message: " + Publication.errorString(position));
        }
        return false;
    }

    int poll()
    {
        return isDefault ? subscription.poll(current, POLL_LIMIT_DEFAULT) : image.poll(current, POLL_LIMIT);
    }
}
