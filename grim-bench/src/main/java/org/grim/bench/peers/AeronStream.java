// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.bench.peers.pair.MessageReceiver;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;

/** Both directions of one Aeron channel: an exclusive publication out, and the image of the other side's. */
final class AeronStream
{
    private static final int POLL_LIMIT = 64;

    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final BufferClaim claim = new BufferClaim();
    private final FragmentHandler handler;
    private final FragmentHandler assembler;
    private final int claimLengthMax;
    private FragmentHandler current;
    private Image image;

    AeronStream(
        final Aeron aeron, final String channel, final int streamId, final boolean isInitiator,
        final MessageReceiver receiver)
    {
        this(aeron.addExclusivePublication(channel, isInitiator ? streamId : streamId + 1),
            aeron.addSubscription(channel, isInitiator ? streamId + 1 : streamId), receiver);
    }

    /** Each direction on an address of its own. */
    AeronStream(
        final Aeron aeron, final String outbound, final String inbound, final int streamId,
        final MessageReceiver receiver)
    {
        this(aeron.addExclusivePublication(outbound, streamId), aeron.addSubscription(inbound, streamId), receiver);
    }

    private AeronStream(
        final ExclusivePublication publication, final Subscription subscription, final MessageReceiver receiver)
    {
        this.publication = publication;
        this.subscription = subscription;
        claimLengthMax = publication.maxPayloadLength();
        handler = (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length);
        assembler = new ImageFragmentAssembler(handler, 1 << 17);
        current = handler;
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
        final long position;
        if (length <= claimLengthMax)
        {
            position = publication.tryClaim(length, claim);
            if (position > 0)
            {
                claim.putBytes(source, offset, length);
                claim.commit();
                return true;
            }
        }
        else
        {
            position = publication.offer(source, offset, length);
            if (position > 0)
            {
                return true;
            }
        }
        if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION)
        {
            throw new GrimException("Aeron refused a message: " + Publication.errorString(position));
        }
        return false;
    }

    int poll()
    {
        return image.poll(current, POLL_LIMIT);
    }
}
