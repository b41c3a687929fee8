// SPDX-License-Identifier: Apache-2.0
package org.grim.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals and opens numbered messages with AES-256-GCM, under one key that is derived from the cluster's. A tag of
 * {@value #TAG_LENGTH} bytes follows each sealed message. The nonce is the message's number:
 * <pre>
 *   0  number (u64, big endian)          8  zero (u32)
 * </pre>
 * <p>A key must never seal two different messages that leave this process under one number. So the context of a key has
 * random bytes, and the numbers of one sealer never fall. The same number may follow itself if the first result was
 * discarded.
 * <p>Thread: one at a time; {@link #twin()} gives another thread its own. The JDK's cipher allocates for each message.
 */
public final class Sealer
{
    /** Bytes of a tag. */
    public static final int TAG_LENGTH = 16;
    /** Result of {@link #open} for a message that does not open. */
    public static final int REFUSED = -1;

    private static final int KEY_LENGTH = 32;
    private static final int NONCE_LENGTH = 12;
    private static final String CIPHER = "AES/GCM/NoPadding";

    private final SecretKeySpec key;
    private final byte[] nonce = new byte[NONCE_LENGTH];
    private Cipher cipher = newCipher();
    private long sealedNumber = -1;

    /**
     * Derives the key.
     *
     * @param key     of the cluster.
     * @param purpose of the key, a constant of its user.
     * @param context that distinguishes two keys of one purpose; contains random bytes.
     */
    public Sealer(final ClusterKey key, final String purpose, final byte[] context)
    {
        this(key.derive(purpose, context, KEY_LENGTH));
    }

    /** Takes 32 bytes of a key, and clears them. */
    Sealer(final byte[] key)
    {
        this(new SecretKeySpec(key, "AES"));
        Arrays.fill(key, (byte)0);
    }

    private Sealer(final SecretKeySpec key)
    {
        this.key = key;
    }

    /**
     * Returns a sealer with the same key, for another thread. Its caller sees to it that no two of them seal under one
     * number.
     *
     * @return the other sealer.
     */
    public Sealer twin()
    {
        return new Sealer(key);
    }

    /**
     * Seals a message.
     *
     * @param number       of the message, 0 or more, not below that of the message before.
     * @param source       of the message.
     * @param offset       of its first byte.
     * @param length       bytes of it.
     * @param target       with room for the message and a tag.
     * @param targetOffset of the first byte there.
     * @return bytes of the sealed message.
     * @throws IllegalStateException if the number is below one that was used.
     */
    public int seal(
        final long number, final byte[] source, final int offset, final int length, final byte[] target,
        final int targetOffset)
    {
        if (number < 0 || number < sealedNumber)
        {
            throw new IllegalStateException("message number=" + number + " is below the last, " + sealedNumber);
        }
        if (number == sealedNumber)
        {
            cipher = newCipher();           // The JDK's refuses the nonce that it has just used.
        }
        sealedNumber = number;
        try
        {
            return cipher(Cipher.ENCRYPT_MODE, number).doFinal(source, offset, length, target, targetOffset);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("message of length=" + length + " cannot be sealed", ex);
        }
    }

    /**
     * Opens a sealed message.
     *
     * @param number       of the message.
     * @param source       of the sealed message.
     * @param offset       of its first byte.
     * @param length       bytes of it, tag included; any.
     * @param target       with room for the message.
     * @param targetOffset of the first byte there.
     * @return bytes of the message; {@link #REFUSED} if this key has not sealed these bytes under this number: then the
     *     content of the target is undefined.
     */
    public int open(
        final long number, final byte[] source, final int offset, final int length, final byte[] target,
        final int targetOffset)
    {
        if (length < TAG_LENGTH)
        {
            return REFUSED;
        }
        try
        {
            return cipher(Cipher.DECRYPT_MODE, number).doFinal(source, offset, length, target, targetOffset);
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

    private Cipher cipher(final int mode, final long number) throws GeneralSecurityException
    {
        for (int i = 0; i < Long.BYTES; i++)
        {
            nonce[i] = (byte)(number >>> (Long.SIZE - Byte.SIZE - i * Byte.SIZE));
        }
        cipher.init(mode, key, new GCMParameterSpec(TAG_LENGTH * Byte.SIZE, nonce));
        return cipher;
    }

    private static Cipher newCipher()
    {
        try
        {
            return Cipher.getInstance(CIPHER);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(CIPHER + " is part of every JDK", ex);
        }
    }
}
