// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.crypto.ClusterKey;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Seals or opens the messages of one hop with AES-256-GCM. Its key is derived from the cluster's, both incarnations,
 * what the receiver published with its address, and 16 random bytes that the hop begins with; the nonce is the
 * message's place in the hop. So no nonce is used twice with a key, and a message opens at its place only.
 * <pre>
 *  +----------------+ 0
 *  | sealed message |
 *  | tag            |    16 bytes
 *  +----------------+
 * </pre>
 * <p>Thread: one at a time. The JDK's cipher allocates for each message. Grows to the longest message.
 */
final class FrameSeal
{
    /** Bytes of a tag. */
    static final int TAG_LENGTH = 16;
    /** Random bytes that a hop begins with. */
    static final int SALT_LENGTH = 16;
    /** What {@link #open} says of a message that does not open. */
    static final int REFUSED = -1;

    private static final int LENGTH_FIRST = 2048;
    private static final int KEY_LENGTH = 32;
    private static final int NONCE_LENGTH = 12;
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Cipher cipher;
    private final SecretKeySpec key;
    private final byte[] salt;
    private final Party source;
    private final byte[] nonce = new byte[NONCE_LENGTH];
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
        final byte[] bytes = clusterKey.derive("aeron hop", context.array(), KEY_LENGTH);
        key = new SecretKeySpec(bytes, "AES");
        Arrays.fill(bytes, (byte)0);
        try
        {
            cipher = Cipher.getInstance(CIPHER);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(CIPHER + " is part of every JDK", ex);
        }
    }

    /** {@return random bytes for a new hop} */
    static byte[] newSalt()
    {
        final byte[] salt = new byte[SALT_LENGTH];
        RANDOM.nextBytes(salt);
        return salt;
    }

    /**
     * Seals the message of this place into {@link #sealed()}; it counts when {@link #advance()} is called.
     *
     * @return bytes of it, tag included.
     */
    int seal(final DirectBuffer source, final int offset, final int length)
    {
        grow(length + TAG_LENGTH);
        source.getBytes(offset, input, 0, length);
        try
        {
            return cipher(Cipher.ENCRYPT_MODE).doFinal(input, 0, length, output, 0);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("message of length=" + length + " cannot be sealed", ex);
        }
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
     * @return bytes of the message; {@link #REFUSED} if it is not this hop's at this place, unchanged.
     */
    int open(final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer target)
    {
        if (length < TAG_LENGTH || length - TAG_LENGTH > target.capacity())
        {
            return REFUSED;
        }
        grow(length);
        source.getBytes(offset, input, 0, length);
        try
        {
            final int openedLength = cipher(Cipher.DECRYPT_MODE).doFinal(input, 0, length, output, 0);
            target.putBytes(0, output, 0, openedLength);
            return openedLength;
        }
        catch (final AEADBadTagException ex)
        {
            return REFUSED;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("message of length=" + length + " cannot be opened", ex);
        }
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

    private Cipher cipher(final int mode) throws GeneralSecurityException
    {
        for (int i = 0; i < Long.BYTES; i++)
        {
            nonce[i] = (byte)(place >>> (i * Byte.SIZE));
        }
        cipher.init(mode, key, new GCMParameterSpec(TAG_LENGTH * Byte.SIZE, nonce));
        return cipher;
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
