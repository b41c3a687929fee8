// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Seals or opens the messages of one hop by a {@link Sealer}. Its key is derived from the cluster's, both incarnations,
 * the characters that the receiver published with its address, and 16 random bytes that the hop begins with; the number
 * of a message is its place in the hop. So no number is used twice with a key, and a message opens at its place only.
 * <p>Thread: one at a time. Grows to the longest message.
 */
final class FrameSeal
{
    /** Random bytes that a hop begins with. */
    static final int SALT_LENGTH = 16;

    private static final int LENGTH_FIRST = 2048;
    private static final String PURPOSE = "aeron hop";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Sealer sealer;
    private final byte[] salt;
    private final Party source;
    private byte[] input = new byte[LENGTH_FIRST];
    private byte[] output = new byte[LENGTH_FIRST];
    private AtomicBuffer sealed = Buffers.wrap(output);
    private long place;

    /**
     * Derives the key.
     *
     * @param clusterKey  of the cluster.
     * @param salt        16 random bytes.
     * @param freshness   of the receiver: what it published with its address.
     * @param source      of the hop.
     * @param destination of the hop.
     */
    FrameSeal(
        final ClusterKey clusterKey, final byte[] salt, final String freshness, final Party source,
        final Party destination)
    {
        this.salt = salt.clone();
        this.source = source;
        final byte[] fresh = freshness.getBytes(UTF_8);
        final ByteBuffer context = ByteBuffer.allocate(SALT_LENGTH + Integer.BYTES * 4 + fresh.length).put(salt)
            .putInt(source.node()).putInt(source.incarnation()).putInt(destination.node())
            .putInt(destination.incarnation()).put(fresh);
        sealer = new Sealer(clusterKey, PURPOSE, context.array());
    }

    /** {@return random bytes for a new hop} */
    static byte[] newSalt()
    {
        final byte[] salt = new byte[SALT_LENGTH];
        RANDOM.nextBytes(salt);
        return salt;
    }

    /**
     * Seals the message of this place into {@link #sealed()}; it counts when {@link #advance()} is called. Until then
     * another one may take its place, if this one was not sent.
     *
     * @return bytes of it, tag included.
     */
    int seal(final DirectBuffer source, final int offset, final int length)
    {
        grow(length + Sealer.TAG_LENGTH);
        source.getBytes(offset, input, 0, length);
        return sealer.seal(place, input, 0, length, output, 0);
    }

    /** {@return where {@link #seal} left the message, from the first byte on} */
    DirectBuffer sealed()
    {
        return sealed;
    }

    /**
     * Opens the message of this place; it counts when {@link #advance()} is called.
     *
     * @param length bytes of it, tag included.
     * @param target with room for the message.
     * @return bytes of the message; {@link Sealer#REFUSED} if it is not this hop's at this place, unchanged.
     */
    int open(final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer target)
    {
        if (length - Sealer.TAG_LENGTH > target.capacity())
        {
            return Sealer.REFUSED;
        }
        grow(length);
        source.getBytes(offset, input, 0, length);
        final int openedLength = sealer.open(place, input, 0, length, output, 0);
        if (openedLength != Sealer.REFUSED)
        {
            target.putBytes(0, output, 0, openedLength);
        }
        return openedLength;
    }

    /** The message of this place was sent, or taken. */
    void advance()
    {
        place++;
    }

    /** {@return the random bytes of the key} */
    byte[] salt()
    {
        return salt;
    }

    /** {@return where the hop comes from} */
    Party source()
    {
        return source;
    }

    /** {@return number of the next message, from 0 on} */
    long place()
    {
        return place;
    }

    /** Says which message is the next. */
    void place(final long newPlace)
    {
        place = newPlace;
    }

    private void grow(final int length)
    {
        if (length > output.length)
        {
            final int newLength = Math.max(length, output.length * 2);
            input = new byte[newLength];
            output = new byte[newLength];
            sealed = Buffers.wrap(output);
        }
    }
}
