// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.crypto.Sealer;
import org.grim.transport.Hop;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;

/**
 * The offer of messages that are not written into the log in place: plain, or sealed.
 * <p>Thread: the hop's owner. One publication has one offer.
 */
interface FrameOffer
{
    /** Attempts at a new term of the log. */
    int ROTATION_COUNT_MAX = 2;

    /** {@return what offers the messages of a publication that begins with this seal; null for none} */
    static FrameOffer of(final FrameSeal seal)
    {
        return seal == null ? new Plain() : new Sealed(seal);
    }

    /** {@return bytes of a message besides header and payload} */
    int overheadLength();

    /** {@return whether messages of one frame are written into the log in place} */
    boolean isInPlace();

    /**
     * Offers a message. Nobody sees a message that is refused.
     *
     * @param publication to offer to.
     * @param header      holding the header from its first byte, with room for the payload behind it.
     * @param source      holding the payload; may be the same.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @return the new position, or why not, as Aeron says it.
     */
    default long tryOffer(
        final ExclusivePublication publication, final AtomicBuffer header, final DirectBuffer source, final int offset,
        final int length)
    {
        prepare(header, source, offset, length);
        long position = Publication.ADMIN_ACTION;
        for (int i = 0; i <= ROTATION_COUNT_MAX && position == Publication.ADMIN_ACTION; i++)
        {
            position = offer(publication, header, source, offset, length);
        }
        return position;
    }

    /** Puts a message together, as {@link #tryOffer} says. */
    void prepare(AtomicBuffer header, DirectBuffer source, int offset, int length);

    /** Offers it once. */
    long offer(
        ExclusivePublication publication, AtomicBuffer header, DirectBuffer source, int offset, int length);

    /** Offers without a key: Aeron gathers header and payload. */
    final class Plain implements FrameOffer
    {
        @Override
        public int overheadLength()
        {
            return 0;
        }

        @Override
        public boolean isInPlace()
        {
            return true;
        }

        @Override
        public void prepare(final AtomicBuffer header, final DirectBuffer source, final int offset, final int length)
        {
            // Both are offered from where they lie.
        }

        @Override
        public long offer(
            final ExclusivePublication publication, final AtomicBuffer header, final DirectBuffer source,
            final int offset, final int length)
        {
            return publication.offer(header, 0, Hop.HEADER_LENGTH, source, offset, length);
        }
    }

    /** Offers with a key: one piece is sealed. The place of a message that was refused is the next one's. */
    final class Sealed implements FrameOffer
    {
        private final FrameSeal seal;
        private int sealedLength;

        Sealed(final FrameSeal seal)
        {
            this.seal = seal;
        }

        @Override
        public int overheadLength()
        {
            return Sealer.TAG_LENGTH;
        }

        @Override
        public boolean isInPlace()
        {
            return false;
        }

        @Override
        public void prepare(final AtomicBuffer header, final DirectBuffer source, final int offset, final int length)
        {
            if (source != header && length > 0)
            {
                header.putBytes(Hop.HEADER_LENGTH, source, offset, length);
            }
            sealedLength = seal.seal(header, 0, Hop.HEADER_LENGTH + length);
        }

        @Override
        public long offer(
            final ExclusivePublication publication, final AtomicBuffer header, final DirectBuffer source,
            final int offset, final int length)
        {
            final long position = publication.offer(seal.sealed(), 0, sealedLength);
            if (position > 0)
            {
                seal.advance();
            }
            return position;
        }
    }
}
