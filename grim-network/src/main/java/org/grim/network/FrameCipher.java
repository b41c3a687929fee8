// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.grim.crypto.ClusterKey;

/**
 * Seals or opens the frames of one connection, in their order, with AES-256-GCM. Its key is derived from the cluster's
 * and from random bytes of both ends: no frame that was recorded opens again, and none opens in another place. Without
 * a key frames are what they are.
 * <p>Thread: one at a time.
 */
final class FrameCipher
{
    static final int TAG_LENGTH = 16;

    private static final int NONCE_LENGTH = 12;
    private static final int KEY_LENGTH = 32;
    private static final String PURPOSE = "agents' connections";
    private static final String CIPHER = "AES/GCM/NoPadding";

    private final SecretKeySpec key;
    private final Cipher cipher;
    private long number;

    private FrameCipher(final ClusterKey key, final byte[] context)
    {
        try
        {
            this.key = key == null ? null : new SecretKeySpec(key.derive(PURPOSE, context, KEY_LENGTH), "AES");
            cipher = key == null ? null : Cipher.getInstance(CIPHER);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("this JDK has no " + CIPHER, ex);
        }
    }

    /**
     * Derives the key of the sending end.
     *
     * @param key   of the cluster; null for none.
     * @param hello nonce of the agent that made the connection.
     * @param answer nonce of the other one.
     */
    static FrameCipher sealing(final ClusterKey key, final byte[] hello, final byte[] answer)
    {
        return new FrameCipher(key, context(hello, answer));
    }

    /** {@return ciphers of the receiving end, one of which opens what is sent} */
    static List<FrameCipher> opening(final ClusterKey key, final byte[] hello, final byte[] answer)
    {
        return key == null ? List.of(sealing(null, hello, answer)) :
            key.openers().stream().map(opener -> new FrameCipher(opener, context(hello, answer))).toList();
    }

    private static byte[] context(final byte[] hello, final byte[] answer)
    {
        return ByteBuffer.allocate(hello.length + answer.length).put(hello).put(answer).array();
    }

    /** {@return bytes that a frame with a content takes behind its length} */
    int sealedLength(final int length)
    {
        return key == null ? length : length + TAG_LENGTH;
    }

    /** {@return a whole frame, with its length} */
    ByteBuffer frame(final byte[] content) throws GeneralSecurityException
    {
        final ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + sealedLength(content.length))
            .putInt(sealedLength(content.length));
        if (key == null)
        {
            return frame.put(content).flip();
        }
        cipher.init(Cipher.ENCRYPT_MODE, key, next());
        cipher.doFinal(ByteBuffer.wrap(content), frame);
        return frame.flip();
    }

    /** {@return what a frame holds, without its length} */
    byte[] open(final byte[] sealed) throws GeneralSecurityException
    {
        if (key == null)
        {
            return sealed;
        }
        cipher.init(Cipher.DECRYPT_MODE, key, next());
        return cipher.doFinal(sealed);
    }

    private GCMParameterSpec next()
    {
        final byte[] nonce = ByteBuffer.allocate(NONCE_LENGTH).putLong(number).array();
        number++;
        return new GCMParameterSpec(TAG_LENGTH * Byte.SIZE, nonce);
    }
}
